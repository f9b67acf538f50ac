//! What a session is made of, in the order in which it is shown. Every text is masked, sanitised and bounded.

use bellwether_prices::{Cost, Tokens};
use serde::Serialize;

use crate::call::Call;
use crate::image::Image;

/// One thing of a session. What begins is ended by its own word, and what comes in between stands inside.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "item", rename_all = "snake_case")]
pub enum Item {
    /// A turn begins; the one before it has ended.
    Turn(Turn),
    Prompt(Prompt),
    /// A message of the agent begins.
    Message(MessageHead),
    /// Words of that message, in Markdown.
    Words(Words),
    /// Thoughts, in Markdown.
    Thinking(Words),
    Image(Image),
    /// A call of a tool begins: what it is given, and what came of it.
    Call(Box<Call>),
    CallEnd,
    /// A subagent begins.
    Agent(AgentHead),
    AgentEnd,
    Note(Note),
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Words {
    pub text: String,
}

/// From one prompt to the next.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Turn {
    /// Counted from one.
    pub number: usize,
    pub at_ms: Option<u64>,
    pub duration_ms: Option<u64>,
    /// The beginning of its prompt, on one line.
    pub title: String,
    pub calls: usize,
    /// How many calls have failed.
    pub failures: usize,
    /// How many calls the guard stopped.
    pub stops: usize,
    /// The person went back to before it, and the conversation went on without it.
    #[serde(rename = "rewound")]
    pub is_rewound: bool,
    /// With those of its subagents.
    pub tokens: Tokens,
    pub cost: Cost,
}

/// What the agent was told.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Prompt {
    pub at_ms: Option<u64>,
    pub from: PromptFrom,
    pub text: String,
    pub images: Vec<Image>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PromptFrom {
    Person,
    /// The person, by a command of the client.
    Command,
    /// The client, of a task in the background.
    Task,
    /// The agent that started this one.
    Agent,
}

/// Whose a message is, and what it has used.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MessageHead {
    pub at_ms: Option<u64>,
    pub model: String,
    pub tokens: Tokens,
    /// `None` for a model without a price.
    pub cost_usd: Option<f64>,
}

/// A subagent.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct AgentHead {
    pub id: String,
    /// Its type, as the client calls it.
    pub kind: String,
    /// What it is for, in a few words.
    pub about: String,
    pub at_ms: Option<u64>,
    pub duration_ms: Option<u64>,
    pub calls: usize,
    pub tokens: Tokens,
    pub cost: Cost,
}

/// Something that is neither said nor done by an agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Note {
    pub at_ms: Option<u64>,
    pub kind: NoteKind,
    /// In a line.
    pub text: String,
    /// What else there is to it.
    pub detail: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum NoteKind {
    /// The client said something to the person.
    Client,
    /// The person gave the client a command.
    Command,
    /// The person ran a command in a shell.
    Shell,
    Compacted,
    Interrupted,
    /// The API has failed.
    Failed,
    /// A hook did not let the turn end.
    Hook,
    /// The guard stopped something that stands nowhere else.
    Guard,
    /// Something cannot be shown.
    LeftOut,
}
