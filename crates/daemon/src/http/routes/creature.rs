//! The drawing of an agent. Looks and pose say all of it, so a browser keeps what it was given.

use bellwether_creature::appearance::SlotCounts;
use bellwether_creature::{Age, Appearance, Creature, Motion, Pose};
use hyper::StatusCode;
use hyper::header::{CACHE_CONTROL, HeaderValue};

use super::super::access::Access;
use super::super::answer::{Answer, whole};
use super::super::parameter::{Kind, Parameter};
use super::super::route::{Ask, Gives, Route, Verb};

/// The same address gives the same drawing; another version of the program asks with another `v`.
const KEPT: HeaderValue = HeaderValue::from_static("private, max-age=31536000, immutable");

const COUNTS: SlotCounts = SlotCounts::DRAWN;

pub(super) const ROUTE: Route = Route {
    method: Verb::Get,
    path: "/creature.svg",
    about: "Draws an agent",
    more: "Looks are those in `appearance` of `/api/agents`; `bellwether creature` draws the same. The drawing moves by itself, \
           unless the person's browser asks for less motion, and stands still where nothing happens.",
    access: Access::Key,
    parameters: &[
        shape("body", "`body_index`", COUNTS.body - 1),
        shape("hair", "`hair_index`", COUNTS.hair - 1),
        shape("outfit", "`outfit_index`", COUNTS.outfit - 1),
        shape(
            "accessory",
            "`accessory_index`; 0 for none",
            COUNTS.accessory,
        ),
        shape("face", "`face_index`", COUNTS.face - 1),
        hue("hair_hue", "the hue of what grows on top, in degrees"),
        hue("outfit_hue", "the outfit's hue"),
        hue("skin_hue", "the body's hue"),
        Parameter {
            name: "skin_lightness",
            about: "the body's lightness, in percent",
            kind: Kind::Decimal {
                least: 0.0,
                most: 100.0,
                usual: 82.0,
            },
        },
        Parameter {
            name: "pose",
            about: "what it is seen doing; `idle` when not given",
            kind: Kind::Word(Pose::NAMES),
        },
        Parameter {
            name: "child",
            about: "1 for one that another agent sent: it is smaller",
            kind: FLAG,
        },
        Parameter {
            name: "still",
            about: "1 for one that never moves",
            kind: FLAG,
        },
        Parameter {
            name: "v",
            about: "the version of the program, so that another one draws anew; it changes nothing",
            kind: Kind::Text(40),
        },
    ],
    takes: None,
    gives: Gives::File("image/svg+xml"),
    refuses: &[],
    handle: |ask| Box::pin(async move { Ok(draw(&ask)) }),
};

const FLAG: Kind = Kind::Number {
    least: 0,
    most: 1,
    usual: Some(0),
};

const fn shape(name: &'static str, about: &'static str, most: u32) -> Parameter {
    let kind = Kind::Number {
        least: 0,
        most: most as i64,
        usual: Some(0),
    };
    Parameter { name, about, kind }
}

const fn hue(name: &'static str, about: &'static str) -> Parameter {
    let kind = Kind::Decimal {
        least: 0.0,
        most: 360.0,
        usual: 0.0,
    };
    Parameter { name, about, kind }
}

fn draw(ask: &Ask) -> Answer {
    let is_set = |name| ask.values.number(name) == Some(1);
    let creature = Creature {
        looks: looks(ask),
        pose: ask
            .values
            .text("pose")
            .and_then(Pose::from_name)
            .unwrap_or(Pose::Idle),
        age: if is_set("child") {
            Age::Child
        } else {
            Age::Grown
        },
        motion: if is_set("still") {
            Motion::Still
        } else {
            Motion::Animated
        },
        title: None,
    };
    let mut answer = whole(StatusCode::OK, "image/svg+xml", creature.svg().into());
    answer.headers_mut().insert(CACHE_CONTROL, KEPT);
    answer
}

fn looks(ask: &Ask) -> Appearance {
    let index = |name| {
        let number = ask.values.number(name).unwrap_or(0);
        u32::try_from(number).unwrap_or(0)
    };
    let degrees = |name| ask.values.decimal(name).unwrap_or(0.0);
    Appearance {
        body_index: index("body"),
        hair_index: index("hair"),
        outfit_index: index("outfit"),
        accessory_index: index("accessory"),
        face_index: index("face"),
        hair_hue: degrees("hair_hue"),
        outfit_hue: degrees("outfit_hue"),
        skin_hue: degrees("skin_hue"),
        skin_lightness: ask.values.decimal("skin_lightness").unwrap_or(82.0),
    }
}
