//! Sessions as people read them afterwards.

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, ensure};
use bellwether_tests::run::printed;
use bellwether_tests::{Installation, fixture, jsonl, process};
use serde_json::Value;

/// A person with two sessions in the client's folder, in a project.
struct Reader {
    place: Installation,
    project: PathBuf,
}

const SHOP: &str = "5c0ffee5-0f1a-4b1e-9d2c-7a11ce5ca7e5";
const SUB: &str = "da6df7c4-71d5-498a-a01d-bd54de3581bd";

impl Reader {
    fn new() -> Result<Self> {
        let place = Installation::fresh()?;
        let project = place.root().canonicalize()?.join("my.project");
        std::fs::create_dir_all(&project)?;
        let name = project.display().to_string().replace(['/', '.'], "-");
        let kept = place.client_folder().join("projects").join(name);
        for name in ["sub", "shop"] {
            let path = fixture::transcript(name)?;
            copy(path.parent().context("no folder")?, &kept)?;
            // The second one is newer.
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        Ok(Self { place, project })
    }

    fn command(&self, line: &str) -> Command {
        let mut command = self.place.cli(line.split(' '));
        command
            .env("CLAUDE_CONFIG_DIR", self.place.client_folder())
            .env("TZ", "UTC")
            .current_dir(&self.project)
            .stdin(Stdio::null());
        command
    }

    fn printed(&self, line: &str) -> Result<String> {
        printed(&mut self.command(line))
    }

    /// What is said of a command that does not work.
    fn complaint(&self, line: &str) -> Result<(Option<i32>, String)> {
        let output = self.command(line).output()?;
        ensure!(output.stdout.is_empty(), "{line} prints something");
        Ok((output.status.code(), String::from_utf8(output.stderr)?))
    }
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from)? {
        let path = entry?.path();
        let to = to.join(path.file_name().context("no name")?);
        if path.is_dir() {
            copy(&path, &to)?;
        } else {
            std::fs::write(&to, std::fs::read(&path)?)?;
        }
    }
    Ok(())
}

#[test]
fn a_session_is_named_by_its_id_its_path_or_not_at_all() -> Result<()> {
    let reader = Reader::new()?;
    for line in [
        "transcript show",
        "transcript show --last",
        "transcript show 5c0f",
    ] {
        let shown = reader.printed(line)?;
        assert!(
            shown.starts_with("Mend the flaky checkout test\n"),
            "{line}: {shown}"
        );
        assert!(
            !shown.contains('\u{1b}') && !shown.contains("hunter2"),
            "{shown}"
        );
    }
    let path = fixture::transcript("sub")?;
    assert!(
        reader
            .printed(&format!("transcript show {}", path.display()))?
            .contains("╭ Explore")
    );
    let (code, said) = reader.complaint("transcript show ffff")?;
    assert_eq!(
        (code, said.as_str()),
        (Some(1), "bellwether: no session's id begins with ffff\n")
    );
    let (code, said) = reader.complaint("transcript show /no/such.jsonl")?;
    assert!(
        code == Some(1) && said.contains("cannot read /no/such.jsonl"),
        "{said}"
    );
    let (_, said) = reader.complaint(&format!("transcript show {}", reader.project.display()))?;
    assert!(said.contains("it is no regular file"), "{said}");
    let elsewhere = reader
        .command("transcript show")
        .current_dir("/")
        .output()?;
    let said = String::from_utf8(elsewhere.stderr)?;
    assert!(
        said.contains("no session of / is kept by the client"),
        "{said}"
    );
    Ok(())
}

#[test]
fn json_has_the_overview_and_then_everything_in_order() -> Result<()> {
    let reader = Reader::new()?;
    let lines: Vec<Value> =
        jsonl::parse(&reader.printed(&format!("transcript show {SUB} --json"))?)?;
    assert_eq!(
        (&lines[0]["session"], &lines[0]["agents"]),
        (&SUB.into(), &2.into())
    );
    let items: Vec<&str> = lines[1..]
        .iter()
        .filter_map(|line| line["item"].as_str())
        .collect();
    assert_eq!(items[..4], ["turn", "prompt", "message", "words"]);
    let count = |kind: &str| items.iter().filter(|item| **item == kind).count();
    assert_eq!(
        (count("call"), count("agent")),
        (count("call_end"), count("agent_end"))
    );
    Ok(())
}

#[test]
fn exports_go_into_a_folder_with_an_index_and_replace_only_their_own() -> Result<()> {
    let reader = Reader::new()?;
    let folder = reader.project.join("kept");
    let told = reader.printed("transcript export --all --folder kept")?;
    assert_eq!(told.lines().count(), 3, "{told}");
    let names = |folder: &Path| -> Result<Vec<String>> {
        let entries = std::fs::read_dir(folder)?.collect::<Result<Vec<_>, _>>()?;
        let mut names: Vec<String> = entries
            .iter()
            .map(|entry| entry.file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        Ok(names)
    };
    let pages = [
        "2026-11-15-1932-proj-da6df7c4.html",
        "2026-11-16-0912-shop-5c0ffee5.html",
        "index.html",
    ];
    assert_eq!(names(&folder)?, pages);
    for name in pages {
        let mode = folder.join(name).metadata()?.permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{name}");
    }
    let index = std::fs::read_to_string(folder.join("index.html"))?;
    assert!(
        index.contains("./2026-11-16-0912-shop-5c0ffee5.html"),
        "{index}"
    );
    // Again, and as Markdown: the same names.
    reader.printed("transcript export --all --folder kept")?;
    reader.printed("transcript export --md --folder kept")?;
    assert_eq!(names(&folder)?.len(), 4);
    std::fs::write(reader.project.join("mine.html"), "<p>mine</p>")?;
    let (code, said) = reader.complaint("transcript export -o mine.html")?;
    assert!(
        code == Some(1) && said.contains("is no export of ours"),
        "{said}"
    );
    assert_eq!(
        std::fs::read_to_string(reader.project.join("mine.html"))?,
        "<p>mine</p>"
    );
    let (code, said) = reader.complaint("transcript export --all")?;
    assert!(
        code == Some(64) && said.contains("`--folder DIR`"),
        "{said}"
    );
    // A folder of the configuration is used when none is named.
    reader.place.configure(&format!(
        "transcripts: {{folder: {}}}\n",
        reader.project.join("auto").display()
    ))?;
    reader.printed("transcript export")?;
    assert_eq!(
        names(&reader.project.join("auto"))?,
        ["2026-11-16-0912-shop-5c0ffee5.html", "index.html"]
    );
    Ok(())
}

#[test]
fn the_person_s_own_prices_win() -> Result<()> {
    let reader = Reader::new()?;
    let cost = || -> Result<Value> {
        let lines: Vec<Value> =
            jsonl::parse(&reader.printed(&format!("transcript show {SHOP} --json"))?)?;
        Ok(lines[0]["models"][0]["cost_usd"].clone())
    };
    let usual = cost()?.as_f64().context("no cost")?;
    let free = "prices: {models: {claude-opus-5-5: {input: 0, output: 0}}}\n";
    reader.place.configure(free)?;
    assert_eq!(cost()?.as_f64(), Some(0.0));
    assert!(usual > 0.1, "{usual}");
    Ok(())
}

#[test]
fn a_long_session_is_exported_in_bounded_memory() -> Result<()> {
    let reader = Reader::new()?;
    let path = reader.project.join("long.jsonl");
    fixture::long_transcript(&path, 100 << 20)?;
    let line = format!("transcript export {} -o long.html", path.display());
    let peak = process::peak_kb(reader.command(&line).stdout(Stdio::null()))?;
    assert!(peak > 1000 && peak < 60 * 1000, "{peak} kB");
    let page = std::fs::read_to_string(reader.project.join("long.html"))?;
    let turns = page.matches("<section class=\"turn\"").count();
    assert!(turns > 200, "{turns}");
    assert_eq!(page.matches("<details class=\"call").count(), turns * 8);
    Ok(())
}

#[test]
fn a_person_who_waits_sees_how_far_it_is() -> Result<()> {
    let reader = Reader::new()?;
    let path = reader.project.join("long.jsonl");
    // Long enough for a fast machine: what ends at once shows no bar.
    fixture::long_transcript(&path, 150 << 20)?;
    let [path, page] =
        [path, reader.project.join("long.html")].map(|path| path.display().to_string());
    let words = ["transcript", "export", &path, "-o", &page];
    let output = reader.place.at_terminal(words).output()?;
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    ensure!(output.status.success(), "{said}");
    assert!(said.contains('█') && said.contains(" %"), "{said}");
    assert!(said.contains("long.html"), "{said}");
    Ok(())
}

#[test]
fn a_killed_export_leaves_the_old_file() -> Result<()> {
    let reader = Reader::new()?;
    let path = reader.project.join("long.jsonl");
    fixture::long_transcript(&path, 60 << 20)?;
    let short = fixture::transcript("shop")?;
    reader.printed(&format!(
        "transcript export {} -o page.html",
        short.display()
    ))?;
    let old = std::fs::read(reader.project.join("page.html"))?;
    let mut child = reader
        .command(&format!(
            "transcript export {} -o page.html",
            path.display()
        ))
        .stdout(Stdio::null())
        .spawn()?;
    let left = || -> Result<usize> {
        let entries = std::fs::read_dir(&reader.project)?.flatten();
        let unfinished = |name: &std::ffi::OsStr| name.to_string_lossy().ends_with("-unfinished");
        Ok(entries
            .filter(|entry| unfinished(&entry.file_name()))
            .count())
    };
    while left()? == 0 {
        ensure!(
            child.try_wait()?.is_none(),
            "it ended before it could be killed"
        );
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    child.kill()?;
    child.wait()?;
    assert!(std::fs::read(reader.project.join("page.html"))? == old);
    assert_eq!(left()?, 1);
    reader.printed(&format!(
        "transcript export {} -o other.html",
        short.display()
    ))?;
    assert_eq!(left()?, 0, "the next export tidies up");
    Ok(())
}
