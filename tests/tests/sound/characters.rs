//! Characters: a service rewrites in time or not at all, and sees nothing that it should not.

use std::time::{Duration, Instant};

use anyhow::Result;
use bellwether_audio::Secret;
use bellwether_audio::character::{self, Character, How, Settings, Way};
use bellwether_audio::voice::Keys;
use bellwether_tests::Installation;
use bellwether_tests::fake_cloud::{FakeCloud, Mood};

use super::spoken::PLANTED;

const LINE: &str = "The build of src/main.rs took 3.5 seconds.";
const GUARD: Duration = Duration::from_secs(10);

fn somebody(way: Way, url: &str) -> Result<Character> {
    let mut settings = Settings {
        rewrite: way,
        ..Settings::default()
    };
    for service in [&mut settings.anthropic, &mut settings.openai] {
        url.clone_into(&mut service.base_url);
        "some-model".clone_into(&mut service.model);
    }
    let keys = Keys {
        elevenlabs: None,
        openai: Secret::new(PLANTED),
        anthropic: Secret::new(PLANTED),
    };
    let profile = character::find("/nonexistent".as_ref(), "toad")?;
    Ok(Character::new(profile, &settings, &keys))
}

#[test]
fn a_service_rewrites_and_sees_no_technical_text() -> Result<()> {
    for (way, path) in [
        (Way::Anthropic, "/v1/messages"),
        (Way::Openai, "/v1/chat/completions"),
    ] {
        let cloud = FakeCloud::start(Mood::Good)?;
        let toad = somebody(way, &cloud.url())?;
        let rewritten = toad.rewrite(LINE);
        assert_eq!(rewritten.how, How::Service, "{rewritten:?}");
        assert_eq!(rewritten.text, format!("Arr, {LINE}"));
        let seen = &cloud.seen()[0];
        assert_eq!(
            (seen.path.as_str(), seen.key.as_deref()),
            (path, Some(PLANTED))
        );
        assert_eq!(seen.body["model"], "some-model");
        assert_eq!(seen.version.is_some(), way == Way::Anthropic);
        let sent = seen.body.to_string();
        assert!(!sent.contains("main.rs") && !sent.contains("3.5"), "{sent}");
        assert!(
            sent.contains("damp stone"),
            "the profile's own prompt: {sent}"
        );
        assert_eq!(toad.rewrite(LINE).how, How::Service);
        assert_eq!(cloud.seen().len(), 1, "the same line is not asked twice");
    }
    Ok(())
}

#[test]
fn whatever_goes_wrong_the_plain_line_is_told_in_time() -> Result<()> {
    for way in [Way::Anthropic, Way::Openai] {
        for mood in [
            Mood::Slow,
            Mood::WrongKey,
            Mood::Busy,
            Mood::NoCredit,
            Mood::Garbage,
            Mood::Page,
            Mood::Elsewhere,
            Mood::Forgetful,
            Mood::Broken,
        ] {
            let cloud = FakeCloud::start(mood)?;
            let toad = somebody(way, &cloud.url())?;
            let began = Instant::now();
            let rewritten = toad.rewrite(LINE);
            println!(
                "{way:?} {mood:?}: {:?} {:?}",
                began.elapsed(),
                rewritten.how
            );
            assert_eq!(rewritten.text, LINE, "{mood:?}");
            assert!(began.elapsed() < GUARD, "{mood:?}");
            let How::Plain(reason) = rewritten.how else {
                panic!("{mood:?}: {:?}", rewritten.how);
            };
            assert!(!reason.contains(PLANTED), "{mood:?}: {reason}");
        }
        let nobody = somebody(way, &FakeCloud::nowhere()?)?;
        assert_eq!(nobody.rewrite(LINE).text, LINE);
    }
    Ok(())
}

#[test]
fn secrets_and_long_lines_do_not_leave() -> Result<()> {
    let cloud = FakeCloud::start(Mood::Good)?;
    let toad = somebody(Way::Anthropic, &cloud.url())?;
    let long = "word ".repeat(600);
    assert_eq!(toad.rewrite(&long).text, long);
    assert!(cloud.seen().is_empty());
    toad.rewrite("The token is sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789, keep it");
    let sent = cloud.seen()[0].body.to_string();
    assert!(!sent.contains("abcdefghijklmnop"), "{sent}");
    Ok(())
}

#[test]
fn the_command_line_lists_shows_and_tries() -> Result<()> {
    let installation = Installation::fresh()?;
    let run = |words: &[&str]| -> Result<(Option<i32>, String)> {
        let output = installation.cli(words.iter().copied()).output()?;
        let said = String::from_utf8([output.stdout, output.stderr].concat())?;
        Ok((output.status.code(), said))
    };
    let (code, listed) = run(&["character", "list"])?;
    assert_eq!(code, Some(0));
    assert!(
        listed.contains("shepherd") && listed.contains("toad"),
        "{listed}"
    );
    let (_, shown) = run(&["character", "show", "toad"])?;
    let profile: serde_json::Value = serde_json::from_str(&shown)?;
    assert_eq!(profile["name"], "toad");
    let (code, tried) = run(&["character", "try", "Task 3 is done.", "--profile", "toad"])?;
    assert_eq!(code, Some(0), "{tried}");
    assert!(tried.contains("Task 3 is done."), "{tried}");
    for words in [
        &["character", "try", "Hello"][..],
        &["character", "show", "../keys"],
        &["character", "try", "Hello", "--profile", "nobody"],
    ] {
        let (code, said) = run(words)?;
        assert_eq!(code, Some(64), "{words:?}: {said}");
        assert!(said.contains("character"), "{said}");
    }
    Ok(())
}
