//! Events that a client sends every day.

use anyhow::Result;
use bellwether_spine::trouble::Troubles;
use bellwether_tests::Installation;
use insta::assert_snapshot;

use super::asked::recorded;

#[test]
#[expect(clippy::too_many_lines, reason = "it is one snapshot")]
fn a_tool_call_of_a_subagent() -> Result<()> {
    assert_snapshot!(recorded(&Installation::fresh()?, "PreToolUse-Bash-in-subagent", &[])?, @r#"
    exit 0
    {
      "event": {
        "agent": {
          "id": "afc65fe2408dda1ea",
          "kind": "general-purpose"
        },
        "background_tasks": [],
        "calls": [],
        "cwd": "/home/dev/proj",
        "effort": "medium",
        "kind": "PreToolUse",
        "name": "PreToolUse",
        "permission_mode": "acceptEdits",
        "prompt_id": "2eb35388-2fa0-46c7-bb3a-477a6f673b3f",
        "session": "da6df7c4-71d5-498a-a01d-bd54de3581bd",
        "stop_hook_active": false,
        "tool": {
          "failed": false,
          "input": {
            "command": "ls | wc -l",
            "description": "Count"
          },
          "interrupted": false,
          "name": "Bash",
          "use_id": "toolu_b90d60d1e4a647819e286c89"
        },
        "transcript": "/home/dev/.claude/projects/-home-dev-proj/da6df7c4-71d5-498a-a01d-bd54de3581bd.jsonl"
      },
      "handlers": [
        {
          "name": "observe",
          "reply": {},
          "wants": true,
          "would": null
        },
        {
          "name": "guard",
          "reply": {},
          "wants": true,
          "would": null
        },
        {
          "name": "consent",
          "reply": null,
          "wants": false,
          "would": null
        },
        {
          "name": "gate",
          "reply": {},
          "wants": true,
          "would": null
        },
        {
          "name": "format",
          "reply": null,
          "wants": false,
          "would": null
        },
        {
          "name": "session",
          "reply": null,
          "wants": false,
          "would": null
        },
        {
          "name": "workflow",
          "reply": null,
          "wants": false,
          "would": null
        },
        {
          "name": "page",
          "reply": null,
          "wants": false,
          "would": null
        },
        {
          "name": "troubles",
          "reply": null,
          "wants": false,
          "would": null
        },
        {
          "name": "notices",
          "reply": null,
          "wants": false,
          "would": null
        }
      ],
      "guard": {
        "after_a_yes": null,
        "allowed": 0,
        "analysis": null,
        "findings": [],
        "judges": true,
        "mode": "loss",
        "verdict": "silent"
      },
      "gate": {
        "commits": []
      },
      "format": {
        "because": "no file was changed",
        "formats": false
      },
      "reply": {
        "client": "2.1.325",
        "exit": 0,
        "stderr": null,
        "stdout": null
      },
      "announcement": {
        "handler": null,
        "silent": "no announcement exists for such events"
      },
      "normalised": {
        "agent_id": "afc65fe2408dda1ea",
        "event_type": "tool_started",
        "payload": {
          "tool_input": {
            "command": "ls | wc -l",
            "description": "Count"
          },
          "tool_name": "Bash",
          "tool_use_id": "toolu_b90d60d1e4a647819e286c89"
        },
        "run_id": "2eb35388-2fa0-46c7-bb3a-477a6f673b3f",
        "session_id": "da6df7c4-71d5-498a-a01d-bd54de3581bd",
        "severity": "info",
        "source": "hook",
        "terminal_session_id": "da6df7c4-71d5-498a-a01d-bd54de3581bd",
        "version": "1.1",
        "workspace_id": "proj"
      },
      "agent": {
        "after": "appearing",
        "agent_id": "afc65fe2408dda1ea",
        "role": "subagent",
        "tells": [
          "mascot://agent-appeared"
        ],
        "then": "working"
      },
      "journal": {
        "bytes": #,
        "keep": "if_room"
      },
      "registered": {
        "known_to_client": true,
        "timeout_s": 60,
        "wanted_by": [
          "observe",
          "guard",
          "gate"
        ]
      }
    }
    "#);
    Ok(())
}

#[test]
#[expect(clippy::too_many_lines, reason = "it is one snapshot")]
fn a_trouble_that_would_be_told() -> Result<()> {
    let place = Installation::fresh()?;
    Troubles(place.home()).note("disk", "the disk is full, TOKEN=abc")?;
    assert_snapshot!(recorded(&place, "SessionStart-startup", &["--client", "2.1.325"])?, @r#"
    exit 0
    {
      "event": {
        "background_tasks": [],
        "calls": [],
        "cwd": "/home/dev/proj",
        "detail": "startup",
        "kind": "SessionStart",
        "name": "SessionStart",
        "session": "855cf6ed-e06b-402f-8cd5-e8716e9b9770",
        "stop_hook_active": false,
        "transcript": "/home/dev/.claude/projects/-home-dev-proj/855cf6ed-e06b-402f-8cd5-e8716e9b9770.jsonl"
      },
      "handlers": [
        {
          "name": "observe",
          "reply": {},
          "wants": true,
          "would": null
        },
        {
          "name": "guard",
          "reply": null,
          "wants": false,
          "would": null
        },
        {
          "name": "consent",
          "reply": null,
          "wants": false,
          "would": null
        },
        {
          "name": "gate",
          "reply": null,
          "wants": false,
          "would": null
        },
        {
          "name": "format",
          "reply": null,
          "wants": false,
          "would": null
        },
        {
          "name": "session",
          "reply": {},
          "wants": true,
          "would": null
        },
        {
          "name": "workflow",
          "reply": null,
          "wants": false,
          "would": null
        },
        {
          "name": "page",
          "reply": null,
          "wants": false,
          "would": null
        },
        {
          "name": "troubles",
          "reply": {
            "message": "bellwether: the disk is full, TOKEN=[masked]"
          },
          "wants": true,
          "would": "remember that this session was told"
        },
        {
          "name": "notices",
          "reply": {},
          "wants": true,
          "would": null
        }
      ],
      "guard": {
        "judges": false
      },
      "gate": {
        "commits": []
      },
      "format": {
        "because": "no file was changed",
        "formats": false
      },
      "reply": {
        "client": "2.1.325",
        "exit": 0,
        "stderr": null,
        "stdout": {
          "systemMessage": "bellwether: the disk is full, TOKEN=[masked]"
        }
      },
      "announcement": {
        "handler": "session_start",
        "silent": "its announcement is off"
      },
      "normalised": {
        "agent_id": "855cf6ed-e06b-402f-8cd5-e8716e9b9770",
        "event_type": "agent_started",
        "payload": {
          "agent_type": "",
          "prompt_preview": "",
          "source": "startup"
        },
        "session_id": "855cf6ed-e06b-402f-8cd5-e8716e9b9770",
        "severity": "info",
        "source": "hook",
        "terminal_session_id": "855cf6ed-e06b-402f-8cd5-e8716e9b9770",
        "version": "1.1",
        "workspace_id": "proj"
      },
      "agent": {
        "after": "appearing",
        "agent_id": "855cf6ed-e06b-402f-8cd5-e8716e9b9770",
        "role": "main",
        "tells": [
          "mascot://agent-appeared"
        ],
        "then": "idle"
      },
      "journal": {
        "bytes": #,
        "keep": "if_room"
      },
      "registered": {
        "known_to_client": true,
        "timeout_s": 10,
        "wanted_by": [
          "observe",
          "session",
          "troubles",
          "notices"
        ]
      }
    }
    "#);
    // A client that cannot show it is told nothing.
    let older = recorded(&place, "SessionStart-startup", &["--client", "1.0.62"])?;
    assert!(older.contains("\"stdout\": null"), "{older}");
    Ok(())
}
