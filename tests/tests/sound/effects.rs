//! Sounds as they are heard: whole, at their level, and stopped at once.

use std::f64::consts::TAU;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use bellwether_audio::player::{Ending, Player as _};
use bellwether_audio::{AudioError, Clip, Effect, Format, Settings, Source, Speakers, Stop};
use bellwether_tests::SoundServer;
use bellwether_tests::sound::{alike, audible, decibels, heard, likeness};
use rustix::time::{ClockId, clock_gettime};

/// A tone that begins and ends at full strength: what is cut of it is missed.
fn tone(time: Duration) -> Clip {
    let format = Format::mono(48_000);
    let samples = (0..format.samples(time)).map(|index| {
        let seconds = f64::from(u32::try_from(index).unwrap_or_default()) / 48_000.0;
        #[expect(clippy::cast_possible_truncation, reason = "it is within bounds")]
        let sample = ((TAU * 440.0 * seconds + 1.0).sin() * 16_000.0) as i16;
        sample
    });
    Clip {
        format,
        samples: samples.collect(),
    }
}

#[test]
fn each_effect_is_heard_as_itself_and_at_its_level() -> Result<()> {
    let server = SoundServer::start()?;
    let mut player = server.connect()?;
    let effects: Vec<(&str, Clip)> = Effect::ALL
        .iter()
        .map(|effect| (effect.name, effect.render()))
        .collect();
    for (name, clip) in &effects {
        let (recording, _) = heard(&server, || {
            Ok(player.play(&mut clip.clone(), 1.0, &Stop::default())?)
        })?;
        let recorded = audible(&recording).with_context(|| format!("{name} is silent"))?;
        let made = audible(clip).with_context(|| format!("{name} is made silent"))?;
        let off = decibels(recorded) - decibels(made);
        assert!(off.abs() < 0.3, "{name} is {off:+.2} dB off");
        assert!(likeness(recorded, made) > 0.99, "{name} is not itself");
        let others = effects.iter().filter(|(other, _)| other != name);
        for (other, clip) in others {
            let like = audible(clip).map_or(0.0, |clip| alike(recorded, clip));
            assert!(like < 0.97, "{name} sounds like {other}: {like:.2}");
        }
    }
    Ok(())
}

/// A player that looks again and again takes half of the time that it plays.
#[test]
fn a_sound_costs_next_to_nothing_while_it_plays() -> Result<()> {
    let server = SoundServer::start()?;
    let mut player = server.connect()?;
    let mut sound = tone(Duration::from_secs(2));
    let before = clock_gettime(ClockId::ProcessCPUTime);
    player.play(&mut sound, 1.0, &Stop::default())?;
    let spent = clock_gettime(ClockId::ProcessCPUTime) - before;
    let spent = Duration::try_from(spent)?;
    assert!(
        spent < Duration::from_millis(500),
        "{spent:?} for two seconds"
    );
    Ok(())
}

#[test]
fn nothing_of_a_tone_is_cut() -> Result<()> {
    let server = SoundServer::start()?;
    let mut player = server.connect()?;
    for ms in [60, 500, 1_700] {
        let made = tone(Duration::from_millis(ms));
        let (recording, done) = heard(&server, || {
            Ok(player.play(&mut made.clone(), 1.0, &Stop::default())?)
        })?;
        assert_eq!(done.ending, Ending::Whole);
        let recorded = audible(&recording).context("silence")?;
        let off = recorded.len().abs_diff(made.samples.len());
        assert!(off <= 4, "{ms} ms are {off} samples off");
        assert!(
            likeness(recorded, &made.samples) > 0.999,
            "{ms} ms are torn"
        );
    }
    Ok(())
}

#[test]
fn a_fifth_of_the_volume_is_fourteen_decibels_less() -> Result<()> {
    let server = SoundServer::start()?;
    let mut player = server.connect()?;
    let mut level = |volume: f64| -> Result<f64> {
        let volume = Settings::default().loudness(volume);
        let mut clip = tone(Duration::from_millis(300));
        let (recording, _) = heard(&server, || {
            Ok(player.play(&mut clip, volume, &Stop::default())?)
        })?;
        Ok(decibels(audible(&recording).context("silence")?))
    };
    let difference = level(1.0)? - level(0.2)?;
    assert!((difference - 13.98).abs() < 0.5, "{difference:.2} dB");
    let beyond = level(1.0)? - level(7.5)?;
    assert!(beyond.abs() < 0.1, "{beyond:.2} dB");
    Ok(())
}

/// A sound that never ends by itself.
struct Endless;

impl Source for Endless {
    fn format(&self) -> Format {
        Format::mono(48_000)
    }

    fn next(&mut self) -> Result<Option<Vec<i16>>, AudioError> {
        Ok(Some(tone(Duration::from_millis(100)).samples))
    }
}

#[test]
fn a_wish_to_stop_is_obeyed_at_once() -> Result<()> {
    let server = SoundServer::start()?;
    let mut player = server.connect()?;
    let stop = Stop::default();
    let done = std::thread::scope(|scope| {
        let wish = stop.clone();
        scope.spawn(move || {
            std::thread::sleep(Duration::from_millis(300));
            wish.now();
        });
        let begun = Instant::now();
        let done = player.play(&mut Endless, 1.0, &stop);
        done.map(|done| (done, begun.elapsed()))
    });
    let (done, took) = done?;
    assert_eq!(done.ending, Ending::Stopped);
    assert!(took < Duration::from_secs(3), "{took:?}");
    Ok(())
}

#[test]
fn a_server_that_dies_is_said_at_once_and_used_again_when_it_is_back() -> Result<()> {
    let mut server = SoundServer::start()?;
    let (seat, settings) = (server.seat(), Settings::default());
    let mut speakers = Speakers::default();
    let begun = Instant::now();
    let died = std::thread::scope(|scope| {
        let playing = scope.spawn(|| {
            let outcome = speakers.play(&seat, &settings, &mut Endless, 1.0, &Stop::default());
            (outcome.map(|_| ()), begun.elapsed())
        });
        std::thread::sleep(Duration::from_millis(500));
        server.kill();
        playing.join()
    });
    let Ok((outcome, took)) = died else {
        anyhow::bail!("the player failed");
    };
    let said = outcome
        .err()
        .context("it went on without a server")?
        .to_string();
    assert_eq!(said, "pulse cannot play: the sound server has gone");
    assert!(took < Duration::from_secs(5), "it was said after {took:?}");
    let mut clip = tone(Duration::from_millis(200));
    let outcome = speakers.play(&seat, &settings, &mut clip, 1.0, &Stop::default());
    let said = outcome.err().context("there is no server")?.to_string();
    assert!(
        said.starts_with("no sound here: pulse: nobody listens at"),
        "{said}"
    );
    server.restart()?;
    let (recording, _) = heard(&server, || {
        let mut clip = tone(Duration::from_millis(200));
        Ok(speakers.play(&seat, &settings, &mut clip, 1.0, &Stop::default())?)
    })?;
    assert!(
        audible(&recording).is_some(),
        "nothing is heard of the new server"
    );
    Ok(())
}

/// A voice that stumbles: the server must not lose the end, nor play the gap twice.
struct Stumbling(Vec<Vec<i16>>);

impl Source for Stumbling {
    fn format(&self) -> Format {
        Format::mono(48_000)
    }

    fn next(&mut self) -> Result<Option<Vec<i16>>, AudioError> {
        std::thread::sleep(Duration::from_millis(700));
        Ok(self.0.pop())
    }
}

#[test]
fn a_source_that_stumbles_loses_nothing() -> Result<()> {
    let server = SoundServer::start()?;
    let mut player = server.connect()?;
    let chunk = || tone(Duration::from_millis(150)).samples;
    let (recording, _) = heard(&server, || {
        let mut source = Stumbling(vec![chunk(), chunk(), chunk()]);
        Ok(player.play(&mut source, 1.0, &Stop::default())?)
    })?;
    let loud = recording
        .samples
        .iter()
        .filter(|sample| sample.unsigned_abs() > 500);
    let expected = 3 * chunk()
        .iter()
        .filter(|sample| sample.unsigned_abs() > 500)
        .count();
    let off = loud.count().abs_diff(expected);
    assert!(
        off < 100,
        "{off} samples of {expected} are missing or doubled"
    );
    Ok(())
}
