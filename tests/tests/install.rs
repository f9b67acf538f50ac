//! Installing and uninstalling as people meet it: what is printed, what becomes of the file, and
//! that the real client then runs our hook.

use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use bellwether_hook::handlers::registrations;
use bellwether_tests::{Headless, Home, Programs, client, env, namespace, processes, scenarios};
use insta::assert_snapshot;
use serde_json::Value;

const RIG: &str = env!("CARGO_BIN_EXE_rig");

/// Somebody with a home, a project, and a `claude` that tells its version.
struct User {
    home: PathBuf,
    bin: PathBuf,
    programs: Programs,
    folder: tempfile::TempDir,
}

impl User {
    fn new() -> Result<Self> {
        let folder = tempfile::Builder::new().prefix("bw").tempdir()?;
        let home = folder.path().join("home");
        fs::create_dir_all(home.join("project"))?;
        Self::at(home, folder)
    }

    /// The user of a home that the real client runs in.
    fn of(home: &Home) -> Result<Self> {
        Self::at(home.dir(), tempfile::tempdir()?)
    }

    fn at(home: PathBuf, folder: tempfile::TempDir) -> Result<Self> {
        let user = Self {
            home,
            bin: folder.path().join("bin"),
            programs: Programs::built()?,
            folder,
        };
        fs::create_dir(&user.bin)?;
        user.client(&format!("echo '{} (Claude Code)'", client::CLIENT_VERSION))?;
        Ok(user)
    }

    /// Replaces `claude` by a script.
    fn client(&self, script: &str) -> Result<()> {
        let file = self.bin.join("claude");
        fs::write(&file, format!("#!/bin/sh\n{script}\n"))?;
        Ok(fs::set_permissions(
            &file,
            fs::Permissions::from_mode(0o755),
        )?)
    }

    fn settings(&self) -> PathBuf {
        self.home.join(".claude/settings.json")
    }

    fn write(&self, content: impl AsRef<[u8]>) -> Result<()> {
        fs::create_dir_all(self.home.join(".claude"))?;
        Ok(fs::write(self.settings(), content)?)
    }

    fn command(&self, words: &[&str]) -> Command {
        self.started(Command::new(self.programs.main()), words)
    }

    fn started(&self, mut command: Command, words: &[&str]) -> Command {
        command
            .args(words)
            .env_clear()
            .env("HOME", &self.home)
            .env(
                "PATH",
                format!("{}:{}", self.bin.display(), env::SYSTEM_PATH),
            )
            .current_dir(self.home.join("project"))
            .stdin(Stdio::null());
        command
    }

    /// Exit code, stdout and stderr, with the folders of this run taken out.
    fn shown(&self, mut command: Command) -> Result<String> {
        let output = command.output()?;
        let text = format!(
            "exit {}\n{}{}",
            output.status.code().unwrap_or(-1),
            String::from_utf8(output.stdout)?,
            String::from_utf8(output.stderr)?
        );
        let hook = self.programs.hook().canonicalize()?;
        let programs = hook.parent().context("a program is in a folder")?;
        Ok(text
            .replace('\r', "")
            .replace(&self.home.display().to_string(), "~")
            .replace(&self.folder.path().display().to_string(), "TMP")
            .replace(&programs.display().to_string(), "DIST"))
    }

    fn run(&self, words: &[&str]) -> Result<String> {
        self.shown(self.command(words))
    }

    /// Runs a command in a terminal, as a person does.
    fn at_terminal(&self, words: &[&str]) -> Result<String> {
        let line = format!("'{}' {}", self.programs.main().display(), words.join(" "));
        self.shown(self.started(Command::new("script"), &["-qec", &line, "/dev/null"]))
    }

    fn installed(&self) -> Result<()> {
        let output = self.command(&["install"]).output()?;
        ensure!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        Ok(())
    }
}

impl Drop for User {
    fn drop(&mut self) {
        processes::end_all(&self.home);
    }
}

/// A file or folder as it was seen: what tells one version of it from another.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Seen {
    path: PathBuf,
    inode: u64,
    modified: (i64, i64),
    content: Vec<u8>,
}

fn photograph(folder: &Path) -> Result<Vec<Seen>> {
    let mut seen = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            let metadata = fs::symlink_metadata(&path)?;
            if metadata.is_dir() {
                folders.push(path.clone());
            }
            seen.push(Seen {
                inode: metadata.ino(),
                modified: (metadata.mtime(), metadata.mtime_nsec()),
                content: if metadata.is_file() {
                    fs::read(&path)?
                } else {
                    Vec::new()
                },
                path,
            });
        }
    }
    seen.sort();
    Ok(seen)
}

#[test]
fn a_session_of_the_real_client_is_heard_until_it_is_uninstalled() -> Result<()> {
    let home = Home::fresh(RIG)?;
    let user = User::of(&home)?;
    let before = fs::read(user.settings())?;
    user.installed()?;
    play(&home)?;
    let heard = stored(&user)?;
    let wanted: Vec<&str> = registrations()
        .iter()
        .map(|wanted| wanted.kind.as_str())
        .collect();
    let recorded = home.recorded()?;
    let recorded = recorded
        .iter()
        .filter(|record| wanted.contains(&record.event()));
    assert_eq!(
        heard.len(),
        recorded.count(),
        "what a recorder saw beside us"
    );
    let meta = &heard[0]["meta"];
    assert_eq!(
        (&meta["from"], &meta["client_version"]),
        (&"user".into(), &client::CLIENT_VERSION.into())
    );

    assert!(
        user.at_terminal(&["uninstall", "--state"])?
            .starts_with("exit 0\n")
    );
    assert_eq!(fs::read(user.settings())?, before);
    assert!(!user.home.join(".local/state/bellwether").exists());
    play(&home)?;
    assert_eq!(stored(&user)?.len(), 0);
    Ok(())
}

fn play(home: &Home) -> Result<()> {
    let outcome = Headless::new(home)
        .scenario(scenarios::one_bash())
        .args(["--allowedTools", "Bash"])
        .run()?;
    ensure!(outcome.status.success(), "{}", outcome.stderr);
    Ok(())
}

fn stored(user: &User) -> Result<Vec<Value>> {
    let output = user
        .command(&["events", "--json", "--limit", "0"])
        .output()?;
    let lines = String::from_utf8(output.stdout)?;
    Ok(lines
        .lines()
        .map(serde_json::from_str)
        .collect::<Result<_, _>>()?)
}

#[test]
fn from_nothing_and_back_to_nothing() -> Result<()> {
    let user = User::new()?;
    let before = photograph(&user.home)?;
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
    assert_eq!(photograph(&user.home)?, before);
    assert_snapshot!(user.run(&["install"])?, @"
    exit 0
    installed in ~/.claude/settings.json for Claude Code 2.1.325: added 30 events

    Work as always: new sessions are heard at once, open ones once they are restarted.
    See it work:   bellwether events --follow
    Undo:          bellwether uninstall
    ");
    let mode = |path: &Path| Ok::<u32, anyhow::Error>(fs::metadata(path)?.mode() & 0o777);
    assert_eq!(
        (mode(&user.settings())?, mode(&user.home.join(".claude"))?),
        (0o600, 0o700)
    );
    let installed = photograph(&user.home)?;
    assert_snapshot!(user.run(&["install"])?, @"
    exit 0
    already installed in ~/.claude/settings.json for Claude Code 2.1.325; nothing changed
    ");
    assert_eq!(
        photograph(&user.home)?,
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

    Work as always: new sessions are heard at once, open ones once they are restarted.
    See it work:   bellwether events --follow
    Undo:          bellwether uninstall
    ");
    assert_snapshot!(user.run(&["install", "--only", "Stop,SessionEnd"])?, @"
    exit 0
    installed in ~/.claude/settings.json for Claude Code 2.1.325: updated 2 events, removed 23 events

    Work as always: new sessions are heard at once, open ones once they are restarted.
    See it work:   bellwether events --follow
    Undo:          bellwether uninstall
    ");
    assert_snapshot!(user.at_terminal(&["uninstall"])?, @"
    exit 0
    uninstalled from ~/.claude/settings.json
    ");
    let names = |seen: Vec<Seen>| seen.into_iter().map(|seen| seen.path).collect::<Vec<_>>();
    assert_eq!(names(photograph(&user.home)?), names(before));
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

    Work as always: new sessions are heard at once, open ones once they are restarted.
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

    Work as always: new sessions are heard at once, open ones once they are restarted.
    See it work:   bellwether events --follow
    Undo:          bellwether uninstall --project
    bellwether: this file is usually shared, and the hook's path is that of this machine; --local keeps it to yourself
    ");
    assert_snapshot!(user.run(&["install", "--local", "--only", "Stop"])?, @"
    exit 0
    installed in ~/project/.claude/settings.local.json for Claude Code 2.1.325: added Stop

    Work as always: new sessions are heard at once, open ones once they are restarted.
    See it work:   bellwether events --follow
    Undo:          bellwether uninstall --local
    bellwether: it is installed in ~/project/.claude/settings.json too: in this project events come twice
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
    let before = photograph(&user.home)?;
    let shown = user.run(&["install"])?;
    assert!(shown.starts_with("exit 1\n"), "{name}: {shown}");
    assert_eq!(photograph(&user.home)?, before, "{name}");
    let dry = user.run(&["install", "--dry-run"])?;
    assert_eq!(photograph(&user.home)?, before, "{name}");
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

/// Killed at any moment, the file is the old or the new one, and the next install is none the worse.
#[test]
fn a_killed_installer_leaves_the_old_file_or_the_new_one() -> Result<()> {
    /// How many times the kill is to come too late before every moment has been tried.
    const TOO_LATE: u32 = 10;
    let user = User::new()?;
    let old = format!("{{\n  \"filler\": \"{}\"\n}}\n", "x".repeat(2 << 20)).into_bytes();
    user.write(&old)?;
    // `--client-version`: what is to be killed is the writing, not the asking.
    let install = || {
        let mut command = user.command(&["install", "--client-version", client::CLIENT_VERSION]);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        command
    };
    let begun = Instant::now();
    assert!(install().status()?.success());
    let step = begun.elapsed() / 100;
    let new = fs::read(user.settings())?;
    let (mut olds, mut news, mut wait) = (0, 0, Duration::ZERO);
    // Where other tests have the machine now, an installer takes longer than it took before.
    while news < TOO_LATE {
        user.write(&old)?;
        let mut child = install().spawn()?;
        std::thread::sleep(wait);
        child.kill()?;
        child.wait()?;
        let found = fs::read(user.settings())?;
        assert!(
            found == old || found == new,
            "{} bytes after {wait:?}",
            found.len()
        );
        if found == old {
            olds += 1;
        } else {
            news += 1;
        }
        wait += step + wait / 50;
    }
    assert!(olds > 0, "it was never killed in time");
    user.write(&old)?;
    user.installed()?;
    assert!(user.at_terminal(&["uninstall"])?.starts_with("exit 0\n"));
    assert_eq!(fs::read(user.settings())?, old);
    assert_eq!(
        fs::read_dir(user.home.join(".claude"))?.count(),
        1,
        "nothing is left beside it"
    );
    Ok(())
}

#[test]
fn many_installers_at_once_write_one_good_file() -> Result<()> {
    let user = User::new()?;
    user.write("{\"a\": 1}")?;
    let children: Vec<_> = (0..12)
        .map(|_| user.command(&["install"]).stdout(Stdio::null()).spawn())
        .collect::<Result<_, _>>()?;
    for mut child in children {
        assert!(child.wait()?.success());
    }
    let settings: Value = serde_json::from_slice(&fs::read(user.settings())?)?;
    let stop = &settings["hooks"]["Stop"];
    assert_eq!(stop.as_array().map(Vec::len), Some(1), "{stop}");
    assert!(user.at_terminal(&["uninstall"])?.starts_with("exit 0\n"));
    assert_eq!(fs::read_to_string(user.settings())?, "{\"a\": 1}");
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
    let before = photograph(&user.home)?;
    assert_snapshot!(as_agent(&["install", "--only", "Stop"])?, @"
    exit 1
    bellwether: changing hooks that are registered is for a person, not for an agent
    ");
    assert_snapshot!(as_agent(&["install", "--home", "/tmp/away"])?, @"
    exit 1
    bellwether: changing hooks that are registered is for a person, not for an agent
    ");
    assert_snapshot!(as_agent(&["uninstall"])?, @"
    exit 1
    bellwether: uninstalling is for a person, not for an agent
    ");
    assert_snapshot!(user.run(&["uninstall"])?, @"
    exit 1
    bellwether: uninstalling is for a person at a terminal, and stdin is none
    ");
    assert!(
        as_agent(&["uninstall", "--dry-run"])?.starts_with("exit 0\n"),
        "looking does no harm"
    );
    assert_eq!(photograph(&user.home)?, before);
    Ok(())
}

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

    Work as always: new sessions are heard at once, open ones once they are restarted.
    See it work:   bellwether events --follow
    Undo:          bellwether uninstall
    bellwether: no `claude` was found; registering for 2.1.325, the newest version known here. For an older one name it with --client-version
    ");
    Ok(())
}

#[test]
fn what_will_surprise_is_told() -> Result<()> {
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

    Work as always: new sessions are heard at once, open ones once they are restarted.
    See it work:   bellwether events --follow
    Undo:          bellwether uninstall
    bellwether: Stop is heard only where it matches `x`, at line 4, column 41
    bellwether: Setup also has `bellwether-hook; true`, at line 5, column 26, which names bellwether-hook: its events may come twice
    bellwether: `disableAllHooks` is on in this file: nothing will be heard until it is off
    ");
    Ok(())
}

/// What we refuse to install into is what the client does not read, and nothing else.
#[test]
fn a_refused_file_is_one_that_the_client_drops() -> Result<()> {
    // A byte order mark is not among these: the client reads past it, and we leave such a file alone.
    for (content, verdict) in [
        (r#"{"hooks": {"SessionStart": RECORDER}}"#, Verdict::Taken),
        (
            r#"{"hooks": {"SessionStart": RECORDER, "PreToolUse": [{"hooks": [LATE]}]}}"#,
            Verdict::Refused,
        ),
        (
            r#"{"hooks": {"SessionStart": RECORDER, "Setup": [{"hooks": [LATE]}]}}"#,
            Verdict::Taken,
        ),
        (
            r#"{"hooks": {"SessionStart": RECORDER, "PreToolUse": 5}}"#,
            Verdict::Refused,
        ),
        (
            r#"{"hooks": {"SessionStart": RECORDER, "FileChanged": 5}}"#,
            Verdict::Taken,
        ),
        (
            r#"{"hooks": {"SessionStart": RECORDER, "Halt": {"PreToolUse": []}}}"#,
            Verdict::Taken,
        ),
        (
            r#"{"hooks": {"SessionStart": RECORDER, "Halt": [{"PreToolUse": RECORDER}]}}"#,
            Verdict::Refused,
        ),
        (
            r#"{"hooks": {"SessionStart": RECORDER}, "$schema": 5}"#,
            Verdict::Refused,
        ),
        (
            r#"{"hooks": {"SessionStart": RECORDER}, "$schema": "x"}"#,
            Verdict::Taken,
        ),
        (
            r#"{"hooks": {"SessionStart": RECORDER}, }"#,
            Verdict::Refused,
        ),
        (
            "{\"hooks\": {\"SessionStart\": RECORDER} // why\n}",
            Verdict::Refused,
        ),
    ] {
        compare_with_the_client(content, verdict)?;
    }
    Ok(())
}

/// The same for single fields, under an event whose mistakes cost the whole file.
#[test]
fn a_refused_field_is_one_that_the_client_rejects() -> Result<()> {
    for (fields, verdict) in [
        (r#""timeout": 0"#, Verdict::Refused),
        (r#""timeout": 0.5"#, Verdict::Taken),
        (r#""args": "a""#, Verdict::Refused),
        (r#""async": "yes""#, Verdict::Refused),
        (r#""once": "yes""#, Verdict::Refused),
        (r#""if": 5"#, Verdict::Refused),
        (r#""statusMessage": 5"#, Verdict::Refused),
        (r#""onFailure": 5"#, Verdict::Refused),
        (r#""unknown": 5"#, Verdict::Taken),
    ] {
        let handler = format!(r#"{{"type": "command", "command": "true", {fields}}}"#);
        let content = format!(
            r#"{{"hooks": {{"SessionStart": RECORDER, "PreToolUse": [{{"hooks": [{handler}]}}]}}}}"#
        );
        compare_with_the_client(&content, verdict)?;
    }
    Ok(())
}

/// What becomes of a settings file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Taken,
    Refused,
}

/// Lets the client read a file with a recorder in it, and us install into it.
fn compare_with_the_client(content: &str, expected: Verdict) -> Result<()> {
    let verdict = |taken| {
        if taken {
            Verdict::Taken
        } else {
            Verdict::Refused
        }
    };
    let home = Home::fresh(RIG)?;
    let user = User::of(&home)?;
    let settings: Value = serde_json::from_slice(&fs::read(user.settings())?)?;
    let recorder = settings["hooks"]["SessionStart"].to_string();
    let late = r#"{"type": "command", "command": "true", "timeout": "5"}"#;
    user.write(content.replace("RECORDER", &recorder).replace("LATE", late))?;
    play(&home)?;
    let clients = verdict(!home.recorded()?.is_empty());
    assert_eq!(clients, expected, "the client: {content}");
    let ours = verdict(user.command(&["install"]).output()?.status.success());
    assert_eq!(ours, expected, "we: {content}");
    Ok(())
}

#[test]
fn completions_and_manual_are_written() -> Result<()> {
    let user = User::new()?;
    for shell in ["bash", "zsh", "fish"] {
        let script = user.run(&["completions", shell])?;
        assert!(
            script.starts_with("exit 0\n") && script.contains("uninstall"),
            "{shell}"
        );
    }
    assert!(user.run(&["man"])?.contains(".TH bellwether 1"));
    assert_eq!(user.run(&["man", "--into", "man1"])?, "exit 0\n");
    let pages = fs::read_dir(user.home.join("project/man1"))?.count();
    assert!(pages > 5, "{pages} pages");
    Ok(())
}

/// Nothing that takes seconds stands between a person and the prompt.
#[test]
fn it_takes_a_moment() -> Result<()> {
    let user = User::new()?;
    let begun = Instant::now();
    user.installed()?;
    assert!(
        begun.elapsed() < Duration::from_secs(2),
        "{:?}",
        begun.elapsed()
    );
    Ok(())
}

/// `./install`, but for the building: a folder with everything in its place, and none of it left
/// when it is removed.
#[test]
fn the_script_puts_everything_in_place_and_takes_it_away() -> Result<()> {
    let user = User::new()?;
    let script = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../install")
        .canonicalize()?;
    let programs = user.programs.main().canonicalize()?;
    let programs = programs.parent().context("a program is in a folder")?;
    let prefix = user.home.join("pre fix");
    let words = [
        "--prefix",
        &prefix.display().to_string(),
        "--from",
        &programs.display().to_string(),
    ];
    let shown = user.shown(user.started(Command::new(&script), &words))?;
    assert!(shown.starts_with("exit 0\n"), "{shown}");
    assert!(
        shown.contains("~/pre fix/bin is not on your PATH"),
        "{shown}"
    );
    let settings: Value = serde_json::from_slice(&fs::read(user.settings())?)?;
    let hook = &settings["hooks"]["Stop"][0]["hooks"][0]["command"];
    assert_eq!(
        *hook,
        prefix.join("bin/bellwether-hook").display().to_string()
    );
    for file in [
        "bin/bellwether",
        "share/man/man1/bellwether.1",
        "share/man/man1/bellwether-install.1",
        "share/bash-completion/completions/bellwether",
        "share/zsh/site-functions/_bellwether",
        "share/fish/vendor_completions.d/bellwether.fish",
    ] {
        assert!(prefix.join(file).is_file(), "{file}: {shown}");
    }
    let remove = format!(
        "'{}' --remove --state --prefix '{}'",
        script.display(),
        prefix.display()
    );
    let shown =
        user.shown(user.started(Command::new("script"), &["-qec", &remove, "/dev/null"]))?;
    assert!(shown.starts_with("exit 0\n"), "{shown}");
    assert!(!user.home.join(".local/state/bellwether").exists());
    let left = photograph(&prefix)?;
    let files: Vec<_> = left.iter().filter(|seen| seen.path.is_file()).collect();
    assert!(files.is_empty() && !user.settings().exists(), "{files:?}");
    Ok(())
}
