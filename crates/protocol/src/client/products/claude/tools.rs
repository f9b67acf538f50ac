//! The client's tools, and what each of them does.

use crate::client::Tools;
use crate::event::ToolKind;

pub(super) const TOOLS: Tools = Tools {
    listed: &[
        (ToolKind::Command, &["Bash", "Monitor", "PowerShell"]),
        (
            ToolKind::Change,
            &[
                "Edit",
                "Write",
                "MultiEdit",
                "NotebookEdit",
                "Update",
                "Create",
            ],
        ),
        (ToolKind::Read, &["Read"]),
        (ToolKind::Search, &["Grep"]),
        (ToolKind::Question, &["AskUserQuestion"]),
        (ToolKind::Plan, &["ExitPlanMode"]),
        (ToolKind::TaskNew, &["TaskCreate"]),
        (ToolKind::TaskMove, &["TaskUpdate"]),
        (ToolKind::TaskBoard, &["TodoWrite"]),
        (ToolKind::AgentStart, &["Agent", "Task"]),
        (ToolKind::Message, &["SendMessage"]),
        (ToolKind::Skill, &["Skill", "SlashCommand"]),
        (
            ToolKind::Lookup,
            &[
                "Glob",
                "LS",
                "NotebookRead",
                "WebFetch",
                "WebSearch",
                "ToolSearch",
            ],
        ),
        (ToolKind::Output, &["BashOutput", "TaskOutput"]),
        (
            ToolKind::Other,
            &[
                "TaskGet",
                "TaskList",
                "TaskStop",
                "KillShell",
                "EnterPlanMode",
            ],
        ),
    ],
    mcp: "mcp__",
    folders: &[],
};
