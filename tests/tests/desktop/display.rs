//! The rig's own X server, by which the overlay is judged.

use anyhow::Result;
use bellwether_tests::XServer;

#[test]
fn windows_focus_pixels_and_the_compositor_are_told_as_they_are() -> Result<()> {
    let mut x = XServer::plan().size(640, 480).start()?;
    assert_eq!((x.windows()?, x.active()?), (Vec::new(), None));
    let bare = x.screenshot()?;
    assert_eq!((bare.width, bare.height), (640, 480));

    let mut xterm = x.command("xterm");
    let xterm = x.run(xterm.args([
        "-fa",
        "monospace",
        "-T",
        "first",
        "-bg",
        "#102030",
        "-geometry",
        "40x10+100+100",
    ]))?;
    let first = x.wait("the window", || x.window_titled("first"))?;
    assert_eq!(first.pid, Some(xterm.pid()));
    assert_eq!(x.windows_of(xterm.pid())?, std::slice::from_ref(&first));
    let colour = || {
        let (x_, y) = (first.x + 150, first.y + 100);
        let shot = x.screenshot()?;
        Ok((shot.at(x_.unsigned_abs(), y.unsigned_abs()) == [0x10, 0x20, 0x30]).then_some(shot))
    };
    let shown = x.wait("its colour", colour)?;
    assert!(shown.differing(&bare) > 1000);
    let part = shown.part(200, 150, 10, 10);
    assert_eq!((part.width, part.differing(&part)), (10, 0));

    let mut second = x.command("xterm");
    let second = x.run(second.args([
        "-fa",
        "monospace",
        "-T",
        "second",
        "-geometry",
        "40x10+300+250",
    ]))?;
    let window = x.wait("the window", || x.window_titled("second"))?;
    x.wait("its focus", || {
        Ok((x.active()? == Some(window.id)).then_some(()))
    })?;
    x.xdotool(&["windowactivate", &first.id.to_string()])?;
    x.wait("the focus", || {
        Ok((x.active()? == Some(first.id)).then_some(()))
    })?;
    assert_eq!(x.stacked()?.last(), Some(&first));
    drop(second);
    x.wait("its end", || {
        Ok(x.window_titled("second")?.is_none().then_some(()))
    })?;

    assert!(!x.is_composited()?);
    x.compose()?;
    x.uncompose()?;
    Ok(())
}
