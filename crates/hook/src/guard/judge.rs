//! Judges a tool call: what it would do, and what the rules say about that.

use std::path::Path;

use bellwether_protocol::event::Deed;
use bellwether_shell::git::GitAct;
use bellwether_shell::{Act, Effect, analyse, is_interesting};
use bellwether_spine::Home;
use rustix::time::ClockId;

use super::config::{Config, RuleChange};
use super::keys;
use super::machine::{self, Spot};
use super::owned::{self, Owned};
use super::repository::{BUDGET, Git, Moment};
use super::rules;
use super::scene::Scene;
use super::timer::{self, Clock, PATIENCE};
use super::touched::Touching;
use super::users;
use super::verdict::{Finding, Judgement, Verdict};
use super::world::Machine;
use super::zone::Zone;

pub use bellwether_shell::{Analysis, Ran};

#[derive(Clone, Copy)]
pub struct Call<'a> {
    pub deed: &'a Deed<'a>,
    /// The folder that it happens in.
    pub cwd: &'a Path,
    pub project: Option<&'a Path>,
    pub home: &'a Home,
    pub user: Option<&'a Path>,
    /// The transcript of the session, which is as old as the session itself.
    pub transcript: Option<&'a Path>,
}

/// What was found about a tool call.
#[derive(Debug, Clone, Default)]
pub struct Judged {
    pub judgement: Judgement,
    /// What a command would do.
    pub analysis: Option<Analysis>,
}

pub fn judge(call: &Call<'_>, config: &Config) -> Judged {
    machine::look_anew();
    match call.command() {
        Some(command) if needs_a_look(command, config) => {
            judge_command(call.spot(), config, command, call.transcript)
        }
        Some(_) => Judged::default(),
        None => {
            let mut findings = match call.deed {
                Deed::Change(change) => machine::on_change(call.spot(), config, change),
                _ => Vec::new(),
            };
            findings.extend(keys::on_reading(call.spot(), call.deed));
            Judged {
                judgement: users::changed(findings, config),
                analysis: None,
            }
        }
    }
}

/// The same, with every command analysed, for whoever wants to see how it is understood.
pub fn explain(call: &Call<'_>, config: &Config) -> Judged {
    match call.command() {
        Some(command) => judge_command(call.spot(), config, command, call.transcript),
        None => judge(call, config),
    }
}

/// Whether a command has to be analysed: the person's own rules may name any command, ours only some.
pub(super) fn needs_a_look(command: &str, config: &Config) -> bool {
    config.rules.values().any(RuleChange::is_own)
        || is_interesting(command)
        || keys::may_name(command)
}

pub(super) fn judge_command(
    spot: Spot<'_>,
    config: &Config,
    command: &str,
    transcript: Option<&Path>,
) -> Judged {
    machine::look_anew();
    let repository = Git::new(spot.user.map(Path::to_owned), BUDGET);
    let world = Machine {
        home: spot.user,
        clock: Clock::start(ClockId::ThreadCPUTime),
        repository: &repository,
    };
    let analysis = analyse(command, Some(spot.cwd), &world);
    let scene = Scene {
        mode: config.mode,
        project: Some(spot.project.unwrap_or(spot.cwd)),
        home: spot.user,
        protected_branches: &config.protected_branches,
        world: &world,
        repository: &repository,
        own: false,
    };
    let mut findings: Vec<Finding> = keys::on_command(spot, command).into_iter().collect();
    for ran in &analysis.commands {
        findings.extend(users::on_command(config, &ran.words, &ran.via));
    }
    let touching = Touching {
        spot,
        config,
        analysis: &analysis,
        world: &world,
    };
    let opaque = analysis.commands.iter().filter(|ran| ran.opaque.is_some());
    findings.extend(opaque.filter_map(|ran| touching.handed(ran)));
    let mut stopped = Vec::new();
    for act in &analysis.acts {
        if world.clock.is_past(PATIENCE) {
            let late = timer::asked(timer::LATE, command);
            if act.files.is_empty() {
                findings.push(late);
                break;
            }
            // Whose code it is that takes so long is still to be found out.
            stopped.push((act, vec![late]));
            continue;
        }
        let mut found = by_rules(act, &scene);
        found.extend(touching.judge(act));
        if !found.is_empty() {
            stopped.push((act, found));
        }
    }
    findings.extend(without_own(stopped, scene, touching, transcript));
    dedup(&mut findings);
    // What our parser does not understand, a shell may not either: it is asked about, not denied.
    if analysis.syntax.is_some() {
        for finding in &mut findings {
            finding.verdict = Verdict::Ask;
        }
    }
    Judged {
        judgement: users::changed(findings, config),
        analysis: Some(analysis),
    }
}

/// What is left of what was found once the project's own code has been taken for what it is.
fn without_own(
    stopped: Vec<(&Act, Vec<Finding>)>,
    scene: Scene<'_>,
    touching: Touching<'_>,
    transcript: Option<&Path>,
) -> Vec<Finding> {
    let in_file = |act: &&Act| !act.files.is_empty();
    let mut acts = stopped
        .iter()
        .map(|(act, _)| *act)
        .filter(in_file)
        .peekable();
    if scene.is_strict() || acts.peek().is_none() {
        return stopped.into_iter().flat_map(|(_, found)| found).collect();
    }
    let own = Owned::among(acts, &scene, &began(transcript));
    let scene = Scene { own: true, ..scene };
    let left = stopped.into_iter().flat_map(|(act, found)| {
        if !own.has(act) {
            return found;
        }
        // What there was no time for is not looked at again.
        if found.iter().any(|finding| finding.reason == timer::LATE) {
            return Vec::new();
        }
        let mut found = by_rules(act, &scene);
        found.extend(touching.judge(act));
        found.retain(|finding| owned::counts(act, finding, &scene));
        found
    });
    left.collect()
}

/// When the session began; without a transcript, what is committed counts.
fn began(transcript: Option<&Path>) -> Moment {
    let created = transcript.and_then(|path| path.symlink_metadata().ok()?.created().ok());
    created.and_then(Moment::at).unwrap_or_else(Moment::now)
}

fn by_rules(act: &Act, scene: &Scene<'_>) -> Vec<Finding> {
    if is_temporary(act, scene) {
        return Vec::new();
    }
    let hits = rules::ALL
        .iter()
        .filter_map(|rule| rule.judge(act, scene).map(|hit| (rule, hit)));
    hits.map(|(rule, hit)| Finding {
        rule: rule.id.to_owned(),
        severity: rule.severity,
        verdict: hit.verdict,
        reason: hit.reason,
        lost: hit.lost,
        instead: hit.instead,
        subject: act.command.clone(),
        via: act.via.clone(),
    })
    .collect()
}

/// Whether git works in a temporary repository. What it does to a remote is judged anyway.
fn is_temporary(act: &Act, scene: &Scene<'_>) -> bool {
    let Effect::Git(effect) = &act.effect else {
        return false;
    };
    let local = !matches!(effect.act, GitAct::Push(_) | GitAct::SkipHooks { .. });
    let site = effect.site.as_ref();
    local && site.is_some_and(|site| scene.zone(&scene.real(&site.folder)) == Zone::Temporary)
}

fn dedup(findings: &mut Vec<Finding>) {
    let mut seen: Vec<(String, String)> = Vec::new();
    findings.retain(|finding| {
        let key = (finding.rule.clone(), finding.reason.clone());
        let new = !seen.contains(&key);
        seen.push(key);
        new
    });
}

impl<'a> Call<'a> {
    /// The command, when the tool runs one.
    pub(super) fn command(&self) -> Option<&'a str> {
        match self.deed {
            Deed::Command(command) => Some(&command.text),
            _ => None,
        }
    }

    fn spot(&self) -> Spot<'a> {
        Spot {
            cwd: self.cwd,
            project: self.project,
            home: self.home,
            user: self.user,
        }
    }
}
