//! Mouths, around their middle.

use crate::palette::{INK, Palette};

type Draw = fn(&Palette) -> String;

/// What a mouth can do: its own way, and what a stance asks for.
#[derive(Clone, Copy)]
pub(super) struct Mouths {
    pub own: Draw,
    pub calm: Draw,
    pub open: Draw,
    pub grin: Draw,
    pub wavy: Draw,
}

pub(super) const SMILE: Mouths = lips(smile);
pub(super) const CAT: Mouths = lips(cat);
pub(super) const LAUGH: Mouths = lips(laugh);
pub(super) const FANGS: Mouths = lips(fangs);
pub(super) const TONGUE: Mouths = lips(tongue);
pub(super) const SMIRK: Mouths = lips(smirk);
pub(super) const BEAK: Mouths = Mouths {
    own: beak,
    calm: beak,
    open: open_beak,
    grin: open_beak,
    wavy: beak,
};

const fn lips(own: Draw) -> Mouths {
    Mouths {
        own,
        calm,
        open,
        grin: laugh,
        wavy,
    }
}

const INSIDE: &str = "#6b1d33";
const PINK: &str = "#f0788c";

fn line(d: &str) -> String {
    format!("<path d='{d}' fill='none' stroke='{INK}' stroke-width='2.6'/>")
}

fn smile(_: &Palette) -> String {
    line("M-7-1Q0 6 7-1")
}

fn cat(_: &Palette) -> String {
    line("M-10-2Q-8 4-5 4T0-1Q2 4 5 4T10-2")
}

fn laugh(_: &Palette) -> String {
    format!(
        "<path d='M-9-3H9Q9 8 0 8T-9-3Z' fill='{INSIDE}' stroke='{INK}' stroke-width='2.4'/>\
         <path d='M-5 5Q0 1 5 5Q3 7 0 7T-5 5Z' fill='{PINK}' stroke='none'/>"
    )
}

fn fangs(_: &Palette) -> String {
    format!(
        "<path d='M-8 1l2.5 6 3-5ZM8 1l-2.5 6-3-5Z' fill='#fff' stroke='{INK}' stroke-width='1.4'/>{}",
        line("M-11-1Q0 5 11-1")
    )
}

fn tongue(_: &Palette) -> String {
    format!(
        "<path d='M-1 2H7V6A4 4 0 0 1-1 6Z' fill='{PINK}' stroke='{INK}' stroke-width='1.8'/>{}",
        line("M-9-1Q0 6 9-1")
    )
}

fn beak(palette: &Palette) -> String {
    format!(
        "<path d='M-10-5Q0-11 10-5Q6 5 0 7Q-6 5-10-5Z' fill='{}' stroke='{INK}' stroke-width='2.2'/>\
         <path d='M-9-4Q0 0 9-4' fill='none' stroke='{INK}' stroke-width='1.8'/>",
        palette.gold
    )
}

fn open_beak(palette: &Palette) -> String {
    format!(
        "<path d='M-7-3Q0 14 7-3Z' fill='{INSIDE}' stroke='{INK}' stroke-width='2.2'/>\
         <path d='M-5 4Q0 13 5 4Q0 7-5 4Z' fill='{gold}' stroke='{INK}' stroke-width='1.8'/>\
         <path d='M-10-4Q0-13 10-4Q0 2-10-4Z' fill='{gold}' stroke='{INK}' stroke-width='2.2'/>",
        gold = palette.gold
    )
}

fn smirk(_: &Palette) -> String {
    line("M-6 2Q4 4 8-3")
}

fn open(_: &Palette) -> String {
    format!("<ellipse cy='2' rx='4.6' ry='6' fill='{INSIDE}' stroke='{INK}' stroke-width='2.4'/>")
}

fn wavy(_: &Palette) -> String {
    line("M-9 3Q-6-3-3 1T3 1T9 0")
}

fn calm(_: &Palette) -> String {
    line("M-4 1Q0 3 4 1")
}
