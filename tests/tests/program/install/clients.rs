//! Clients and settings that will surprise somebody.

use std::fs;

use anyhow::Result;
use bellwether_tests::User;
use insta::assert_snapshot;

#[test]
fn a_client_that_does_not_tell_its_version() -> Result<()> {
    let user = User::new()?;
    user.client("echo 'command not found'")?;
    assert_snapshot!(user.run(&["install"])?, @r#"
    exit 1
    bellwether: TMP/bin/claude does not tell its version; name it with --client-version, for instance --client-version 2.1.325: its answer was "command not found"
    "#);
    user.client("exec sleep 60")?;
    assert_snapshot!(user.run(&["install"])?, @"
    exit 1
    bellwether: TMP/bin/claude does not tell its version; name it with --client-version, for instance --client-version 2.1.325: it does not answer within 5 s
    ");
    user.client("echo '1.0.10 (Claude Code)'")?;
    assert_snapshot!(user.run(&["install"])?, @"
    exit 1
    bellwether: Claude Code 1.0.10 knows none of the events; update it
    ");
    assert!(!user.home.join(".claude").exists());
    // One that goes on running after it has answered is not waited for.
    user.client("echo '2.0.40 (Claude Code)'; exec sleep 60")?;
    assert_snapshot!(user.run(&["install", "--dry-run", "--only", "Stop", "--home", "/it's here"])?, @r#"
    exit 0
    --- ~/.claude/settings.json
    +++ ~/.claude/settings.json
    @@ -0,0 +1,15 @@
    +{
    +  "hooks": {
    +    "Stop": [
    +      {
    +        "hooks": [
    +          {
    +            "type": "command",
    +            "command": "DIST/bellwether-hook --client 2.0.40 --from user --home '/it'\\''s here'",
    +            "timeout": 10
    +          }
    +        ]
    +      }
    +    ]
    +  }
    +}
    "#);
    fs::remove_file(user.bin.join("claude"))?;
    assert_snapshot!(user.run(&["install", "--only", "Stop"])?, @"
    exit 0
    installed in ~/.claude/settings.json for Claude Code 2.1.325: added Stop

    New sessions of Claude Code use it at once; restart those that are open.
    See it work:   bellwether events --follow
    Undo:          bellwether uninstall
    bellwether: no `claude` was found; registering for 2.1.325, the newest version known here. For an older one name it with --client-version
    ");
    Ok(())
}

#[test]
fn an_installer_warns_of_hooks_that_will_not_be_heard_as_expected() -> Result<()> {
    let user = User::new()?;
    user.write(
        r#"{
  "disableAllHooks": true,
  "hooks": {
    "Stop": [{"matcher": "x", "hooks": [{"type": "command", "command": "/old/bellwether-hook"}]}],
    "Setup": [{"hooks": [{"type": "command", "command": "bellwether-hook; true"}]}]
  }
}"#,
    )?;
    assert_snapshot!(user.run(&["install", "--only", "Stop"])?, @"
    exit 0
    installed in ~/.claude/settings.json for Claude Code 2.1.325: updated Stop
    the file as it was before is ~/.claude/settings.json.bellwether-backup

    New sessions of Claude Code use it at once; restart those that are open.
    See it work:   bellwether events --follow
    Undo:          bellwether uninstall
    bellwether: Stop is heard only where it matches `x`, at line 4, column 41
    bellwether: Setup also has `bellwether-hook; true`, at line 5, column 26, which names bellwether-hook: its events may come twice
    bellwether: `disableAllHooks` is on in this file: Claude Code runs no hooks until you turn it off
    ");
    Ok(())
}
