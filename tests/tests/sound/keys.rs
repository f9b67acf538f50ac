//! Keys of services: seen by nobody, and a person's own. What `say` and `voices` tell whoever has none.

use std::path::Path;

use anyhow::{Context as _, Result, bail, ensure};
use bellwether_tests::fake_cloud::{FakeCloud, Mood};
use bellwether_tests::{Installation, wait};

use super::spoken::{LINE, PATIENCE, PLANTED};

/// An installation with a key and a service that fails, or works.
fn installed(mood: Mood) -> Result<(Installation, FakeCloud)> {
    let (installation, cloud) = (Installation::fresh()?, FakeCloud::start(mood)?);
    let home = installation.home();
    std::fs::create_dir_all(home.config())?;
    let config = format!(
        "voice:\n  chain: [elevenlabs, embedded]\n  elevenlabs:\n    base_url: {}\n    voice: v1\n",
        cloud.url()
    );
    std::fs::write(home.config_file(), config)?;
    let keys = format!("{{\"ELEVENLABS_API_KEY\": \"{PLANTED}\"}}");
    bellwether_spine::place::replace_private(&home.keys(), keys.as_bytes())?;
    Ok((installation, cloud))
}

#[test]
fn a_key_is_nowhere_but_in_its_file_and_on_the_wire() -> Result<()> {
    for mood in [Mood::Good, Mood::WrongKey, Mood::Cut, Mood::Slow] {
        let (installation, cloud) = installed(mood)?;
        let out = installation.root().join("out.wav").display().to_string();
        let running = installation.cli(["say", LINE, "--out", &out]).spawn()?;
        let asked = wait::until(PATIENCE, || Ok((!cloud.seen().is_empty()).then_some(())))?;
        asked.context("the service was not asked")?;
        assert!(!is_in_process_list(PLANTED)?, "{mood:?}: ps shows the key");
        let output = running.wait_with_output()?;
        let told = [output.stdout, output.stderr].concat();
        let told = String::from_utf8_lossy(&told);
        ensure!(output.status.success(), "{mood:?}: {told}");
        let speaker = if mood == Mood::Good {
            "elevenlabs"
        } else {
            "embedded"
        };
        assert!(
            told.contains(&format!("spoken by {speaker}")),
            "{mood:?}: {told}"
        );
        assert_eq!(cloud.seen()[0].key.as_deref(), Some(PLANTED));
        for words in [
            &["voices", "list"][..],
            &["doctor"],
            &["config", "show"],
            &["status"],
        ] {
            let output = installation.cli(words.iter().copied()).output()?;
            let said = [output.stdout, output.stderr].concat();
            assert!(
                !String::from_utf8_lossy(&said).contains(PLANTED),
                "{words:?}"
            );
        }
        assert!(!told.contains(PLANTED), "{mood:?}: {told}");
        let keys = installation.home().keys();
        without(installation.root(), PLANTED, &keys)?;
    }
    Ok(())
}

/// Every process's command line and, of our own, nothing else: an environment is its owner's.
fn is_in_process_list(key: &str) -> Result<bool> {
    for entry in std::fs::read_dir("/proc")?.flatten() {
        let line = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
        if String::from_utf8_lossy(&line).contains(key) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Complains of a file that has a text in it.
fn without(folder: &Path, text: &str, but: &Path) -> Result<()> {
    for entry in std::fs::read_dir(folder)?.flatten() {
        let path = entry.path();
        if path.is_dir() {
            without(&path, text, but)?;
        } else if path != but && path.is_file() {
            let content = std::fs::read(&path)?;
            if String::from_utf8_lossy(&content).contains(text) {
                bail!("{} has the key", path.display());
            }
        }
    }
    Ok(())
}

/// A key in the environment counts for a person, and not for what an agent starts: a project can set
/// variables for that.
#[test]
fn keys_of_the_environment_are_a_person_s() -> Result<()> {
    let (installation, cloud) = installed(Mood::Good)?;
    std::fs::remove_file(installation.home().keys())?;
    let out = installation.root().join("out.wav").display().to_string();
    let say = |agent: bool| -> Result<String> {
        let mut command = installation.cli(["say", LINE, "--out", &out]);
        command.env("ELEVENLABS_API_KEY", "from-the-environment");
        if agent {
            command.env("CLAUDECODE", "1");
        }
        Ok(String::from_utf8(command.output()?.stderr)?)
    };
    assert!(say(true)?.contains("spoken by embedded"));
    assert!(cloud.seen().is_empty());
    assert!(say(false)?.contains("spoken by elevenlabs"));
    assert_eq!(cloud.seen()[0].key.as_deref(), Some("from-the-environment"));
    Ok(())
}

/// Who has a key and no voice yet can see which there are.
#[test]
fn the_voices_of_an_account_are_listed() -> Result<()> {
    let (installation, cloud) = installed(Mood::Good)?;
    let config = std::fs::read_to_string(installation.home().config_file())?;
    let unnamed = config.replace("    voice: v1\n", "");
    std::fs::write(installation.home().config_file(), unnamed)?;
    let output = installation.cli(["voices", "list"]).output()?;
    let said = String::from_utf8(output.stdout)?;
    assert!(
        said.contains("no voice is named") && said.contains("v1 (Test)"),
        "{said}"
    );
    assert_eq!(cloud.seen()[0].path, "/v1/voices");
    let output = installation.cli(["voices", "list", "--json"]).output()?;
    let rows: serde_json::Value = serde_json::from_slice(&output.stdout)?;
    assert_eq!(rows[0]["engine"], "elevenlabs");
    assert_eq!(
        (&rows[0]["usable"], &rows[0]["voices"][0]["name"]),
        (&false.into(), &"v1".into())
    );
    assert_eq!(rows[1]["engine"], "embedded");
    assert_eq!(rows[1]["voices"].as_array().map(Vec::len), Some(6));
    Ok(())
}

#[test]
fn say_and_voices_tell_what_is_wrong_with_a_command() -> Result<()> {
    let installation = Installation::fresh()?;
    for (words, told) in [
        (&["say", " "][..], "nothing to say"),
        (&["say", "x", "--volume", "2"], "between 0.0 and 1.0"),
        (&["say", "x", "--voice", "piper"], "voice.piper.models"),
        (
            &["say", "Готово", "--voice", "embedded"],
            "no voice speaks ru",
        ),
        (
            &["say", "x", "--out", "/nonexistent/x.wav"],
            "cannot write /nonexistent/x.wav",
        ),
        (
            &["voices", "test", "nobody", "--silent"],
            "no engine or voice nobody",
        ),
    ] {
        let output = installation.cli(words.iter().copied()).output()?;
        let said = String::from_utf8([output.stdout, output.stderr].concat())?;
        // What makes no sense is a matter of usage.
        let misused = ["nothing to say", "between 0.0", "no engine or voice"];
        let is_misused = misused.iter().any(|why| told.starts_with(why));
        let code = if is_misused { 64 } else { 1 };
        assert_eq!(output.status.code(), Some(code), "{words:?}: {said}");
        assert!(said.contains(told), "{words:?}: {said}");
    }
    Ok(())
}
