//! Voices as people hear them: the words are there, and a service that fails is followed by the next voice.

use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use bellwether_audio::voice::{Chain, EngineName, Keys, Line, Settings};
use bellwether_audio::{AudioError, Clip, Source, Stop};
use bellwether_tests::fake_cloud::{FakeCloud, Mood};
use bellwether_tests::recogniser::Recogniser;

use super::spoken::{LINE, PATIENCE, PLANTED, hear, keys, settings};

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
fn a_recogniser_hears_the_words_of_every_voice() -> Result<()> {
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
