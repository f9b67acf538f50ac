//! Tasks: what comes of one that is put on a list, and of one that is completed.

use super::{Engine, Outcome};
use crate::history::Step;
use crate::status::{By, Feature, Status, What};
use crate::subject::{Tagged, known, new_name, tagged};
use crate::tasks::TaskState;

impl Engine<'_> {
    /// A task was put on a list. One of the first phase begins a feature.
    pub fn create(&self, status: &mut Status, session: &str, id: &str, subject: &str) -> Outcome {
        status.note_task(session, id, Some(subject));
        let Some(says) = tagged(subject, self.flow) else {
            return Outcome::Nothing;
        };
        self.begin_by_task(status, &says)
            .map_or(Outcome::Nothing, |feature| Outcome::Begun {
                feature,
                phase: self.flow.first().name.clone(),
            })
    }

    /// Begins the feature that a task of the first phase speaks of, if there is none.
    fn begin_by_task(&self, status: &mut Status, says: &Tagged<'_>) -> Option<String> {
        let is_new = known(&says.rest, status.features.keys()).is_none();
        (is_new && says.phase.name == self.flow.first().name).then_some(())?;
        let name = new_name(&says.rest).to_owned();
        let step = Step::new(&name, What::Begun, By::Task, self.now_ms);
        status.put(&step, Feature::new(&says.phase.name, self.now_ms));
        Some(name)
    }

    /// A task was completed. Completing it once more changes nothing and tells the same.
    pub fn complete(
        &self,
        status: &mut Status,
        session: &str,
        id: &str,
        subject: Option<&str>,
    ) -> Outcome {
        status.note_task(session, id, subject);
        let Some(task) = status.task_mut(session, id) else {
            return Outcome::Nothing;
        };
        let again = task.state == TaskState::Done;
        task.state = TaskState::Done;
        task.given_to = None;
        let (subject, step) = (task.subject.clone(), task.step);
        let Some(says) = tagged(&subject, self.flow) else {
            return Outcome::Nothing;
        };
        if again {
            return self.told_again(status, session, &says, step);
        }
        self.count(status, session, &says)
    }

    fn count(&self, status: &mut Status, session: &str, says: &Tagged<'_>) -> Outcome {
        self.begin_by_task(status, says);
        let (name, outcome) = self.standing(status, session, says);
        if outcome != Outcome::Nothing {
            return outcome;
        }
        let phase = says.phase.name.clone();
        let outcome = self.end_phase(status, &name, By::Task);
        let step = status.history_of(&name).last().map(|entry| entry.n);
        self.mark(status, session, &name, &phase, step);
        outcome
    }

    /// The tasks that a step was made of know it.
    fn mark(&self, status: &mut Status, session: &str, name: &str, phase: &str, step: Option<u64>) {
        let of_phase = status.tasks_of(self.flow, session, name, phase);
        let ids: Vec<String> = of_phase.map(|task| task.id.clone()).collect();
        for id in ids {
            if let Some(task) = status.task_mut(session, &id) {
                task.step = task.step.or(step);
            }
        }
    }

    /// The feature that a task speaks of, and what is against ending its phase; nothing when its last task is done.
    fn standing(&self, status: &Status, session: &str, says: &Tagged<'_>) -> (String, Outcome) {
        let task = says.phase.name.clone();
        let Some((name, feature)) = known(&says.rest, status.features.keys())
            .and_then(|name| status.features.get_key_value(name))
        else {
            let feature = new_name(&says.rest).to_owned();
            return (feature.clone(), Outcome::Unknown { feature, task });
        };
        let (feature, phase) = (name.clone(), feature.phase.clone());
        if phase != task || status.features[name].finished_ms.is_some() {
            let outcome = Outcome::Disagrees {
                feature: feature.clone(),
                phase,
                task,
            };
            return (feature, outcome);
        }
        let of_phase = status.tasks_of(self.flow, session, name, &phase);
        let open = of_phase
            .filter(|task| task.state != TaskState::Done)
            .count();
        if open == 0 {
            return (feature, Outcome::Nothing);
        }
        let outcome = Outcome::Partly {
            feature: feature.clone(),
            phase,
            open,
        };
        (feature, outcome)
    }

    /// What was told when the task was first completed, as far as it still holds.
    fn told_again(
        &self,
        status: &Status,
        session: &str,
        says: &Tagged<'_>,
        step: Option<u64>,
    ) -> Outcome {
        let entry = step.and_then(|step| status.history.iter().find(|entry| entry.n == step));
        let Some(entry) = entry else {
            return self.standing(status, session, says).1;
        };
        let feature = entry.feature.clone();
        let from = entry.before.as_ref().map(|before| before.phase.clone());
        let waits = status.features.get(&feature);
        let waits = waits.and_then(|feature| feature.waits.clone());
        let phase = entry.phase.clone();
        match (entry.what, waits, from) {
            (What::Moved, _, Some(from)) => Outcome::Moved {
                feature,
                from,
                to: phase,
            },
            (What::Finished, ..) => Outcome::Finished { feature, phase },
            (What::Waits, Some(waits), _) => Outcome::Waits {
                feature,
                phase,
                waits,
            },
            _ => Outcome::Nothing,
        }
    }
}
