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
use super::repository::{BUDGET, Git};
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
            judge_command(call.spot(), config, command)
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
        Some(command) => judge_command(call.spot(), config, command),
        None => judge(call, config),
    }
}

/// Whether a command has to be analysed: the person's own rules may name any command, ours only some.
pub(super) fn needs_a_look(command: &str, config: &Config) -> bool {
    config.rules.values().any(RuleChange::is_own)
        || is_interesting(command)
        || keys::may_name(command)
}

pub(super) fn judge_command(spot: Spot<'_>, config: &Config, command: &str) -> Judged {
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
    for act in &analysis.acts {
        if world.clock.is_past(PATIENCE) {
            findings.push(timer::asked(timer::LATE, command));
            break;
        }
        findings.extend(by_rules(act, &scene));
        findings.extend(touching.judge(act));
    }
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
