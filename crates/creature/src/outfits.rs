//! Outfits: around the lower part of the body, so that the face stays free.

use crate::figure::Figure;
use crate::palette::Palette;

/// An outfit: what is behind the body, on it (cut along its outline), and over it.
#[derive(Clone, Copy)]
pub(crate) struct Outfit {
    pub behind: fn(&Figure) -> String,
    pub on: fn(&Figure) -> String,
    pub over: fn(&Figure) -> String,
    pub sleeves: Sleeves,
}

/// What is on the arms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sleeves {
    None,
    Long,
}

pub(crate) const OUTFITS: &[Outfit] = &[JUMPER, DUNGAREES, SCARF, CAPE, WAISTCOAT, HOODIE];

const BARE: Outfit = Outfit {
    behind: nothing,
    on: nothing,
    over: nothing,
    sleeves: Sleeves::None,
};
const JUMPER: Outfit = Outfit {
    on: jumper,
    sleeves: Sleeves::Long,
    ..BARE
};
const DUNGAREES: Outfit = Outfit {
    on: dungarees,
    ..BARE
};
const SCARF: Outfit = Outfit {
    on: scarf,
    over: scarf_end,
    ..BARE
};
const CAPE: Outfit = Outfit {
    behind: cape,
    on: cape_collar,
    over: clasp,
    ..BARE
};
const WAISTCOAT: Outfit = Outfit {
    on: waistcoat,
    over: bow_tie,
    ..BARE
};
const HOODIE: Outfit = Outfit {
    on: hoodie,
    sleeves: Sleeves::Long,
    ..BARE
};

fn nothing(_: &Figure) -> String {
    String::new()
}

fn jumper(figure: &Figure) -> String {
    let Palette {
        outfit,
        outfit_dark,
        outfit_light,
        ..
    } = &figure.palette;
    format!(
        "<path d='M-60-32Q0-17 60-32V9H-60Z' fill='{outfit}'/>\
         <path d='M-60-19Q0-4 60-19M-60-9Q0 6 60-9' fill='none' stroke='{outfit_light}' stroke-width='4.6'/>\
         <path d='M-60-29Q0-14 60-29' fill='none' stroke='{outfit_dark}' stroke-width='3'/>"
    )
}

fn dungarees(figure: &Figure) -> String {
    let Palette {
        outfit,
        outfit_dark,
        gold,
        ..
    } = &figure.palette;
    format!(
        "<path d='M-19-25L-48-52M19-25L48-52' fill='none' stroke-width='10'/>\
         <path d='M-19-25L-48-52M19-25L48-52' fill='none' stroke='{outfit}' stroke-width='5.4'/>\
         <path d='M-60-15H-22V-25Q-22-29-18-29H18Q22-29 22-25V-15H60V9H-60Z' fill='{outfit}'/>\
         <path d='M-9-18H9V-11Q9-6 0-6T-9-11Z' fill='{outfit_dark}' stroke-width='1.6'/>\
         <g fill='{gold}' stroke-width='1.6'><circle cx='-17' cy='-24' r='3'/><circle cx='17' cy='-24' r='3'/></g>"
    )
}

fn scarf(figure: &Figure) -> String {
    let Palette {
        outfit,
        outfit_light,
        ..
    } = &figure.palette;
    format!(
        "<path d='M-60-38Q0-20 60-38V-24Q0-6-60-24Z' fill='{outfit}'/>\
         <path d='M-34-31l-2 13M-22-28l-1 13M-9-26v13M9-26v13M34-31l2 13' fill='none' stroke='{outfit_light}' stroke-width='3.4'/>"
    )
}

fn scarf_end(figure: &Figure) -> String {
    let Palette {
        outfit,
        outfit_dark,
        outfit_light,
        ..
    } = &figure.palette;
    format!(
        "<path d='M15-21L27-24L36 1L22 5Z' fill='{outfit}'/><path d='M21-5L33-9' stroke='{outfit_light}' stroke-width='3.4'/>\
         <rect x='13' y='-30' width='17' height='13' rx='5' fill='{outfit_dark}'/>"
    )
}

fn cape(figure: &Figure) -> String {
    let Palette {
        outfit,
        outfit_dark,
        ..
    } = &figure.palette;
    format!(
        "<path d='M-36-46Q-62-24-59 2Q-30-7 0-2Q30-7 59 2Q62-24 36-46Z' fill='{outfit}'/>\
         <path d='M-46-26Q-53-12-51-3M46-26Q53-12 51-3' fill='none' stroke='{outfit_dark}'/>"
    )
}

fn cape_collar(figure: &Figure) -> String {
    let Palette {
        outfit,
        outfit_light,
        ..
    } = &figure.palette;
    format!(
        "<path d='M-60-50L-38-46Q-20-28 0-24Q20-28 38-46L60-50V-20Q30-34 3-13H-3Q-30-34-60-20Z' fill='{outfit}'/>\
         <path d='M-38-38Q-20-22 0-18Q20-22 38-38' fill='none' stroke='{outfit_light}' stroke-width='2'/>"
    )
}

fn clasp(figure: &Figure) -> String {
    format!("<circle cy='-19' r='5.4' fill='{}'/>", figure.palette.gold)
}

fn waistcoat(figure: &Figure) -> String {
    let Palette {
        outfit,
        outfit_dark,
        gold,
        ..
    } = &figure.palette;
    format!(
        "<path d='M-24-34H24L10 9H-10Z' fill='#fdfcf7' stroke='none'/>\
         <path d='M-60-48L-26-36L-2-2V9H-60ZM60-48L26-36L2-2V9H60Z' fill='{outfit}'/>\
         <path d='M-29-33L-13-18L-20-12ZM29-33L13-18L20-12Z' fill='{outfit_dark}' stroke-width='1.6'/>\
         <path d='M-8-3v0M8-3v0' stroke='{gold}' stroke-width='4.4'/>"
    )
}

fn bow_tie(figure: &Figure) -> String {
    let Palette {
        outfit,
        outfit_dark,
        ..
    } = &figure.palette;
    format!(
        "<g transform='translate(0 -24)'><path d='M0 0L-16-8Q-18 0-16 8ZM0 0L16-8Q18 0 16 8Z' fill='{outfit}'/>\
         <rect x='-4' y='-4.5' width='8' height='9' rx='3' fill='{outfit_dark}'/></g>"
    )
}

fn hoodie(figure: &Figure) -> String {
    let Palette {
        outfit,
        outfit_dark,
        outfit_light,
        ..
    } = &figure.palette;
    format!(
        "<path d='M-60-34Q0-18 60-34V9H-60Z' fill='{outfit}'/>\
         <path d='M-60-44Q0-16 60-44V-31Q0-9-60-31Z' fill='{outfit_dark}'/>\
         <path d='M-18 4L-13-11H13L18 4Z' fill='{outfit_dark}' stroke-width='1.8'/>\
         <path d='M-9-21v9M9-21v9' fill='none' stroke='{outfit_light}' stroke-width='3'/>"
    )
}
