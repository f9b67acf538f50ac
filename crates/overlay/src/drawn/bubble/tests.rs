use super::*;
use crate::drawn::Side;
use crate::text::Fonts;
use crate::words::Language;

const SCALES: [f32; 3] = [1.0, 1.5, 2.0];

fn question() -> Bubble {
    Bubble {
        title: "main".into(),
        text: "May I run this?".into(),
        command: Some("cargo test".into()),
        tone: Tone::Ask,
        buttons: vec![Deed::Allow, Deed::Deny, Deed::Terminal],
        ..Bubble::default()
    }
}

fn look(fonts: &mut Fonts, scale: f32) -> Look<'_> {
    Look {
        theme: &Theme::DARK,
        scale,
        words: Language::English.words(),
        fonts,
    }
}

#[test]
fn buttons_are_where_they_are_drawn_with_and_without_a_font() {
    for mut fonts in [Fonts::new("en"), Fonts::none()] {
        for scale in SCALES {
            let mut look = look(&mut fonts, scale);
            let bubble = question();
            let laid = bubble.lay_out(&mut look);
            let tail = Tail {
                side: Side::Bottom,
                at: 40,
            };
            let shown = laid.draw(&mut look, Some(tail));
            assert_eq!((shown.picture.size, shown.card), (laid.size(), laid.card()));
            let deeds: Vec<_> = shown.deeds.iter().map(|(_, deed)| *deed).collect();
            assert_eq!(deeds, bubble.buttons);
            for (area, deed) in &shown.deeds {
                assert_eq!(shown.deed_at(area.centre()), Some(*deed));
                assert_eq!(area.kept_within(shown.card), *area);
            }
            assert_eq!(shown.deed_at(shown.card.at), None);
            let tip = shown.tip.unwrap();
            assert!(tip.y > shown.card.bottom() && tip.y < shown.picture.size.height.cast_signed());
        }
    }
}

#[test]
fn an_answer_takes_the_buttons_away() {
    let mut fonts = Fonts::none();
    let mut look = look(&mut fonts, 1.0);
    let mut deeds_while = |answering| {
        let bubble = Bubble {
            answering,
            ..question()
        };
        bubble.lay_out(&mut look).draw(&mut look, None).deeds.len()
    };
    assert_eq!(deeds_while(Answering::Open), 3);
    assert_eq!(deeds_while(Answering::Failed(None)), 3, "once more");
    assert_eq!(deeds_while(Answering::Sending(Deed::Allow)), 0);
    assert_eq!(deeds_while(Answering::Answered(Deed::Deny)), 0);
    assert_eq!(deeds_while(Answering::AnsweredInTerminal), 0);
}

#[test]
fn a_command_that_is_cut_is_told_from_a_whole_one() {
    let mut fonts = Fonts::new("en");
    let mut look = look(&mut fonts, 1.0);
    let mut bubble = question();
    assert!(bubble.lay_out(&mut look).shows_whole_command());
    bubble.command = Some("true\n".repeat(7));
    assert!(!bubble.lay_out(&mut look).shows_whole_command());
}

#[test]
fn a_bubble_grows_with_its_text_up_to_a_limit() {
    let mut fonts = Fonts::new("en");
    let mut look = look(&mut fonts, 1.0);
    let mut size_of = |text: &str| {
        let bubble = Bubble {
            text: text.into(),
            ..Bubble::default()
        };
        bubble.lay_out(&mut look).size()
    };
    let (short, long, endless) = (
        size_of("ok"),
        size_of("some words"),
        size_of(&"words ".repeat(500)),
    );
    assert!(short.width < long.width && long.width < endless.width);
    assert!(endless.width < 300 && endless.height < 150, "{endless:?}");
}
