//! Mouths, around their middle.

use crate::palette::{INK, Palette};

/// Draws a mouth.
pub(super) type Draw = fn(&Palette) -> String;

const INSIDE: &str = "#6b1d33";
const TONGUE: &str = "#f0788c";

fn line(d: &str) -> String {
    format!("<path d='{d}' fill='none' stroke='{INK}' stroke-width='2.6'/>")
}

pub(super) fn smile(_: &Palette) -> String {
    line("M-7-1Q0 6 7-1")
}

pub(super) fn cat(_: &Palette) -> String {
    line("M-10-2Q-8 4-5 4T0-1Q2 4 5 4T10-2")
}

pub(super) fn laugh(_: &Palette) -> String {
    format!(
        "<path d='M-9-3H9Q9 8 0 8T-9-3Z' fill='{INSIDE}' stroke='{INK}' stroke-width='2.4'/>\
         <path d='M-5 5Q0 1 5 5Q3 7 0 7T-5 5Z' fill='{TONGUE}' stroke='none'/>"
    )
}

pub(super) fn fangs(_: &Palette) -> String {
    format!(
        "<path d='M-8 1l2.5 6 3-5ZM8 1l-2.5 6-3-5Z' fill='#fff' stroke='{INK}' stroke-width='1.4'/>{}",
        line("M-11-1Q0 5 11-1")
    )
}

pub(super) fn tongue(_: &Palette) -> String {
    format!(
        "<path d='M-1 2H7V6A4 4 0 0 1-1 6Z' fill='{TONGUE}' stroke='{INK}' stroke-width='1.8'/>{}",
        line("M-9-1Q0 6 9-1")
    )
}

pub(super) fn beak(palette: &Palette) -> String {
    format!(
        "<path d='M-10-5Q0-11 10-5Q6 5 0 7Q-6 5-10-5Z' fill='{}' stroke='{INK}' stroke-width='2.2'/>\
         <path d='M-9-4Q0 0 9-4' fill='none' stroke='{INK}' stroke-width='1.8'/>",
        palette.gold
    )
}

pub(super) fn smirk(_: &Palette) -> String {
    line("M-6 2Q4 4 8-3")
}

pub(super) fn open(_: &Palette) -> String {
    format!("<ellipse cy='2' rx='4.6' ry='6' fill='{INSIDE}' stroke='{INK}' stroke-width='2.4'/>")
}

pub(super) fn wavy(_: &Palette) -> String {
    line("M-9 3Q-6-3-3 1T3 1T9 0")
}

pub(super) fn small(_: &Palette) -> String {
    line("M-4 1Q0 3 4 1")
}
