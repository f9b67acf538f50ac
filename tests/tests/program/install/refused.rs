//! Files, disks and callers that are refused, and left as they are.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;

use anyhow::Result;
use bellwether_tests::{User, namespace, trace};
use insta::assert_snapshot;

/// Each row makes a file that must be left alone, and says so.
#[test]
fn hostile_files_are_left_as_they_are() -> Result<()> {
    let mut report = String::new();
    let wrong_type = r#"{
  "hooks": {
    "PreToolUse": [{"hooks": [{"type": "command", "command": "lint", "timeout": "5"}]}]
  }
}"#;
    let large = format!("{{\"a\": \"{}\"}}", "x".repeat(10_000_000));
    let contents: [(&str, &[u8]); 9] = [
        ("not JSON", b"{\n  \"model\": \"opus\",\n}\n"),
        ("half a file", b"{\"model\": \"op"),
        ("not an object", b"[]"),
        ("hooks of a wrong type", b"{\"hooks\": \"none\"}"),
        ("a wrong entry", wrong_type.as_bytes()),
        ("hooks twice", b"{\"hooks\": {}, \"hooks\": {}}"),
        ("10 MB", large.as_bytes()),
        ("a byte order mark", b"\xef\xbb\xbf{}"),
        ("not UTF-8", b"{\"name\": \"M\xfcller\"}"),
    ];
    for (name, content) in contents {
        let user = User::new()?;
        user.write(content)?;
        report += &refused(name, &user)?;
    }

    let user = User::new()?;
    user.write("{}")?;
    fs::set_permissions(user.settings(), fs::Permissions::from_mode(0o444))?;
    report += &refused("a read-only file", &user)?;

    let user = User::new()?;
    fs::create_dir(user.home.join(".claude"))?;
    fs::set_permissions(user.home.join(".claude"), fs::Permissions::from_mode(0o555))?;
    report += &refused("a read-only folder", &user)?;
    fs::set_permissions(user.home.join(".claude"), fs::Permissions::from_mode(0o755))?;

    let user = User::new()?;
    fs::create_dir_all(user.settings())?;
    report += &refused("a folder", &user)?;

    let user = User::new()?;
    user.write("{}")?;
    fs::rename(user.settings(), user.home.join("dotfiles.json"))?;
    symlink("../dotfiles.json", user.settings())?;
    report += &refused("a symlink", &user)?;

    let user = User::new()?;
    fs::create_dir(user.home.join(".claude"))?;
    symlink("nowhere", user.settings())?;
    report += &refused("a symlink to nothing", &user)?;

    let user = User::new()?;
    fs::write(user.home.join(".claude"), "")?;
    report += &refused("a file for a folder", &user)?;
    assert_snapshot!(report, @r#"
    not JSON
      ~/.claude/settings.json is left as it is: it is not valid JSON: line 3, column 1: a comma stands before a closing brace
    half a file
      ~/.claude/settings.json is left as it is: it is not valid JSON: line 1, column 11: a string has no closing quote
    not an object
      ~/.claude/settings.json is left as it is: Claude Code 2.1.325 ignores this whole file until it is corrected:
      line 1, column 1: the settings are an array, not an object
    hooks of a wrong type
      ~/.claude/settings.json is left as it is: Claude Code 2.1.325 ignores this whole file until it is corrected:
      line 1, column 11: `hooks` is a string, not an object
    a wrong entry
      ~/.claude/settings.json is left as it is: Claude Code 2.1.325 ignores this whole file until it is corrected:
      line 3, column 81: `timeout` is "5", not a number of seconds above 0
    hooks twice
      ~/.claude/settings.json is left as it is: `hooks` is there twice, and Claude Code sees only the last, at line 1, column 15; make one of them
    10 MB
      ~/.claude/settings.json has 10000009 bytes; settings have a few thousand, so this is left alone
    a byte order mark
      ~/.claude/settings.json is left as it is: it is not valid JSON: line 1, column 1: a byte order mark stands before the JSON; save the file without it
    not UTF-8
      ~/.claude/settings.json is not UTF-8: byte 11 cannot be read
    a read-only file
      ~/.claude/settings.json is read-only; allow writing with: chmod u+w '~/.claude/settings.json'
    a read-only folder
      ~/.claude is read-only; allow writing with: chmod u+w '~/.claude'
    a folder
      ~/.claude/settings.json is not a regular file
    a symlink
      ~/.claude/settings.json is a symlink, which is not replaced; to change the file it points to, add: --settings '~/dotfiles.json'
    a symlink to nothing
      ~/.claude/settings.json is a symlink, which is not replaced; to change the file it points to, add: --settings '~/.claude/nowhere'
    a file for a folder
      cannot create ~/.claude: File exists (os error 17)
    "#);
    Ok(())
}

fn refused(name: &str, user: &User) -> Result<String> {
    let before = trace::of(&user.home)?;
    let shown = user.run(&["install"])?;
    assert!(shown.starts_with("exit 1\n"), "{name}: {shown}");
    assert_eq!(trace::of(&user.home)?, before, "{name}");
    let dry = user.run(&["install", "--dry-run"])?;
    assert_eq!(trace::of(&user.home)?, before, "{name}");
    let read_only = name.starts_with("a read-only");
    assert!(read_only || dry.starts_with("exit 1\n"), "{name}: {dry}");
    Ok(shown.replacen("exit 1\nbellwether: ", &format!("{name}\n  "), 1))
}

/// A disk that takes no writes, where even root is told so.
#[test]
fn a_read_only_disk_is_told() -> Result<()> {
    let user = User::new()?;
    user.write("{}")?;
    let script = format!(
        "mount --bind '{0}' '{0}' && mount -o remount,bind,ro '{0}' && exec '{1}' install",
        user.home.join(".claude").display(),
        user.programs.main().display()
    );
    let mut command = namespace::mounting(Path::new("/bin/sh"))?;
    command
        .args(["-c", &script])
        .env("HOME", &user.home)
        .current_dir(&user.home);
    assert_snapshot!(user.shown(command)?, @"
    exit 1
    bellwether: no `claude` was found; registering for 2.1.325, the newest version known here. For an older one name it with --client-version
    bellwether: cannot create ~/.claude/settings.json.bellwether-new: Read-only file system (os error 30)
    ");
    assert_eq!(fs::read_to_string(user.settings())?, "{}");
    Ok(())
}

/// An agent may not free itself of the hooks; a person at a terminal may.
#[test]
fn an_agent_cannot_take_hooks_away() -> Result<()> {
    let user = User::new()?;
    let as_agent = |words: &[&str]| {
        let mut command = user.command(words);
        command.env("CLAUDECODE", "1");
        user.shown(command)
    };
    assert!(
        as_agent(&["install"])?.starts_with("exit 0\n"),
        "adding does no harm"
    );
    let before = trace::of(&user.home)?;
    for (words, refused) in [
        (
            &["install", "--only", "Stop"][..],
            "changing hooks that are registered",
        ),
        (
            &["install", "--home", "/tmp/away"],
            "changing hooks that are registered",
        ),
        (&["uninstall"], "uninstalling"),
    ] {
        let said = as_agent(words)?;
        let expected = format!("exit 1\nbellwether: {refused} is for a person, not for an agent: ");
        assert!(said.starts_with(&expected), "{said}");
        assert!(said.contains("has CLAUDECODE"), "{said}");
    }
    assert_snapshot!(user.run(&["uninstall"])?, @"
    exit 1
    bellwether: uninstalling needs a person at a terminal, and stdin is not a terminal. Run it in one
    ");
    assert!(
        as_agent(&["uninstall", "--dry-run"])?.starts_with("exit 0\n"),
        "looking does no harm"
    );
    assert_eq!(trace::of(&user.home)?, before);
    Ok(())
}
