//! Voices as people hear them: the words are there, a service that fails is followed by the next
//! voice, and no key is seen by anybody.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail, ensure};
use bellwether_audio::voice::engines::{elevenlabs, openai};
use bellwether_audio::voice::{Chain, EngineName, Keys, Line, Settings};
use bellwether_audio::{AudioError, Clip, Secret, Source, Stop};
use bellwether_tests::fake_cloud::{FakeCloud, Mood};
use bellwether_tests::recogniser::Recogniser;
use bellwether_tests::{Installation, Programs, wait};

/// A key that is looked for everywhere.
const PLANTED: &str = "planted-key-4711-0815-planted";
/// Ten times as long as anything here takes.
const PATIENCE: Duration = Duration::from_secs(10);
const LINE: &str = "The build is green, and nobody is waiting for you.";

fn keys() -> Keys {
    Keys {
        elevenlabs: Secret::new(PLANTED),
        openai: Secret::new(PLANTED),
        anthropic: None,
    }
}

/// A service at an address, and the embedded voice behind it.
fn settings(engine: EngineName, url: &str) -> Settings {
    let mut settings = Settings {
        chain: vec![engine, EngineName::Embedded],
        ..Settings::default()
    };
    settings.elevenlabs = elevenlabs::Config {
        base_url: url.to_owned(),
        voice: "voice/../1".to_owned(),
        ..elevenlabs::Config::default()
    };
    settings.openai = openai::Config {
        base_url: url.to_owned(),
        model: "some-model".to_owned(),
        ..openai::Config::default()
    };
    settings
}

fn whole(source: &mut dyn Source) -> Result<Clip, AudioError> {
    let mut samples = Vec::new();
    while let Some(more) = source.next()? {
        samples.extend(more);
    }
    Ok(Clip {
        format: source.format(),
        samples,
    })
}

/// What was heard of a line.
struct Heard {
    engine: &'static str,
    clip: Clip,
    /// From the last that was heard of whoever failed, to the first sound of whoever did not.
    waited: Duration,
    troubles: Vec<String>,
}

/// Hears a line to its end, whoever says it.
fn hear(chain: &Chain, line: &Line) -> Result<Heard> {
    let mut last = Instant::now();
    let mut spoken = chain.speak(line, &Stop::default())?;
    let mut troubles = Vec::new();
    loop {
        let waited = last.elapsed();
        troubles.append(&mut spoken.troubles);
        let mut samples = Vec::new();
        let broken = loop {
            match spoken.source.next() {
                Ok(Some(more)) => samples.extend(more),
                Ok(None) => break None,
                Err(error) => break Some(error),
            }
            last = Instant::now();
        };
        let Some(error) = broken else {
            let format = spoken.source.format();
            return Ok(Heard {
                engine: spoken.engine,
                clip: Clip { format, samples },
                waited,
                troubles,
            });
        };
        troubles.push(error.to_string());
        spoken = chain.after(spoken.engine, line, &Stop::default())?;
    }
}

#[test]
fn a_good_service_speaks_in_pieces_and_is_asked_rightly() -> Result<()> {
    for engine in [EngineName::Elevenlabs, EngineName::Openai] {
        let cloud = FakeCloud::start(Mood::Good)?;
        let chain = Chain::new(&settings(engine, &cloud.url()), &keys(), None);
        let mut spoken = chain.speak(&Line::new(LINE, 200), &Stop::default())?;
        let came_back = Instant::now();
        assert_eq!(spoken.engine, engine.as_str());
        let after = came_back - cloud.first_chunk().context("nothing was sent")?;
        println!("{engine}: first samples {after:?} after the first chunk");
        assert!(after < PATIENCE / 20, "{after:?}");
        let clip = whole(spoken.source.as_mut())?;
        assert_eq!(clip.duration(), Duration::from_secs(1));
        let seen = cloud.seen().pop().context("nothing was asked")?;
        assert_eq!(seen.key.as_deref(), Some(PLANTED));
        if engine == EngineName::Elevenlabs {
            let path = "/v1/text-to-speech/voice%2F%2E%2E%2F1/stream?output_format=pcm_22050";
            assert_eq!(seen.path, path);
            assert_eq!(seen.body["text"], LINE);
            assert_eq!(seen.body["model_id"], serde_json::Value::Null);
        } else {
            assert_eq!(seen.path, "/v1/audio/speech");
            assert_eq!(seen.body["input"], LINE);
            assert_eq!(seen.body["model"], "some-model");
            assert_eq!(seen.body["response_format"], "wav");
        }
    }
    Ok(())
}

#[test]
fn the_next_voice_says_the_same_line_whatever_happens_to_the_first() -> Result<()> {
    let plain = Settings {
        chain: vec![EngineName::Embedded],
        ..Settings::default()
    };
    let line = Line::new(LINE, 200);
    let expected = hear(&Chain::new(&plain, &keys(), None), &line)?.clip;
    for engine in [EngineName::Elevenlabs, EngineName::Openai] {
        let moods = [
            Mood::WrongKey,
            Mood::Busy,
            Mood::NoCredit,
            Mood::Slow,
            Mood::Cut,
            Mood::Stalls,
            Mood::Garbage,
            Mood::Page,
            Mood::Elsewhere,
            Mood::Broken,
        ];
        for mood in moods {
            let cloud = FakeCloud::start(mood)?;
            follows(
                &format!("{engine} {mood:?}"),
                &settings(engine, &cloud.url()),
                &line,
                &expected,
            )?;
            assert_eq!(cloud.seen().len(), 1, "{mood:?} was asked again at once");
        }
        let cloud = FakeCloud::start(Mood::Good)?;
        follows(
            "no tls",
            &settings(engine, &cloud.tls_url()),
            &line,
            &expected,
        )?;
        follows(
            "refused",
            &settings(engine, &FakeCloud::nowhere()?),
            &line,
            &expected,
        )?;
    }
    Ok(())
}

/// The embedded voice says the whole line, the failure is told once, and no key is in what is told.
fn follows(what: &str, settings: &Settings, line: &Line, expected: &Clip) -> Result<()> {
    let chain = Chain::new(settings, &keys(), None);
    let heard = hear(&chain, line)?;
    println!(
        "{what}: the next voice after {:?}: {:?}",
        heard.waited, heard.troubles
    );
    assert_eq!(heard.engine, "embedded", "{what}");
    assert_eq!(&heard.clip, expected, "{what}");
    assert!(heard.waited < PATIENCE, "{what}: {:?}", heard.waited);
    assert_eq!(heard.troubles.len(), 1, "{what}");
    assert!(
        !heard.troubles[0].contains("4711"),
        "{what}: {:?}",
        heard.troubles
    );
    let again = hear(&chain, line)?;
    assert_eq!(
        (again.engine, again.troubles.len()),
        ("embedded", 0),
        "{what}"
    );
    Ok(())
}

#[test]
fn a_thousand_characters_are_made_in_time() -> Result<()> {
    let text = LINE.repeat(20);
    for engine in [EngineName::Embedded, EngineName::System] {
        let settings = Settings {
            chain: vec![engine],
            ..Settings::default()
        };
        let chain = Chain::new(&settings, &Keys::default(), None);
        assert!(
            chain.is_configured(),
            "{engine} is not installed; `./test` does that"
        );
        let began = Instant::now();
        let heard = hear(&chain, &Line::new(&text[..999], 200))?;
        println!(
            "{engine}: {:?} for {:?}",
            began.elapsed(),
            heard.clip.duration()
        );
        assert!(
            began.elapsed() < Duration::from_secs(5),
            "{engine}: {:?}",
            began.elapsed()
        );
        assert!(heard.clip.duration() > Duration::from_secs(20));
    }
    Ok(())
}

/// What an announcement may say, and what sounds much like it.
const SENTENCES: [&str; 6] = [
    "The build is green and all tests have passed.",
    "The build is broken and two tests have failed.",
    "Claude is waiting for your answer.",
    "Claude has finished the task.",
    "Approve the command to delete the folder?",
    "Approve the command to read the file?",
];

#[test]
fn the_words_are_heard() -> Result<()> {
    let recogniser = Recogniser::installed()?;
    for (engine, rates) in [
        (EngineName::Embedded, [140, 350]),
        (EngineName::System, [140, 200]),
    ] {
        let settings = Settings {
            chain: vec![engine],
            ..Settings::default()
        };
        let chain = Chain::new(&settings, &Keys::default(), None);
        if !chain.is_configured() {
            println!("{engine} is not installed");
            continue;
        }
        for (sentence, rate) in SENTENCES.iter().zip(rates.into_iter().cycle()) {
            let heard = hear(&chain, &Line::new(*sentence, rate))?;
            let told = recogniser.hear(&heard.clip, &SENTENCES)?;
            assert_eq!(told, *sentence, "{engine} at {rate}");
        }
    }
    Ok(())
}

/// An installation with a key and a service that fails, or works.
fn installed(mood: Mood) -> Result<(Installation, FakeCloud)> {
    let (installation, cloud) = (
        Installation::new(&Programs::built()?)?,
        FakeCloud::start(mood)?,
    );
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
fn errors_say_what_to_do() -> Result<()> {
    let installation = Installation::new(&Programs::built()?)?;
    for (words, told) in [
        (&["say", " "][..], "nothing to say"),
        (&["say", "x", "--volume", "2"], "from 0.0 to 1.0"),
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
            "no engine and no voice is called nobody",
        ),
    ] {
        let output = installation.cli(words.iter().copied()).output()?;
        let said = String::from_utf8([output.stdout, output.stderr].concat())?;
        assert_eq!(output.status.code(), Some(1), "{words:?}: {said}");
        assert!(said.contains(told), "{words:?}: {said}");
    }
    Ok(())
}
