//! What clients understand in settings and replies that no single event owns.

use super::version::Support;

/// Something that a version of a client may know.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Feature {
    /// Reply: a part of its own for each event, and with it a decision of allow, deny and ask.
    SpecificOutput,
    /// Reply: a message that is shown to the person.
    SystemMessage,
    /// Reply: colours in that message are shown, where it is shown in a terminal.
    Colours,
    /// Handler: a limit of time, in seconds.
    Timeout,
    /// Handler: words that are shown while the hook runs.
    StatusMessage,
    /// Handler: the client does not wait for it.
    Async,
    /// Handler: a condition.
    If,
    /// Handler: the program is started without a shell.
    ExecForm,
    /// Handler: a broken hook can be made a refusal.
    OnFailure,
    /// Payload: the event's name. Before it only the registration says which event it is.
    EventName,
    /// Payload: an agent that begins was started by the agent. Before it the client tells of helpers of its own in the same
    /// way, at the start of every session.
    OnlyStartedAgents,
    /// Settings: an event of the wrong type is dropped alone; before, the whole file is ignored.
    LoneWrongEvent,
    /// Settings: a wrong handler is dropped alone, but for the events that guard; before, the whole
    /// file is ignored.
    LoneWrongEntry,
    /// Settings: an unknown event is dropped alone; before, the whole file is ignored.
    UnknownEventInSettings,
    /// A plugin's hooks: an unknown event is dropped alone; before, all its hooks are lost.
    UnknownEventInPlugin,
    /// A plugin's hooks: a wrong event or handler is dropped alone, but for the events that guard, for which the
    /// plugin is not loaded; before, all its hooks are lost.
    LoneWrongEntryInPlugin,
    /// A plugin's hooks: code may be named instead of handlers.
    HookModules,
    /// Matcher: a comma or a space also separates names.
    MatcherList,
    /// Settings: any `$schema` is accepted.
    AnySchemaInSettings,
}

/// A kind of handler that settings may name.
#[derive(Debug, Clone, Copy)]
pub struct HandlerType {
    /// The value of `type`.
    pub name: &'static str,
    pub support: Support,
    /// The fields it cannot do without.
    pub required: &'static [&'static str],
}

/// A field of a handler whose type the client checks.
#[derive(Debug, Clone, Copy)]
pub struct FieldRule {
    pub name: &'static str,
    /// Which versions look at it; to the others it may be anything.
    pub support: Support,
    pub value: FieldType,
    /// What a version that does not know the field does instead, where a person should know.
    pub unknown: Option<&'static str>,
}

/// What a field of a handler must be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldType {
    Text,
    /// An array of strings.
    Texts,
    /// A number above 0.
    Seconds,
    /// True or false.
    Flag,
    /// What becomes of a hook that fails.
    Failure,
}

impl FieldType {
    /// The words that a text may be, where only some are known.
    pub const fn words(self) -> &'static [&'static str] {
        match self {
            Self::Failure => &["continue", "block"],
            _ => &[],
        }
    }
}

impl FieldType {
    /// What it is, for a person.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Text => "a string",
            Self::Texts => "an array of strings",
            Self::Seconds => "a number of seconds above 0",
            Self::Flag => "true or false",
            Self::Failure => "`continue` or `block`",
        }
    }
}
