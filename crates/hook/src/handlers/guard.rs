//! Stops tool calls that would destroy something, and keeps a record of what was stopped.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use bellwether_protocol::event::{Deed, Event, Kind, Tool, ToolKind};
use bellwether_shell::Analysis;
use bellwether_spine::ancestry::{Began, System, sender};
use bellwether_spine::{Home, meta, signals};
use serde_json::value::RawValue;

use super::Context;
use crate::answer::{Afterwards, Answer};
use crate::fallback::{self, Fallback};
use crate::guard::allow::{Subject, hash_of};
use crate::guard::answer::{self, Said};
use crate::guard::audit::{Caller, Entry};
use crate::guard::config::WhenAsked;
use crate::guard::consent::{self, Consent, Matter, Print, Question, Rests, Unsure};
use crate::guard::judge::{Call, Judged, judge};
use crate::guard::keys;
use crate::guard::machine::{self, Spot};
use crate::guard::skill;
use crate::guard::timer::{LONGEST, judge_in_time};
use crate::guard::{Config, Judgement, Verdict};

pub(super) const ABOUT: &str = "stop tool calls that would destroy something";
pub(super) const TIMEOUT_S: u32 = 10;
pub(super) const EVENTS: &[Kind] = &[Kind::PreToolUse];

/// When an answer is given at last, whatever keeps the judge: it should have answered by itself. On a busy machine
/// with a large repository the same work takes longer by the clock on the wall, so there is room for that.
const AT_LAST: Duration = LONGEST.saturating_add(Duration::from_millis(660));

pub(super) fn handle(context: Context<'_>) -> Answer<'_> {
    let Some(case) = Case::of(context) else {
        return Answer::default();
    };
    // Settings stand in a folder of the user's: what an agent can put there must not keep us either.
    case.prepare_to_fail(&Config::default());
    let config: Arc<Config> = Arc::new(context.settings.guard());
    let answer = if config.enabled {
        case.prepare_to_fail(&config);
        case.answer(&config)
    } else {
        Answer::default()
    };
    signals::no_last_words();
    if answer.reply.decision.is_none() {
        fallback::set(Fallback::Silence);
    }
    answer
}

/// One tool call and where it happens.
pub struct Case<'a> {
    context: Context<'a>,
    tool: &'a Tool<'a>,
    deed: Deed<'a>,
    cwd: PathBuf,
    project: Option<PathBuf>,
    user: Option<PathBuf>,
}

impl<'a> Case<'a> {
    /// The case that an event makes; `None` when there is nothing to judge.
    pub fn of(context: Context<'a>) -> Option<Self> {
        let event = context.event;
        let tool = event.tool.as_ref()?;
        let is_call = matches!(event.kind, Kind::PreToolUse | Kind::PermissionRequest);
        (is_call && is_worth_reading(tool)).then_some(())?;
        let project = crate::project_of(event, context.client);
        let cwd = event.cwd.as_deref().map(PathBuf::from);
        let cwd = cwd.or_else(|| project.clone());
        let deed = match tool.does {
            ToolKind::Skill => loaded(tool, project.as_deref().or(cwd.as_deref())),
            _ => Some(tool.deed()).filter(|deed| *deed != Deed::Other),
        }?;
        Some(Self {
            context,
            tool,
            cwd: folder_of(&deed, cwd.unwrap_or_else(|| "/".into())),
            deed,
            project,
            user: machine::user(),
        })
    }

    /// What the rules say about it.
    pub fn judge(&self, config: &Config) -> Judged {
        judge(&self.call(), config)
    }

    fn call(&self) -> Call<'_> {
        Call {
            deed: &self.deed,
            cwd: &self.cwd,
            project: self.project.as_deref(),
            home: self.context.home,
            user: self.user.as_deref(),
            transcript: self.context.event.transcript.as_deref().map(Path::new),
        }
    }

    /// If we fail before the verdict is said, or do not come to an end, this is said in its place.
    fn prepare_to_fail(&self, config: &Config) {
        let failing = self.when_failing(config);
        fallback::set(failing);
        if let Some(reply) = failing.late() {
            let context = self.context;
            let said = context.client.render(context.event.kind, &reply);
            signals::last_words(said.stdout.as_deref().unwrap_or_default(), AT_LAST);
        }
    }

    /// What is said when we fail over it: the person is asked, where one can be.
    fn when_failing(&self, config: &Config) -> Fallback {
        let mode = self.context.event.permission_mode.as_deref();
        match config.answers.to(mode, self.is_attended()) {
            WhenAsked::Ask => Fallback::Ask,
            WhenAsked::Deny => Fallback::Deny,
        }
    }

    /// What is left of that once what the person allows has been taken out.
    pub fn pardoned(&self, judgement: Judgement, config: &Config) -> Judgement {
        if judgement.verdict == Verdict::Silent {
            return judgement;
        }
        let subject = self.subject();
        let spot = Spot {
            cwd: &self.cwd,
            project: self.project.as_deref(),
            home: self.context.home,
            user: self.user.as_deref(),
        };
        let (command, path) = match subject {
            Said::Command(command) => (Some(command), None),
            Said::Path(path) => (None, Some(Path::new(path))),
        };
        let subject = Subject {
            command,
            path,
            ground: machine::ground(spot),
        };
        subject.pardon(judgement, config, &self.context.settings.grants())
    }

    /// What is said about it, in time and without what is allowed.
    pub(crate) fn judgement(&self, config: &Arc<Config>) -> Judgement {
        let judged = judge_in_time(&self.call(), config);
        self.context.looked.keep(judged.analysis);
        self.pardoned(judged.judgement, config)
    }

    /// Looks at it without judging it, for whoever else has to know what it does.
    pub(crate) fn look(&self, config: &Arc<Config>) {
        let judged = judge_in_time(&self.call(), config);
        self.context.looked.keep(judged.analysis);
    }

    fn answer(&self, config: &Arc<Config>) -> Answer<'a> {
        let judgement = self.judgement(config);
        if judgement.verdict == Verdict::Silent {
            return Answer::default();
        }
        let (event, home, subject) = (self.context.event, self.context.home, self.subject());
        let call = answer::Occasion {
            subject,
            permission_mode: event.permission_mode.as_deref(),
            attended: self.is_attended(),
            allower: self.context.settings.allower(),
        };
        let said = answer::said(&judgement, &call, config);
        let entry = Entry::new(
            caller(self.context, self.tool),
            call.subject,
            &judgement,
            said,
        );
        let asking = match said {
            Verdict::Ask => Asking::of(self, &judgement, config),
            Verdict::Deny | Verdict::Silent => None,
        };
        if let Some(earlier) = asking.as_ref().and_then(Asking::earlier) {
            return Answer {
                afterwards: entry.map(|entry| recorded(entry.passing(&earlier), home, None)),
                ..Answer::default()
            };
        }
        Answer {
            reply: answer::reply(&judgement, &call, config),
            ruling: entry.as_ref().and_then(Entry::ruling),
            afterwards: entry.map(|entry| recorded(entry, home, asking)),
            ..Answer::default()
        }
    }

    /// What its question is about, where a yes to it can be remembered.
    pub fn rests(
        &self,
        judged: &Judgement,
        analysis: Option<&Analysis>,
        config: &Config,
    ) -> Result<Rests, Unsure> {
        if !config.remember_yes {
            return Err(Unsure("guard.remember_yes is off"));
        }
        // What is kept as a user could be written by any program of that user's.
        if self.context.settings.is_managed() {
            return Err(Unsure("this machine's policy is in effect"));
        }
        Rests::of(&Matter {
            judgement: judged,
            analysis,
            deed: &self.deed,
            cwd: &self.cwd,
            user: self.user.as_deref(),
            config,
        })
    }

    /// The yes that the person has given to the same question in this session, through whichever client.
    pub fn earlier(
        &self,
        judged: &Judgement,
        analysis: Option<&Analysis>,
        config: &Config,
    ) -> Option<Consent> {
        let session = self.context.event.session.as_deref()?;
        let rests = self.rests(judged, analysis, config).ok()?;
        let print = Print::of(&rests, self.user.as_deref()).ok()?;
        consent::find(self.context.home, session, &print, None)
    }

    fn is_attended(&self) -> bool {
        self.context.client.is_attended(&meta::variable)
    }

    fn subject(&self) -> Said<'_> {
        match &self.deed {
            Deed::Command(command) => Said::Command(&command.text),
            Deed::Change(change) => Said::Path(&change.path),
            Deed::Read(path) | Deed::Search(path) => Said::Path(path),
            Deed::Other => Said::Path(""),
        }
    }
}

/// A question whose answer can be remembered: a client that we know asks it about a call that has a name.
struct Asking<'a> {
    home: &'a Home,
    session: Cow<'a, str>,
    call: Cow<'a, str>,
    agent: Option<String>,
    subject: String,
    client: Began,
    rests: Rests,
    user: Option<PathBuf>,
}

impl<'a> Asking<'a> {
    fn of(case: &Case<'a>, judgement: &Judgement, config: &Config) -> Option<Self> {
        let Context {
            event,
            home,
            looked,
            ..
        } = case.context;
        (event.kind == Kind::PreToolUse).then_some(())?;
        Some(Self {
            home,
            session: event.session.clone()?,
            call: case.tool.use_id.clone()?,
            agent: agent_of(event),
            subject: hash_of(case.subject().text()),
            rests: case.rests(judgement, looked.analysis(), config).ok()?,
            user: case.user.clone(),
            client: sender(&System)?,
        })
    }

    /// The yes that the person has given to the same question through the same client.
    fn earlier(&self) -> Option<Consent> {
        consent::is_open(self.home, &self.session).then_some(())?;
        let print = Print::of(&self.rests, self.user.as_deref()).ok()?;
        consent::find(self.home, &self.session, &print, Some(self.client))
    }

    /// Leaves the question for the end of its call. Without it, it is only asked again.
    fn keep(&self) {
        let Ok(print) = Print::of(&self.rests, self.user.as_deref()) else {
            return;
        };
        let question = Question {
            client: self.client,
            agent: self.agent.clone(),
            subject: self.subject.clone(),
            print,
            counts_ms: self.rests.lasts.milliseconds(),
        };
        let _ = question.keep(self.home, &self.session, &self.call);
    }
}

/// What is done once the reply has been said.
fn recorded<'a>(entry: Entry, home: &'a Home, asking: Option<Asking<'a>>) -> Afterwards<'a> {
    Afterwards {
        about: "keep a record of what was stopped",
        act: Box::new(move || {
            if let Some(asking) = asking {
                asking.keep();
            }
            entry.keep(home).map(Some)
        }),
    }
}

/// The agent of a session that an event is about, where it is not the main one.
pub(super) fn agent_of(event: &Event<'_>) -> Option<String> {
    let agent = event.agent.as_ref()?;
    let name = agent.id.as_deref().or(agent.name.as_deref());
    name.map(str::to_owned)
}

/// Most calls read files, and only those that may name a key of ours are looked at.
fn is_worth_reading(tool: &Tool<'_>) -> bool {
    match tool.does {
        ToolKind::Read | ToolKind::Search => keys::may_name(tool.input.map_or("", RawValue::get)),
        _ => true,
    }
}

/// The commands that run as a text is loaded.
fn loaded<'a>(tool: &Tool<'a>, project: Option<&Path>) -> Option<Deed<'a>> {
    let (name, arguments) = tool.skill()?;
    let user = machine::user().map(|user| user.join(".claude"));
    let folders = meta::variable("CLAUDE_CONFIG_DIR")
        .map(PathBuf::from)
        .into_iter();
    let folders: Vec<PathBuf> = folders.chain(user).collect();
    skill::commands(&name, &arguments, project?, &folders).map(Deed::command)
}

/// Where a deed happens: a command may name a folder of its own.
fn folder_of(deed: &Deed<'_>, cwd: PathBuf) -> PathBuf {
    match deed {
        Deed::Command(command) => match &command.folder {
            Some(folder) => cwd.join(folder.as_ref()),
            None => cwd,
        },
        _ => cwd,
    }
}

fn caller(context: Context<'_>, tool: &Tool<'_>) -> Caller {
    let Context { event, client, .. } = context;
    let owned = |text: &Option<Cow<'_, str>>| text.as_deref().map(str::to_owned);
    Caller {
        session: owned(&event.session),
        agent: agent_of(event),
        project: crate::project_of(event, client).map(|path| path.display().to_string()),
        mode: owned(&event.permission_mode),
        tool: tool.name.clone().into_owned(),
        call: owned(&tool.use_id),
        managed: context.settings.is_managed(),
    }
}
