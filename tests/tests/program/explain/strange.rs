//! Events that we do not register, or that nobody knows.

use anyhow::Result;
use bellwether_tests::Installation;
use insta::assert_snapshot;

use super::asked::{given, recorded};

#[test]
#[expect(clippy::too_many_lines, reason = "it is one snapshot")]
fn an_event_that_is_not_registered() -> Result<()> {
    assert_snapshot!(recorded(&Installation::fresh()?, "WorktreeCreate", &["--client", "2.1.49"])?, @r#"
    exit 0
    {
      "event": {
        "background_tasks": [],
        "calls": [],
        "cwd": "/home/dev/proj",
        "kind": "WorktreeCreate",
        "name": "WorktreeCreate",
        "prompt_id": "83eee434-a0f9-4e5e-a053-b48efb7e0d20",
        "session": "071a7954-b209-4a07-b006-b5a084318756",
        "stop_hook_active": false,
        "title": "agent-aead54a0da052868d",
        "transcript": "/home/dev/.claude/projects/-home-dev-proj/071a7954-b209-4a07-b006-b5a084318756.jsonl"
      },
      "handlers": [
        {
          "name": "observe",
          "reply": null,
          "wants": false,
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
        "client": "2.1.49",
        "exit": 0,
        "stderr": null,
        "stdout": null
      },
      "announcement": {
        "handler": null,
        "silent": "no announcement exists for such events"
      },
      "normalised": {
        "agent_id": "071a7954-b209-4a07-b006-b5a084318756",
        "event_type": "notification",
        "payload": {
          "title": "agent-aead54a0da052868d"
        },
        "run_id": "83eee434-a0f9-4e5e-a053-b48efb7e0d20",
        "session_id": "071a7954-b209-4a07-b006-b5a084318756",
        "severity": "info",
        "source": "hook",
        "terminal_session_id": "071a7954-b209-4a07-b006-b5a084318756",
        "version": "1.1",
        "workspace_id": "proj"
      },
      "agent": {
        "after": "appearing",
        "agent_id": "071a7954-b209-4a07-b006-b5a084318756",
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
        "known_to_client": false,
        "timeout_s": null,
        "wanted_by": []
      }
    }
    "#);
    Ok(())
}

#[test]
#[expect(clippy::too_many_lines, reason = "it is one snapshot")]
fn an_event_that_nobody_knows_with_a_secret_and_an_escape() -> Result<()> {
    let event = r#"{"hook_event_name": "Tomorrow", "session_id": "s\u001b[31m", "prompt_id": "sk-ant-api03-abcdefghijklmnop0123",
        "tool_name": "Bash", "tool_input": {"password": 12345, "command": "curl -H 'Authorization: Bearer abc'"}}"#;
    assert_snapshot!(given(&Installation::fresh()?, event)?, @r#"
    exit 0
    {
      "event": {
        "background_tasks": [],
        "calls": [],
        "kind": "Other",
        "name": "Tomorrow",
        "prompt_id": "[masked]",
        "session": "s",
        "stop_hook_active": false,
        "tool": {
          "failed": false,
          "input": {
            "command": "curl -H 'Authorization: Bearer [masked]'",
            "password": "[masked]"
          },
          "interrupted": false,
          "name": "Bash"
        }
      },
      "handlers": [
        {
          "name": "observe",
          "reply": null,
          "wants": false,
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
        "stdout": null
      },
      "announcement": {
        "handler": null,
        "silent": "no announcement exists for such events"
      },
      "normalised": {
        "agent_id": "s",
        "event_type": "heartbeat",
        "payload": {
          "tool_input": {
            "command": "curl -H 'Authorization: Bearer [masked]'",
            "password": "[masked]"
          },
          "tool_name": "Bash"
        },
        "run_id": "[masked]",
        "session_id": "s",
        "severity": "debug",
        "source": "hook",
        "terminal_session_id": "s",
        "version": "1.1",
        "workspace_id": "unknown"
      },
      "agent": {
        "after": "appearing",
        "agent_id": "s",
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
        "known_to_client": false,
        "timeout_s": null,
        "wanted_by": []
      }
    }
    "#);
    Ok(())
}
