//! Which event has which shape.

use serde::ser::SerializeMap;

use super::{
    elicitation::Elicitation,
    files::{ConfigChange, CwdChanged, DirectoryAdded, FileChanged, InstructionsLoaded, Worktree},
    session::{Compact, ModelSwitch, SessionEnd, SessionStart, Setup},
    shape::{Shape, Tell},
    team::{ListedTask, SubagentStart},
    tool::{ToolBatch, ToolCall, Unknown},
    turn::{MessageDisplay, Notification, Prompt, Stop, StopFailure},
};
use crate::{
    event::{Event, Kind},
    fields::Fields,
};

macro_rules! bodies {
    ($($shape:ident: $($kind:ident)|+;)+) => {
        /// What one event has beside the envelope.
        #[derive(Debug, Clone)]
        pub(super) enum Body<'a> {
            $($shape($shape<'a>),)+
            /// Nothing: the envelope says it all.
            Empty,
        }

        impl<'a> Body<'a> {
            pub(super) fn read(kind: Kind, fields: &Fields<'a>) -> Self {
                match kind {
                    $($(Kind::$kind)|+ => Self::$shape(Shape::read(fields)),)+
                    Kind::TeammateIdle => Self::Empty,
                }
            }

            pub(super) fn write<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
                match self {
                    $(Self::$shape(shape) => shape.write(map),)+
                    Self::Empty => Ok(()),
                }
            }
        }

        impl<'a> Tell<'a> for Body<'a> {
            fn tell(self, event: &mut Event<'a>) {
                match self {
                    $(Self::$shape(shape) => shape.tell(event),)+
                    Self::Empty => {}
                }
            }
        }
    };
}

// An event without a name comes from clients before 1.0.41, whose events are mostly tool calls; an
// unknown one is worth no less than its tool call either.
bodies! {
    ToolCall: PreToolUse | PostToolUse | PostToolUseFailure | PermissionRequest | PermissionDenied;
    Unknown: Other;
    ToolBatch: PostToolBatch;
    Notification: Notification;
    Prompt: UserPromptSubmit | UserPromptExpansion;
    SessionStart: SessionStart;
    SessionEnd: SessionEnd;
    Stop: Stop | SubagentStop;
    StopFailure: StopFailure;
    SubagentStart: SubagentStart;
    Compact: PreCompact | PostCompact;
    ModelSwitch: PreModelSwitch | PostModelSwitch;
    Setup: Setup;
    ListedTask: TaskCreated | TaskCompleted;
    Elicitation: Elicitation | ElicitationResult;
    ConfigChange: ConfigChange;
    Worktree: WorktreeCreate | WorktreeRemove;
    InstructionsLoaded: InstructionsLoaded;
    CwdChanged: CwdChanged;
    FileChanged: FileChanged;
    DirectoryAdded: DirectoryAdded;
    MessageDisplay: MessageDisplay;
}
