//! What a session was, in numbers: for the head of a page, and for the index over many.

use std::collections::BTreeMap;

use bellwether_prices::{Cost, Tokens};
use serde::{Deserialize, Serialize};

use super::Session;
use super::survey::{CallMark, ModelSum, TurnMark};
use crate::item::Turn;

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Overview {
    pub session: String,
    /// What the person or the client called it, else what was asked first.
    pub title: String,
    /// The folder that it began in.
    pub folder: String,
    pub branch: Option<String>,
    pub client_version: Option<String>,
    pub first_ms: Option<u64>,
    pub last_ms: Option<u64>,
    pub turns: usize,
    pub calls: usize,
    pub failures: usize,
    pub agents: usize,
    /// How many calls the guard stopped, or asked about.
    pub stops: usize,
    pub tokens: Tokens,
    pub cost: Cost,
    /// What the client itself counted, in US dollars.
    pub client_cost_usd: Option<f64>,
    /// The day of the table of prices.
    pub prices: String,
    pub models: Vec<ModelUse>,
    /// Lines that could not be read.
    pub unreadable: usize,
}

/// What one model has used.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ModelUse {
    pub model: String,
    pub messages: usize,
    pub tokens: Tokens,
    /// `None` for a model without a price.
    pub cost_usd: Option<f64>,
}

impl Overview {
    /// The last part of its folder.
    pub fn project(&self) -> &str {
        self.folder
            .rsplit('/')
            .find(|part| !part.is_empty())
            .unwrap_or_default()
    }

    pub fn duration_ms(&self) -> Option<u64> {
        Some(self.last_ms?.saturating_sub(self.first_ms?))
    }

    pub(super) fn of(session: &Session<'_>) -> Self {
        let (survey, agents) = (&session.survey, session.agents.all());
        let facts = &survey.facts;
        let models = models(session);
        let (mut tokens, mut cost) = (Tokens::default(), Cost::default());
        for one in &models {
            tokens += one.tokens;
            cost.add(one.cost_usd.or(one.tokens.is_zero().then_some(0.0)));
        }
        let first = session.turns().next().map(|turn| turn.title.as_str());
        let title = facts.title().or(first).unwrap_or_default();
        let of_agents = |what: fn(&super::agents::AgentFile) -> usize| agents.iter().map(what);
        let of_turns = |what: fn(&TurnMark) -> usize| survey.turns.iter().map(what);
        Self {
            session: session.id(),
            title: title.to_owned(),
            folder: facts.folder.clone().unwrap_or_default(),
            branch: facts.branch.clone().filter(|branch| !branch.is_empty()),
            client_version: facts.version.clone(),
            first_ms: facts.first_ms,
            last_ms: facts.last_ms,
            turns: session.turns().count(),
            calls: survey.calls.len() + of_agents(|agent| agent.calls).sum::<usize>(),
            failures: of_turns(|turn| turn.failures).sum::<usize>()
                + of_agents(|agent| agent.failures).sum::<usize>(),
            agents: agents.len() + survey.chains.len(),
            stops: session.around.stops.len(),
            tokens,
            cost,
            client_cost_usd: facts.client_cost_usd,
            prices: session.around.prices.date().to_owned(),
            models,
            unreadable: survey.counts.unreadable
                + survey.counts.too_long
                + of_agents(|agent| agent.unreadable).sum::<usize>(),
        }
    }
}

/// What each model used, the dearest first.
fn models(session: &Session<'_>) -> Vec<ModelUse> {
    let mut sums: BTreeMap<String, ModelSum> = BTreeMap::new();
    let main = session.survey.by_model();
    let main = main.iter().map(|(model, sum)| (*model, sum));
    let agents = session.agents.all().iter().flat_map(|agent| &agent.models);
    for (model, sum) in main.chain(agents.map(|(model, sum)| (model.as_str(), sum))) {
        let all = sums.entry(model.to_owned()).or_default();
        all.messages += sum.messages;
        all.tokens += sum.tokens;
        all.cost += sum.cost;
    }
    let of_model = |(model, sum): (String, ModelSum)| ModelUse {
        model,
        messages: sum.messages,
        tokens: sum.tokens,
        cost_usd: (!sum.cost.incomplete).then_some(sum.cost.usd),
    };
    let mut models: Vec<ModelUse> = sums.into_iter().map(of_model).collect();
    models.sort_by_key(|one| std::cmp::Reverse(one.tokens.total()));
    models
}

impl Session<'_> {
    /// The turns that an agent worked on.
    pub(super) fn turns(&self) -> impl Iterator<Item = &TurnMark> {
        self.survey.turns.iter().filter(|turn| turn.is_real())
    }

    /// Every turn, for a table of contents.
    pub fn outline(&self) -> Vec<Turn> {
        let mut outline: Vec<Turn> = self.survey.turns.iter().map(turn).collect();
        for (number, agent) in self.agents.all().iter().enumerate() {
            let call = self.agents.first_call(number);
            let call: Option<&CallMark> = call.and_then(|call| self.survey.calls.get(&call));
            if let Some(turn) = call.and_then(|call| outline.get_mut(call.turn?)) {
                turn.tokens += agent.tokens;
                turn.cost += agent.cost;
            }
        }
        for (call, mark) in &self.survey.calls {
            if let Some(turn) = mark.turn.and_then(|turn| outline.get_mut(turn))
                && self.stopped.contains(call)
            {
                turn.stops += 1;
            }
        }
        let real = outline.into_iter().zip(&self.survey.turns);
        let real = real.filter(|(_, mark)| mark.is_real());
        let numbered = real
            .zip(1..)
            .map(|((turn, _), number)| Turn { number, ..turn });
        numbered.collect()
    }
}

fn turn(mark: &TurnMark) -> Turn {
    let duration = mark.last_ms.zip(mark.at_ms);
    Turn {
        number: 0,
        at_ms: mark.at_ms,
        duration_ms: duration.map(|(last, first)| last.saturating_sub(first)),
        title: mark.title.clone(),
        calls: mark.calls,
        failures: mark.failures,
        stops: 0,
        is_rewound: mark.is_rewound,
        tokens: mark.tokens,
        cost: mark.cost,
    }
}
