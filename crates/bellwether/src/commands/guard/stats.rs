//! `bellwether guard stats`: how often each rule stopped something, and how often that was right.

use std::collections::BTreeMap;

use bellwether_hook::guard::Verdict;
use bellwether_spine::{Home, text};
use clap::Args;
use serde::Serialize;
use serde_json::json;

use crate::guard::log;
use crate::guard::reviews::{Reviews, Stopped};
use crate::output;

#[derive(Args)]
pub(crate) struct Arguments {
    /// Print JSON: {total, rules, projects}, each with {asked, refused, right, wrong}. Demos are left out.
    #[arg(long)]
    json: bool,
}

/// How often.
#[derive(Debug, Clone, Copy, Default, Serialize)]
struct Counts {
    asked: usize,
    refused: usize,
    right: usize,
    wrong: usize,
}

impl Counts {
    fn add(&mut self, stopped: &Stopped<'_>, right: Option<bool>) {
        match stopped.entry.said {
            Verdict::Deny => self.refused += 1,
            Verdict::Ask | Verdict::Silent => self.asked += 1,
        }
        match right {
            Some(true) => self.right += 1,
            Some(false) => self.wrong += 1,
            None => {}
        }
    }

    fn row(self, name: &str) -> String {
        let Self {
            asked,
            refused,
            right,
            wrong,
        } = self;
        format!("{name:30} {asked:>8} {refused:>8} {right:>8} {wrong:>8}")
    }
}

pub(crate) fn run(home: &Home, arguments: &Arguments) -> anyhow::Result<()> {
    let (text, reviews) = (log::read(home)?, Reviews::load(home)?);
    let mut total = Counts::default();
    let mut rules: BTreeMap<String, Counts> = BTreeMap::new();
    let mut projects: BTreeMap<String, Counts> = BTreeMap::new();
    let stops = text.lines().filter_map(Stopped::parse);
    for stopped in stops.filter(|stopped| !stopped.is_demo()) {
        let right = reviews.of(&stopped);
        total.add(&stopped, right);
        for rule in &stopped.entry.rules {
            rules.entry(rule.clone()).or_default().add(&stopped, right);
        }
        let project = stopped
            .entry
            .project
            .clone()
            .unwrap_or_else(|| "none".to_owned());
        projects.entry(project).or_default().add(&stopped, right);
    }
    if arguments.json {
        let all = json!({ "total": total, "rules": rules, "projects": projects });
        return output::show_json(&text::shown_json(&all));
    }
    show("rule", &rules);
    show("project", &projects);
    tell!("{}", total.row("all"));
    if total.right + total.wrong == 0 && total.asked + total.refused > 0 {
        note!("say which were right with `bellwether guard log --review`");
    }
    Ok(())
}

fn show(kind: &str, counted: &BTreeMap<String, Counts>) {
    tell!(
        "{kind:30} {:>8} {:>8} {:>8} {:>8}",
        "asked",
        "refused",
        "right",
        "wrong"
    );
    for (name, counts) in counted {
        tell!("{}", counts.row(&text::shown(name, 60)));
    }
    tell!("");
}
