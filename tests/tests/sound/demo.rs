//! The demo as it is heard.

use anyhow::{Context as _, Result};
use bellwether_audio::Effect;
use bellwether_tests::sound::{audible, heard, likeness};
use bellwether_tests::{Installation, SoundServer};

/// What a newcomer waits for at most.
const SECONDS: usize = 3;

#[test]
fn it_rings_and_speaks_at_once() -> Result<()> {
    let (server, place) = (SoundServer::start()?, Installation::fresh()?);
    let _daemon = place.start_daemon(&[])?;
    let (recording, told) = heard(&server, || {
        // Slow enough that no agent has to say something yet.
        let mut demo = place.cli(["demo", "--no-open", "--speed", "10"]);
        let output = demo.env("PULSE_SERVER", server.address()).output()?;
        Ok(String::from_utf8(output.stdout)?)
    })?;
    assert!(told.contains("said so aloud"), "{told}");
    assert!(!told.contains("You will hear nothing"), "{told}");

    let sound = audible(&recording).context("silence")?;
    let mut samples = recording.samples.iter();
    let silence = samples.position(|it| *it == sound[0]).unwrap_or(usize::MAX);
    let rate = usize::try_from(recording.format.rate)?;
    assert!(silence < SECONDS * rate, "{silence} samples of silence");
    let mut ring = Effect::named("ui_open_2")
        .context("no such effect")?
        .render();
    // A swell begins to be audible later when it is softer: this is the volume of the calm preset.
    ring.samples.iter_mut().for_each(|sample| *sample /= 2);
    let ring = audible(&ring).context("it is silent")?;
    let first = sound.get(..ring.len()).context("it is short")?;
    let like = likeness(first, ring);
    assert!(like > 0.95, "it does not ring first: {like:.2}");
    let words = sound.len().saturating_sub(ring.len());
    assert!(words > rate, "nothing is said after the ring");
    Ok(())
}

#[test]
fn muted_it_says_why_nothing_is_heard() -> Result<()> {
    let (server, place) = (SoundServer::start()?, Installation::fresh()?);
    let _daemon = place.start_daemon(&[])?;
    place.printed(&["mute"])?;
    let (recording, told) = heard(&server, || {
        let mut demo = place.cli(["demo", "--no-open", "--speed", "40"]);
        let output = demo.env("PULSE_SERVER", server.address()).output()?;
        Ok(String::from_utf8(output.stdout)?)
    })?;
    assert!(
        told.contains("You will hear nothing: bellwether is muted"),
        "{told}"
    );
    assert!(
        told.contains("With sound on, you would have heard it"),
        "{told}"
    );
    assert!(audible(&recording).is_none(), "something is heard");
    Ok(())
}
