//! Accessories: hats, and what is worn on eyes and ears. Hats are drawn around the top of the head.

use crate::figure::{Figure, at};
use crate::number::N;
use crate::palette::{INK, Palette};

#[derive(Clone, Copy)]
pub(crate) struct Accessory {
    pub draw: fn(&Figure) -> String,
    pub crown: Crown,
}

/// Whether the top of the head can be seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Crown {
    Bare,
    Covered,
}

pub(crate) const ACCESSORIES: &[Accessory] = &[
    hat(wizard),
    hat(cap),
    beside(headphones),
    hat(crown),
    hat(hard_hat),
    hat(beret),
    hat(party),
    beside(glasses),
];

const fn hat(draw: fn(&Figure) -> String) -> Accessory {
    let crown = Crown::Covered;
    Accessory { draw, crown }
}

const fn beside(draw: fn(&Figure) -> String) -> Accessory {
    let crown = Crown::Bare;
    Accessory { draw, crown }
}

fn on_top(figure: &Figure, hat: &str) -> String {
    let (top, wide) = (N(figure.body.top), N(figure.body.hat));
    format!("<g transform='translate(0 {top}) scale({wide})'>{hat}</g>")
}

fn wizard(figure: &Figure) -> String {
    let Palette {
        outfit,
        outfit_dark,
        gold,
        ..
    } = &figure.palette;
    let hat = format!(
        "<path d='M-36 8Q-24 1-17 1Q-11-27 14-38Q10-30 14-22Q20-10 18 1Q28 2 36 8Q0 22-36 8Z' fill='{outfit}'/>\
         <path d='M-17 1Q0 9 18 1L17.5-7Q0 0-15-7Z' fill='{gold}' stroke-width='1.8'/>\
         <path d='M14-38Q10-30 14-22' fill='none' stroke='{outfit_dark}'/>\
         <path d='M2-23l1.8 3.8 4.2.6-3 2.9.7 4.2-3.7-2-3.7 2 .7-4.2-3-2.9 4.2-.6Z' fill='{gold}' stroke='none'/>"
    );
    on_top(figure, &hat)
}

fn cap(figure: &Figure) -> String {
    let Palette {
        outfit,
        outfit_dark,
        outfit_light,
        ..
    } = &figure.palette;
    let hat = format!(
        "<path d='M-28 11C-32-22 28-22 28 9Q0 4-28 11Z' fill='{outfit}'/>\
         <path d='M-12 6Q-13-12 0-14Q13-12 12 5' fill='{outfit_light}' stroke-width='1.8'/>\
         <path d='M-6 9Q16-2 30 5Q46 8 47 14Q24 15-6 9Z' fill='{outfit_dark}'/><circle cy='-15' r='3' fill='{outfit_dark}'/>"
    );
    on_top(figure, &hat)
}

fn headphones(figure: &Figure) -> String {
    let Palette {
        outfit,
        outfit_dark,
        ..
    } = &figure.palette;
    let (x, y) = (figure.body.temple + 1.0, figure.body.eyes);
    let over = figure.body.top - 12.0;
    // A curve of this kind reaches three quarters of the way to its control points.
    let pull = y + (over - y) / 0.75;
    let band = format!(
        "M{} {y}C{0} {pull} {x} {pull} {x} {y}",
        N(-x),
        x = N(x),
        y = N(y - 6.0),
        pull = N(pull)
    );
    let cup = |x: f32| {
        format!(
            "<rect x='{}' y='{}' width='13' height='24' rx='6.5' fill='{outfit}'/>\
             <path d='M{} {}v10' stroke='{outfit_dark}'/>",
            N(x - 6.5),
            N(y - 12.0),
            N(x),
            N(y - 5.0)
        )
    };
    format!(
        "<path d='{band}' fill='none' stroke-width='8'/><path d='{band}' fill='none' stroke='{outfit}' stroke-width='3.6'/>{}{}",
        cup(-x - 1.0),
        cup(x + 1.0)
    )
}

fn crown(figure: &Figure) -> String {
    let Palette { outfit, gold, .. } = &figure.palette;
    let hat = format!(
        "<path d='M-23 8L-28-16L-13-5L0-23L13-5L28-16L23 8Q0 15-23 8Z' fill='{gold}'/>\
         <g fill='{outfit}' stroke-width='1.6'><circle cx='-28' cy='-17' r='3.4'/><circle cy='-24' r='3.8'/><circle cx='28' cy='-17' r='3.4'/>\
         <path d='M0-5L5 1L0 7L-5 1Z'/></g>"
    );
    on_top(figure, &hat)
}

fn hard_hat(figure: &Figure) -> String {
    let Palette { outfit, gold, .. } = &figure.palette;
    let hat = format!(
        "<path d='M-29 9C-31-23 31-23 29 9Z' fill='{gold}'/>\
         <path d='M-7 7V-16Q0-21 7-16V7Z' fill='{outfit}' stroke-width='1.8'/>\
         <rect x='-37' y='5' width='74' height='7.5' rx='3.7' fill='{gold}'/>"
    );
    on_top(figure, &hat)
}

fn beret(figure: &Figure) -> String {
    let Palette {
        outfit,
        outfit_dark,
        outfit_light,
        ..
    } = &figure.palette;
    let hat = format!(
        "<path d='M2-14L5-22' fill='none' stroke-width='4'/>\
         <path d='M-29 7C-44-8-16-22 12-16C36-12 42 2 24 9Q-2 14-29 7Z' fill='{outfit}'/>\
         <path d='M-27 6Q-2 12 24 8' fill='none' stroke='{outfit_dark}' stroke-width='4'/>\
         <path d='M-24-5Q-16-12-5-12' fill='none' stroke='{outfit_light}' stroke-width='2.4'/>"
    );
    on_top(figure, &hat)
}

fn party(figure: &Figure) -> String {
    let Palette {
        outfit,
        outfit_light,
        gold,
        ..
    } = &figure.palette;
    let hat = format!(
        "<path d='M-18 7L0-33L18 7Q0 14-18 7Z' fill='{outfit}'/>\
         <path d='M-13-1Q2 4 14-2M-9-12Q1-8 8-12' fill='none' stroke='{outfit_light}' stroke-width='4'/>\
         <path d='M-18 7L0-33L18 7Q0 14-18 7Z' fill='none'/><circle cy='-34' r='5.5' fill='{gold}'/>"
    );
    on_top(figure, &hat)
}

fn glasses(figure: &Figure) -> String {
    let y = figure.body.eyes;
    let eyes = || figure.face.places(figure.body);
    let rim = |wide: f32| format!("<circle r='{}'/>", N(wide + 3.4));
    let rims: String = eyes()
        .map(|(x, up, wide)| at(x, y + up, &rim(wide)))
        .collect();
    // The bridge and the bows run at the height of the outer eyes.
    let outer = eyes()
        .map(|(x, _, wide)| x.abs() + wide + 3.4)
        .fold(0.0, f32::max);
    let inner = eyes()
        .map(|(x, _, wide)| x.abs() - wide - 3.4)
        .fold(f32::MAX, f32::min);
    let bridge = if inner > 0.0 {
        format!("M{} {y}H{}", N(-inner), N(inner), y = N(y))
    } else {
        String::new()
    };
    let (left, right, y) = (N(-outer), N(outer), N(y));
    let temple = N(figure.body.temple);
    format!(
        "<g fill='#fff' fill-opacity='.25' stroke='{INK}' stroke-width='3'>{rims}\
         <path d='{bridge}M{left} {y}L-{temple} {y}M{right} {y}L{temple} {y}' fill='none'/></g>"
    )
}
