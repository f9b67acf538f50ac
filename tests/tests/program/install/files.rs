//! The settings file, from nothing and back, byte by byte.

use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
use std::path::Path;

use anyhow::Result;
use bellwether_tests::{User, trace};
use insta::assert_snapshot;
use serde_json::Value;

#[test]
fn installing_and_uninstalling_leaves_a_home_as_it_was() -> Result<()> {
    let user = User::new()?;
    let before = trace::of(&user.home)?;
    assert_snapshot!(user.run(&["install", "--only", "Stop", "--dry-run"])?, @r#"
    exit 0
    --- ~/.claude/settings.json
    +++ ~/.claude/settings.json
    @@ -0,0 +1,21 @@
    +{
    +  "hooks": {
    +    "Stop": [
    +      {
    +        "hooks": [
    +          {
    +            "type": "command",
    +            "command": "DIST/bellwether-hook",
    +            "args": [
    +              "--client",
    +              "2.1.325",
    +              "--from",
    +              "user"
    +            ],
    +            "timeout": 10
    +          }
    +        ]
    +      }
    +    ]
    +  }
    +}
    "#);
    assert_eq!(trace::of(&user.home)?, before);
    assert_snapshot!(user.run(&["install"])?, @"
    exit 0
    installed in ~/.claude/settings.json for Claude Code 2.1.325: added 30 events

    New sessions of Claude Code use it at once; restart those that are open.
    See it work:   bellwether events --follow
    Undo:          bellwether uninstall
    ");
    let mode = |path: &Path| Ok::<u32, anyhow::Error>(fs::metadata(path)?.mode() & 0o777);
    assert_eq!(
        (mode(&user.settings())?, mode(&user.home.join(".claude"))?),
        (0o600, 0o700)
    );
    let installed = trace::of(&user.home)?;
    assert_snapshot!(user.run(&["install"])?, @"
    exit 0
    already installed in ~/.claude/settings.json for Claude Code 2.1.325; nothing changed
    ");
    assert_eq!(
        trace::of(&user.home)?,
        installed,
        "a second time nothing is written"
    );
    assert_snapshot!(user.run(&["install", "--dry-run"])?, @"
    exit 0
    nothing would change in ~/.claude/settings.json
    ");
    assert_snapshot!(user.run(&["install", "--client-version", "2.1.100", "--home", "/srv/bw"])?, @"
    exit 0
    installed in ~/.claude/settings.json for Claude Code 2.1.100: updated 25 events, removed 5 events

    New sessions of Claude Code use it at once; restart those that are open.
    See it work:   bellwether events --follow
    Undo:          bellwether uninstall
    ");
    assert_snapshot!(user.run(&["install", "--only", "Stop,SessionEnd"])?, @"
    exit 0
    installed in ~/.claude/settings.json for Claude Code 2.1.325: updated 2 events, removed 23 events

    New sessions of Claude Code use it at once; restart those that are open.
    See it work:   bellwether events --follow
    Undo:          bellwether uninstall
    ");
    assert_snapshot!(user.at_terminal(&["uninstall"])?, @"
    exit 0
    uninstalled from ~/.claude/settings.json
    ");
    let names = |seen: Vec<trace::Seen>| seen.into_iter().map(|seen| seen.path).collect::<Vec<_>>();
    assert_eq!(names(trace::of(&user.home)?), names(before));
    assert_snapshot!(user.at_terminal(&["uninstall"])?, @"
    exit 0
    not installed: there is no ~/.claude/settings.json
    ");
    Ok(())
}

#[test]
fn a_file_keeps_its_bytes_mode_and_owner() -> Result<()> {
    let user = User::new()?;
    let before = "{\r\n\t\"model\": \"opus\",\r\n\t\"hooks\": {\"Stop\": [ ]}\r\n}";
    user.write(before)?;
    fs::set_permissions(user.settings(), fs::Permissions::from_mode(0o640))?;
    let is_root = fs::metadata("/proc/self")?.uid() == 0;
    if is_root {
        std::os::unix::fs::chown(user.settings(), Some(1234), Some(2345))?;
    }
    let kept = |path: &Path| -> Result<_> {
        let metadata = fs::metadata(path)?;
        Ok((metadata.mode(), metadata.uid(), metadata.gid()))
    };
    let old = kept(&user.settings())?;
    assert_snapshot!(user.run(&["install"])?, @"
    exit 0
    installed in ~/.claude/settings.json for Claude Code 2.1.325: added 30 events
    the file as it was before is ~/.claude/settings.json.bellwether-backup

    New sessions of Claude Code use it at once; restart those that are open.
    See it work:   bellwether events --follow
    Undo:          bellwether uninstall
    ");
    let backup = user.home.join(".claude/settings.json.bellwether-backup");
    assert_eq!((kept(&user.settings())?, kept(&backup)?), (old, old));
    assert_eq!(fs::read_to_string(&backup)?, before);
    let text = fs::read_to_string(user.settings())?;
    assert!(
        !text.replace("\r\n", "").contains('\n'),
        "every line ends as the others do"
    );

    user.command(&["install", "--client-version", "2.1.300"])
        .output()?;
    assert_eq!(
        fs::read_to_string(&backup)?,
        before,
        "the backup is from before the first change"
    );
    assert_snapshot!(user.at_terminal(&["uninstall"])?, @"
    exit 0
    uninstalled from ~/.claude/settings.json
    ");
    assert_eq!(fs::read_to_string(user.settings())?, before);
    assert_eq!(kept(&user.settings())?, old);
    assert!(!backup.exists());
    Ok(())
}

#[test]
fn project_and_local_settings_are_files_of_the_current_folder() -> Result<()> {
    let user = User::new()?;
    assert_snapshot!(user.run(&["install", "--project", "--only", "Stop"])?, @"
    exit 0
    installed in ~/project/.claude/settings.json for Claude Code 2.1.325: added Stop

    New sessions of Claude Code use it at once; restart those that are open.
    See it work:   bellwether events --follow
    Undo:          bellwether uninstall --project
    bellwether: this file is usually shared, but the hook's path is for this machine only; --local uses a file of your own
    ");
    assert_snapshot!(user.run(&["install", "--local", "--only", "Stop"])?, @"
    exit 0
    installed in ~/project/.claude/settings.local.json for Claude Code 2.1.325: added Stop

    New sessions of Claude Code use it at once; restart those that are open.
    See it work:   bellwether events --follow
    Undo:          bellwether uninstall --local
    bellwether: it is also installed in ~/project/.claude/settings.json: events of this project come twice
    ");
    for (name, from) in [
        ("settings.json", "project"),
        ("settings.local.json", "local"),
    ] {
        let file = user.home.join("project/.claude").join(name);
        let settings: Value = serde_json::from_slice(&fs::read(file)?)?;
        assert_eq!(settings["hooks"]["Stop"][0]["hooks"][0]["args"][3], from);
    }
    let mut elsewhere = user.command(&["install"]);
    elsewhere.env("CLAUDE_CONFIG_DIR", user.home.join("elsewhere"));
    assert!(elsewhere.output()?.status.success());
    assert!(user.home.join("elsewhere/settings.json").exists() && !user.settings().exists());
    Ok(())
}

#[test]
fn a_symlink_is_followed_when_its_target_is_named() -> Result<()> {
    let user = User::new()?;
    user.write("{}")?;
    let target = user.home.join("dotfiles.json");
    fs::rename(user.settings(), &target)?;
    symlink(&target, user.settings())?;
    assert!(
        user.run(&["install", "--settings", "../dotfiles.json"])?
            .starts_with("exit 0\n")
    );
    assert!(fs::symlink_metadata(user.settings())?.is_symlink());
    assert!(fs::read_to_string(&target)?.contains("bellwether-hook"));
    assert!(
        user.at_terminal(&["uninstall", "--settings", "../dotfiles.json"])?
            .starts_with("exit 0\n")
    );
    assert_eq!(fs::read_to_string(&target)?, "{}");
    Ok(())
}
