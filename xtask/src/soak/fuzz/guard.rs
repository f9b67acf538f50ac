//! What the guard is fed with: damaged commands, damaged programs in other languages, and calls of tools.
//!
//! The clock of an analysis is looked at here without the thread that would end a long one: whatever goes on
//! far past its end is found, though the hook would answer in time all the same.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use bellwether_hook::guard::config::RuleChange;
use bellwether_hook::guard::timer::{LONGEST, PATIENCE, needs_thread};
use bellwether_hook::guard::{Call, Config, Judged, judge};
use bellwether_protocol::client::Client;
use bellwether_spine::Home;
use rustix::time::{ClockId, clock_gettime};
use serde_json::{Value, json};

use super::target::{Target, hold};
use crate::workspace::Workspace;

/// How much longer still than the guard itself allows may be taken by what the compiler has not made fast.
const SLOWER: u32 = if cfg!(debug_assertions) { 2 } else { 1 };
/// How late the end of an analysis may be noticed.
const GRACE: Duration = Duration::from_millis(10);

/// Where a finding becomes a row.
const ROW: &str = "a row of crates/hook/tables/guard/bounds.jsonl";

pub(super) const TARGETS: &[Target] = &[
    Target {
        name: "command",
        row: ROW,
        check: command,
    },
    Target {
        name: "script",
        row: ROW,
        check: script,
    },
    Target {
        name: "python",
        row: ROW,
        check: |folder, input| program(folder, input, "python3", "program.py"),
    },
    Target {
        name: "node",
        row: ROW,
        check: |folder, input| program(folder, input, "node", "program.js"),
    },
    Target {
        name: "perl",
        row: ROW,
        check: |folder, input| program(folder, input, "perl", "program.pl"),
    },
    Target {
        name: "makefile",
        row: ROW,
        check: makefile,
    },
    Target {
        name: "tool",
        row: "a row of crates/hook/tables/guard/files.jsonl",
        check: tool,
    },
];

/// The joints of a command, and what nests.
pub(super) const TOKENS: &[&[u8]] = &[
    b"$(",
    b")",
    b"`",
    b"\\`",
    b"${",
    b"}",
    b"$((",
    b"))",
    b"<(",
    b">(",
    b"(",
    b"{ ",
    b"; }",
    b"'",
    b"\"",
    b"$'",
    b"$\"",
    b"\\",
    b"\\\n",
    b"\n",
    b";",
    b"&",
    b"&&",
    b"||",
    b"|",
    b"|&",
    b"!",
    b" ",
    b"\t",
    b"#",
    b">",
    b">>",
    b">|",
    b"<",
    b"<<E\n",
    b"\nE\n",
    b"<<-'E'\n",
    b"<<<",
    b"2>&1",
    b"&>",
    b"{a,b}",
    b"{1..9}",
    b"{1..99999999}",
    b"*",
    b"?",
    b"[a-z]",
    b"**/",
    b"!(x)",
    b"~",
    b"~root",
    b"~+",
    b"$HOME",
    b"$@",
    b"$*",
    b"$#",
    b"$?",
    b"$IFS",
    b"${x:-",
    b"${x//a/",
    b"${!x}",
    b"${#x}",
    b"${x@P}",
    b"$x",
    b"x=",
    b"x=(a b) ",
    b"x+=",
    b"if ",
    b"; then ",
    b"; else ",
    b"; fi",
    b"for x in ",
    b"; do ",
    b"; done",
    b"while true; do ",
    b"until ",
    b"case x in x) ",
    b";; esac",
    b"f() { f|f& }; f",
    b"f() { ",
    b"function f { ",
    b"select x in ",
    b"[[ ",
    b" ]]",
    b"time ",
    b"coproc ",
    b"eval ",
    b"exec ",
    b"source ",
    b". ",
    b"bash -c '",
    b"sh -c \"",
    b"sudo ",
    b"env -S '",
    b"xargs ",
    b"find . -exec ",
    b" {} +",
    b" \\;",
    b"timeout 5 ",
    b"nohup ",
    b"ssh h ",
    b"rm -rf ",
    b"/",
    b"..",
    b"git -C ",
    b"git reset --hard ",
    b"git clean -fdx ",
    b"git push -f ",
    b"dd of=",
    b"tee ",
    b"mv ",
    b"cp ",
    b"chmod -R 777 ",
    b"curl x | ",
    b"base64 -d",
    b"alias a='",
    b"trap '",
    b"declare ",
    b"local ",
    b"export ",
    b"unset ",
    b"set -- ",
    b"shift",
    b"read x",
    b"printf '%s' ",
    b"python3 -c '",
    b"import os; os.system('",
    b"shutil.rmtree(",
    b"subprocess.run([",
    b"require('fs').rmSync(",
    b"execSync(`",
    b"\x00",
    b"\xff",
    b"\xe2\x80\xae",
    b"\xc2\xa0",
    b"-",
    b"--",
    b"=",
];

/// The rows of the tables, and tool calls for those that are none.
pub(super) fn seeds(workspace: &Workspace) -> Result<Vec<Vec<u8>>> {
    let mut seeds = Vec::new();
    let tables = workspace.root.join("crates/hook/tables/guard");
    for entry in std::fs::read_dir(&tables).with_context(|| format!("list {}", tables.display()))? {
        for line in std::fs::read_to_string(entry?.path())?.lines() {
            let row: Value = serde_json::from_str(line)?;
            let text = row["command"].as_str().map(str::to_owned);
            let input = row.get("input").map(Value::to_string);
            seeds.extend(text.or(input).map(String::into_bytes));
        }
    }
    let effects = workspace.root.join("crates/shell/tables/effects.tsv");
    for line in std::fs::read_to_string(effects)?.lines() {
        let command = line.split('\t').next().unwrap_or_default();
        seeds.push(command.replace("\\n", "\n").into_bytes());
    }
    ensure!(
        seeds.len() > 600,
        "the tables have only {} rows",
        seeds.len()
    );
    Ok(seeds)
}

/// Makes a home with a repository in it.
pub(super) fn prepare(folder: &Path) -> Result<()> {
    let project = folder.join("home/project");
    std::fs::create_dir_all(project.join("src"))?;
    std::fs::create_dir_all(folder.join("home/Documents"))?;
    std::fs::write(project.join("src/notes.txt"), "untracked\n")?;
    std::fs::write(project.join(".gitignore"), "node_modules/\n")?;
    let git = Command::new("git")
        .args(["init", "--quiet"])
        .current_dir(&project)
        .status()
        .context("run git")?;
    ensure!(git.success(), "git made no repository");
    Ok(())
}

/// A command is judged in time, and the shortcut says what the long way says.
fn command(folder: &Path, input: &[u8]) -> Result<(), String> {
    let text = String::from_utf8_lossy(input);
    let shortly = judged(
        folder,
        "Bash",
        &json!({ "command": text }),
        &Config::default(),
    )?;
    if shortly.analysis.is_none() {
        let at_length = judged(folder, "Bash", &json!({ "command": text }), &looking())?;
        let findings = &at_length.judgement.findings;
        // What is too much to be read is nothing to be asked about when no word of it matters.
        let found = findings.iter().map(|finding| finding.rule.as_str());
        let found = found.filter(|rule| *rule != "unseen");
        let found: Vec<&str> = found.collect();
        hold(
            found.is_empty(),
            &format!("is passed over, and {} is against it", found.join(", ")),
        )?;
    }
    Ok(())
}

/// The same text as a script that is run by its path.
fn script(folder: &Path, input: &[u8]) -> Result<(), String> {
    program(folder, input, "bash", "program.sh")
}

fn program(folder: &Path, input: &[u8], runner: &str, name: &str) -> Result<(), String> {
    write(&folder.join("home/project").join(name), input)?;
    run(folder, &format!("{runner} {name}"))
}

fn makefile(folder: &Path, input: &[u8]) -> Result<(), String> {
    let text = [b"all:\n\t", input].concat();
    write(&folder.join("home/project/Makefile"), &text)?;
    run(folder, "make all")
}

fn run(folder: &Path, command: &str) -> Result<(), String> {
    judged(
        folder,
        "Bash",
        &json!({ "command": command }),
        &Config::default(),
    )
    .map(drop)
}

/// Whatever a tool is called with.
fn tool(folder: &Path, input: &[u8]) -> Result<(), String> {
    let text = String::from_utf8_lossy(input);
    let as_path =
        json!({ "file_path": text, "content": text, "old_string": "a", "new_string": text });
    let given = serde_json::from_str(&text).unwrap_or(as_path);
    for tool in ["Write", "Read", "Grep", "Bash", "NobodyKnows"] {
        judged(folder, tool, &given, &Config::default())?;
    }
    Ok(())
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), String> {
    std::fs::write(path, bytes).map_err(|error| error.to_string())
}

/// Settings under which every command is looked at.
fn looking() -> Config {
    let rule = RuleChange {
        command: vec!["no-such-program".to_owned()],
        ..RuleChange::default()
    };
    Config {
        rules: BTreeMap::from([("own".to_owned(), rule)]),
        ..Config::default()
    }
}

fn judged(folder: &Path, tool: &str, input: &Value, config: &Config) -> Result<Judged, String> {
    let user = folder.join("home");
    let input = serde_json::value::to_raw_value(input).map_err(|error| error.to_string())?;
    let home = Home::find(Some(folder.join("bellwether"))).map_err(|error| error.to_string())?;
    let project = user.join("project");
    let call = Call {
        deed: &Client::default().tool(tool, Some(&input)).deed(),
        cwd: &project,
        project: Some(&project),
        home: &home,
        user: Some(&user),
        transcript: None,
    };
    let (begun, before) = (Instant::now(), worked());
    let judged = judge(&call, config);
    let (passed, work) = (begun.elapsed(), worked().saturating_sub(before));
    // A long command is judged on a thread of its own, which is left behind at its end.
    let patience = if needs_thread(&call) {
        PATIENCE * 10
    } else {
        PATIENCE
    };
    hold(work <= (patience + GRACE) * SLOWER, "works for too long")?;
    hold(passed <= (LONGEST + GRACE) * SLOWER * 3, "takes too long")?;
    Ok(judged)
}

/// How long this thread has worked.
fn worked() -> Duration {
    let now = clock_gettime(ClockId::ThreadCPUTime);
    let seconds = u64::try_from(now.tv_sec).unwrap_or_default();
    Duration::new(seconds, u32::try_from(now.tv_nsec).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_target_keeps_its_word_on_undamaged_commands() {
        let folder = tempfile::tempdir().unwrap();
        prepare(folder.path()).unwrap();
        for target in TARGETS {
            for input in [
                "ls",
                "rm -rf ~",
                "import shutil; shutil.rmtree('/')",
                "{}",
                "",
            ] {
                let kept = (target.check)(folder.path(), input.as_bytes());
                assert_eq!(kept, Ok(()), "{} {input}", target.name);
            }
        }
    }
}
