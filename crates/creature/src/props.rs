//! Things that show what a creature does.

use crate::figure::Figure;
use crate::movement::Part;
use crate::palette::INK;

#[derive(Debug, Clone, Copy)]
pub(crate) struct Prop {
    pub place: Place,
    pub draw: fn(&Figure) -> String,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Place {
    /// Before the belly.
    Before,
    /// In the right hand, around which it is drawn.
    Held,
    /// Around this point beside the figure.
    Beside(f32, f32),
}

impl Prop {
    pub(crate) const LAPTOP: Self = before(laptop);
    pub(crate) const TERMINAL: Self = before(terminal);
    pub(crate) const PAPER: Self = before(paper);
    pub(crate) const LENS: Self = held(lens);
    pub(crate) const PENCIL: Self = held(pencil);
    pub(crate) const THOUGHT: Self = beside(44.0, -118.0, thought);
    pub(crate) const SPEECH: Self = beside(45.0, -118.0, speech);
    pub(crate) const BANG: Self = beside(44.0, -108.0, bang);
    pub(crate) const QUESTION: Self = beside(46.0, -112.0, question);
    pub(crate) const ZZZ: Self = beside(24.0, -94.0, zzz);
    pub(crate) const SWEAT: Self = beside(42.0, -78.0, sweat);
    pub(crate) const CONFETTI: Self = beside(0.0, -90.0, confetti);
    pub(crate) const SPARKLES: Self = beside(0.0, -60.0, sparkles);
    pub(crate) const SHOCK: Self = beside(0.0, -96.0, shock);
    pub(crate) const DUST: Self = beside(-50.0, 0.0, dust);
    pub(crate) const BUNDLE: Self = beside(-49.0, -52.0, bundle);
}

const fn before(draw: fn(&Figure) -> String) -> Prop {
    let place = Place::Before;
    Prop { place, draw }
}

const fn held(draw: fn(&Figure) -> String) -> Prop {
    let place = Place::Held;
    Prop { place, draw }
}

const fn beside(x: f32, y: f32, draw: fn(&Figure) -> String) -> Prop {
    let place = Place::Beside(x, y);
    Prop { place, draw }
}

fn laptop(figure: &Figure) -> String {
    format!(
        "<g stroke='{INK}'><path d='M-21-20H21Q24-20 24.5-17L27 3H-27L-24.5-17Q-24-20-21-20Z' fill='#cfd6e6'/>\
         <path d='M-30 2H30V4Q30 7 26 7H-26Q-30 7-30 4Z' fill='#aab4cc'/></g>\
         <path d='M-5-8Q0-14 5-8Q0-2-5-8Z' fill='{}' stroke='none'/>",
        figure.palette.outfit
    )
}

fn terminal(figure: &Figure) -> String {
    let cursor = figure.moving(
        Part::First,
        "<path d='M-5-1h9' stroke='#7dffb8' stroke-width='3'/>",
    );
    format!(
        "<rect x='-28' y='-22' width='56' height='29' rx='5' fill='#161a2e' stroke='#8f9bc4'/>\
         <path d='M-28-15V-17Q-28-22-23-22H23Q28-22 28-17V-15Z' fill='#8f9bc4' stroke='none'/>\
         <path d='M-23-18.5v0' stroke='#ff6b6b' stroke-width='3.4'/><path d='M-18-18.5v0' stroke='#ffd23f' stroke-width='3.4'/>\
         <path d='M-21-10l5 4.5-5 4.5' fill='none' stroke='#7dffb8' stroke-width='2.8'/>{cursor}"
    )
}

fn paper(_: &Figure) -> String {
    format!(
        "<path d='M-24-23H16L24-15V7H-24Z' fill='#fffdf4' stroke='{INK}'/><path d='M16-23V-15H24' fill='#dfe3ee' stroke='{INK}' stroke-width='1.8'/>\
         <path d='M-17-14H6M-17-7H14M-17 0H4' fill='none' stroke='#8d97b5' stroke-width='2.6'/>"
    )
}

fn pencil(_: &Figure) -> String {
    format!(
        "<g transform='rotate(38)' stroke='{INK}' stroke-width='2'><path d='M-4-24H4V10H-4Z' fill='#ffc93c'/>\
         <path d='M-4 10L0 20L4 10Z' fill='#f4dcb4'/><path d='M-1.5 16L0 20L1.5 16Z' fill='{INK}'/>\
         <path d='M-4-24V-27Q0-32 4-27V-24Z' fill='#f0788c'/></g>"
    )
}

fn lens(_: &Figure) -> String {
    format!(
        "<g transform='rotate(-36)'><path d='M0 6V-10' stroke='{INK}' stroke-width='8'/><path d='M0 5V-9' stroke='#b5793c' stroke-width='3.6'/>\
         <circle cy='-22' r='12.5' fill='#c9ecff' fill-opacity='.75' stroke='{INK}' stroke-width='3.4'/>\
         <path d='M-7-24Q-6-30 0-30' fill='none' stroke='#fff' stroke-width='3'/></g>"
    )
}

/// A light bubble, whose content is drawn around its middle.
fn bubble(shape: &str, fill: &str, content: &str) -> String {
    format!("<path d='{shape}' fill='{fill}' stroke='{INK}' stroke-width='2.4'/>{content}")
}

fn three_dots(figure: &Figure) -> String {
    [(Part::First, -9), (Part::Second, 0), (Part::Third, 9)]
        .map(|(part, x)| {
            figure.moving(
                part,
                &format!("<path d='M{x} 0v0' stroke='{INK}' stroke-width='5.4'/>"),
            )
        })
        .concat()
}

fn thought(figure: &Figure) -> String {
    let shape = "M-12-12C-8-19 4-20 8-14C16-17 24-10 21-3C25 5 17 13 9 10C4 16-7 16-10 10C-19 13-25 4-20-3C-24-10-19-15-12-12Z";
    let trail = format!(
        "<g fill='#fff' stroke='{INK}' stroke-width='2'><circle cx='-17' cy='19' r='4.2'/><circle cx='-22' cy='27' r='2.6'/></g>"
    );
    bubble(shape, "#fff", &format!("{trail}{}", three_dots(figure)))
}

fn speech(_: &Figure) -> String {
    let shape = "M-16-14H16Q23-14 23-7V6Q23 13 16 13H-5L-18 23L-15 13Q-23 13-23 6V-7Q-23-14-16-14Z";
    let lines =
        format!("<path d='M-13-6H13M-13 3H5' fill='none' stroke='{INK}' stroke-width='3.2'/>");
    bubble(shape, "#fff", &lines)
}

fn bang(_: &Figure) -> String {
    let shape =
        "M-13-20H15Q22-20 22-13V10Q22 17 15 17H-3L-16 28L-12 17H-13Q-20 17-20 10V-13Q-20-20-13-20Z";
    let mark = format!(
        "<path d='M1-12V1' fill='none' stroke='{INK}' stroke-width='6'/><path d='M1 10v0' stroke='{INK}' stroke-width='6.6'/>"
    );
    bubble(shape, "#ffd23f", &mark)
}

fn question(_: &Figure) -> String {
    let d = "M-7-9Q-7-17 1-17T9-9Q9-4 3-1Q0 1 0 5M0 14v0";
    format!(
        "<path d='{d}' fill='none' stroke='{INK}' stroke-width='10'/><path d='{d}' fill='none' stroke='#e8ecf8' stroke-width='5.2'/>"
    )
}

fn zzz(_: &Figure) -> String {
    let d = "M0 0H9L0 11H9M13-19H24L13-6H24M25-42H40L25-25H40";
    format!(
        "<path d='{d}' fill='none' stroke='{INK}' stroke-width='6.8'/><path d='{d}' fill='none' stroke='#b9c6ff' stroke-width='3.4'/>"
    )
}

fn sweat(_: &Figure) -> String {
    format!(
        "<path d='M0-10Q9 3 5 8Q0 12-5 8Q-9 3 0-10Z' fill='#7ec8ff' stroke='{INK}' stroke-width='2.2'/><path d='M-2 4Q-1 6 1 6' fill='none' stroke='#fff' stroke-width='2'/>"
    )
}

fn confetti(_: &Figure) -> String {
    let bits = [
        ("#ff6b8b", "M-50 8l6 2-2 6-6-2ZM24-40l6-2 2 6-6 2Z"),
        ("#ffd23f", "M-38-22l6-3 3 6-6 3ZM56 4l5-4 4 5-5 4Z"),
        ("#5ad7a5", "M-58-8l6 0 0 6-6 0ZM38-24l5 4-4 5-5-4Z"),
        ("#6fa8ff", "M-24-40l5 4-4 5-5-4ZM54-16l6 2-2 6-6-2Z"),
        ("#c58bff", "M-60 24l5-4 4 5-5 4ZM60 26l6 0 0 6-6 0Z"),
    ];
    bits.map(|(fill, d)| format!("<path d='{d}' fill='{fill}' stroke-width='1.2'/>"))
        .concat()
}

fn sparkles(_: &Figure) -> String {
    let star = |x: i32, y: i32, size: &str| {
        format!(
            "<path transform='translate({x} {y}) scale({size})' d='M0-10Q2-2 10 0Q2 2 0 10Q-2 2-10 0Q-2-2 0-10Z'/>"
        )
    };
    let stars = [
        star(-54, -34, "1"),
        star(56, -40, "1.1"),
        star(-60, 8, ".7"),
        star(62, 4, ".75"),
        star(40, -64, ".7"),
        star(-36, -60, ".75"),
    ];
    format!(
        "<g fill='#ffe27a' stroke='{INK}' stroke-width='1.8'>{}</g>",
        stars.concat()
    )
}

fn shock(_: &Figure) -> String {
    let d = "M-44-6L-56-14M-34-20L-42-33M44-6L56-14M34-20L42-33";
    format!(
        "<path d='{d}' fill='none' stroke='{INK}' stroke-width='7.4'/><path d='{d}' fill='none' stroke='#ffd23f' stroke-width='4'/>"
    )
}

fn dust(_: &Figure) -> String {
    "<g fill='#c9cfe0' stroke-width='1.8' opacity='.9'><circle cx='0' cy='-2' r='6'/><circle cx='-10' cy='0' r='4.2'/><circle cx='-4' cy='-9' r='3.4'/></g>".to_owned()
}

fn bundle(figure: &Figure) -> String {
    format!(
        "<path d='M24 36L-6-14' stroke='{INK}' stroke-width='6.5'/><path d='M24 36L-6-14' stroke='#b5793c' stroke-width='2.6'/>\
         <path d='M-6-13Q-18-11-17 1Q-15 12-4 11Q7 10 6-1Q5-12-6-13Z' fill='{}'/><path d='M-6-13l-5-5M-6-13l2-6' fill='none'/>\
         <path d='M-11-2v0M-2-4v0M-5 5v0' stroke='#fff' stroke-width='3.4'/>",
        figure.palette.outfit
    )
}
