//! `explain`: what would be done with an event, and that nothing is.

use std::io::Write as _;
use std::process::{Output, Stdio};

use anyhow::{Context as _, Result};
use bellwether_spine::trouble::Troubles;
use bellwether_tests::{Installation, Programs, trace};
use insta::assert_snapshot;

const PAYLOADS: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../crates/protocol/fixtures/payloads"
);

fn installation() -> Result<Installation> {
    Installation::new(&Programs::built()?)
}

fn recorded(place: &Installation, name: &str, words: &[&str]) -> Result<String> {
    let file = format!("{PAYLOADS}/{name}.json");
    let words = ["explain", &file].into_iter().chain(words.iter().copied());
    shown(&place.cli(words).output()?)
}

/// Explains what comes on stdin.
fn given(place: &Installation, text: &str) -> Result<String> {
    let mut command = place.cli(["explain"]);
    let mut child = command.stdin(Stdio::piped()).spawn()?;
    let mut stdin = child.stdin.take().context("stdin is piped")?;
    stdin.write_all(text.as_bytes())?;
    drop(stdin);
    shown(&child.wait_with_output()?)
}

/// Exit code, stdout and stderr, without the size of a record, which depends on the environment.
fn shown(output: &Output) -> Result<String> {
    let (stdout, stderr) = (
        std::str::from_utf8(&output.stdout)?,
        std::str::from_utf8(&output.stderr)?,
    );
    let lines = stdout
        .lines()
        .map(|line| match line.split_once("\"bytes\": ") {
            Some((before, _)) => format!("{before}\"bytes\": #,"),
            None => line.to_owned(),
        });
    let code = output.status.code().context("it was killed")?;
    let said = lines.collect::<Vec<_>>().join("\n");
    Ok(format!("exit {code}\n{said}\n{stderr}"))
}

#[test]
#[expect(clippy::too_many_lines, reason = "it is one snapshot")]
fn a_tool_call_of_a_subagent() -> Result<()> {
    assert_snapshot!(recorded(&installation()?, "PreToolUse-Bash-in-subagent", &[])?, @r#"
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
        }
      ],
      "guard": {
        "allowed": 0,
        "analysis": null,
        "findings": [],
        "judges": true,
        "mode": "loss",
        "verdict": "silent"
      },
      "reply": {
        "client": "2.1.325",
        "exit": 0,
        "stderr": null,
        "stdout": null
      },
      "announcement": {
        "handler": null,
        "silent": "no announcement is about such events"
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
        "timeout_s": 10,
        "wanted_by": [
          "observe",
          "guard"
        ]
      }
    }
    "#);
    Ok(())
}

#[test]
fn a_trouble_that_would_be_told() -> Result<()> {
    let place = installation()?;
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
        }
      ],
      "guard": {
        "judges": false
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
        "silent": "its announcement is switched off"
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
          "troubles"
        ]
      }
    }
    "#);
    // A client that cannot show it is told nothing.
    let older = recorded(&place, "SessionStart-startup", &["--client", "1.0.62"])?;
    assert!(older.contains("\"stdout\": null"), "{older}");
    Ok(())
}

#[test]
fn an_event_that_is_not_registered() -> Result<()> {
    assert_snapshot!(recorded(&installation()?, "WorktreeCreate", &["--client", "2.1.49"])?, @r#"
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
        }
      ],
      "guard": {
        "judges": false
      },
      "reply": {
        "client": "2.1.49",
        "exit": 0,
        "stderr": null,
        "stdout": null
      },
      "announcement": {
        "handler": null,
        "silent": "no announcement is about such events"
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
    assert_snapshot!(given(&installation()?, event)?, @r#"
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
        }
      ],
      "guard": {
        "judges": false
      },
      "reply": {
        "client": "2.1.325",
        "exit": 0,
        "stderr": null,
        "stdout": null
      },
      "announcement": {
        "handler": null,
        "silent": "no announcement is about such events"
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

#[test]
fn what_is_no_event_is_said_with_its_place() -> Result<()> {
    let place = installation()?;
    assert_snapshot!(given(&place, "{\"a\": 1,\n  'b': 2}")?, @"
    exit 1

    bellwether: stdin: not a JSON object: key must be a string at line 2 column 3
    ");
    assert_snapshot!(given(&place, "[1, 2]")?, @"
    exit 1

    bellwether: stdin: not a JSON object: invalid type: sequence, expected an object at line 1 column 0
    ");
    assert_snapshot!(given(&place, "")?, @"
    exit 1

    bellwether: stdin: not a JSON object: EOF while parsing a value at line 1 column 0
    ");
    assert_snapshot!(shown(&place.cli(["explain", "/no/such/file"]).output()?)?, @"
    exit 1

    bellwether: /no/such/file: No such file or directory (os error 2)
    ");
    assert_snapshot!(shown(&place.cli(["explain", "--client", "new"]).output()?)?, @"
    exit 64

    error: invalid value 'new' for '--client <VERSION>': give three numbers, for instance 2.1.139

    For more information, try '--help'.
    ");
    Ok(())
}

#[test]
fn what_is_nested_too_deep_to_be_shown_is_still_explained() -> Result<()> {
    let deep = format!("{}{}", "[".repeat(10_000), "]".repeat(10_000));
    let event =
        format!(r#"{{"hook_event_name":"PreToolUse","tool_name":"x","tool_input":{deep}}}"#);
    let said = given(&installation()?, &event)?;
    assert!(said.starts_with("exit 0\n"), "{said}");
    assert!(
        said.contains("recursion limit exceeded") && said.contains("\"wanted_by\""),
        "{said}"
    );
    Ok(())
}

#[test]
fn no_explanation_leaves_a_trace() -> Result<()> {
    let place = installation()?;
    Troubles(place.home()).note("disk", "the disk is full")?;
    let before = trace::of(place.root())?;
    for name in [
        "SessionStart-startup",
        "UserPromptSubmit",
        "PreToolUse-Write",
        "Stop",
        "TeammateIdle-in-subagent-teammate",
    ] {
        recorded(&place, name, &[])?;
    }
    given(&place, "no event")?;
    assert_eq!(trace::of(place.root())?, before);
    assert!(place.daemons()?.is_empty());
    assert_eq!(
        Troubles(place.home())
            .untold("855cf6ed-e06b-402f-8cd5-e8716e9b9770")
            .len(),
        1
    );
    Ok(())
}
