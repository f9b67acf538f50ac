//! What holds for every drawing.

use std::collections::HashSet;

use resvg::{tiny_skia, usvg};

use crate::appearance::SlotCounts;
use crate::{Appearance, Creature, Cycle, Gallery, Motion, Pose, Row};

const MOTIONS: [Motion; 4] = [
    Motion::Animated,
    Motion::Still,
    Motion::Frame(0.0),
    Motion::Frame(0.37),
];

/// Looks in which every shape of every slot occurs, with hues all around.
fn looks() -> Vec<Appearance> {
    let counts = SlotCounts::DRAWN;
    let most = counts.body.max(counts.hair).max(counts.accessory + 1);
    let all = (0..most).flat_map(|number| {
        let at = Appearance::of(&format!("agent-{number}"));
        let straight = Appearance {
            body_index: number % counts.body,
            hair_index: number % counts.hair,
            outfit_index: number % counts.outfit,
            accessory_index: number % (counts.accessory + 1),
            face_index: number % counts.face,
            ..at
        };
        let shifted = Appearance {
            hair_index: (number + 3) % counts.hair,
            accessory_index: (number + 5) % (counts.accessory + 1),
            face_index: (number + 2) % counts.face,
            ..straight
        };
        [straight, shifted]
    });
    all.collect()
}

/// One of the indices that choose a shape.
type Slot = fn(&mut Appearance) -> &mut u32;

fn pixels(svg: &str) -> Vec<u8> {
    let tree = usvg::Tree::from_str(svg, &usvg::Options::default()).unwrap();
    let mut pixmap = tiny_skia::Pixmap::new(72, 80).unwrap();
    let transform = tiny_skia::Transform::from_scale(0.5, 0.5);
    resvg::render(&tree, transform, &mut pixmap.as_mut());
    pixmap.data().to_vec()
}

/// How many of the points of two drawings differ, in percent.
fn difference(one: &str, other: &str) -> usize {
    let (one, other) = (pixels(one), pixels(other));
    let points = one.chunks(4).zip(other.chunks(4));
    points.filter(|(one, other)| one != other).count() * 100 / (72 * 80)
}

#[test]
fn every_drawing_is_plain_svg_of_a_bounded_size() {
    let mut largest = 0;
    for looks in looks() {
        for pose in Pose::ALL {
            for motion in MOTIONS {
                let creature = Creature::new(looks, *pose).with_motion(motion);
                let creature = creature.with_title("a <b> & 'c'");
                let svg = creature.svg();
                assert_eq!(svg, creature.svg(), "the same comes out twice");
                check(&svg);
                largest = largest.max(svg.len());
            }
        }
    }
    assert!(largest <= 8 * 1024, "{largest} bytes");
    println!("the largest drawing has {largest} bytes");
}

fn check(svg: &str) {
    let document = roxmltree::Document::parse(svg).unwrap_or_else(|error| panic!("{error}: {svg}"));
    for odd in ["NaN", "inf", "oklch", "<text", "--"] {
        assert!(
            !svg.contains(odd) || odd == "inf" && svg.contains("infinite"),
            "{odd}: {svg}"
        );
    }
    let mut names = HashSet::new();
    for node in document.descendants() {
        if let Some(id) = node.attribute("id") {
            assert!(names.insert(id.to_owned()), "{id} is there twice: {svg}");
        }
    }
    for node in document.descendants() {
        let used = node.attributes().filter_map(|attribute| {
            let value = attribute.value();
            value
                .strip_prefix('#')
                .filter(|_| attribute.name() == "href")
                .or_else(|| {
                    value
                        .strip_prefix("url(#")
                        .and_then(|name| name.strip_suffix(')'))
                })
        });
        for name in used {
            assert!(names.contains(name), "{name} is not there: {svg}");
        }
    }
}

#[test]
fn a_hundred_agents_are_told_apart() {
    let step = |hue: f64| format!("{:.0}", hue / 30.0);
    let looks = (0..100).map(|number| Appearance::of(&format!("0197f0f0-7000-{number:04x}")));
    let told: HashSet<_> = looks
        .map(|looks| {
            let shapes = [
                looks.body_index,
                looks.hair_index,
                looks.outfit_index,
                looks.accessory_index,
                looks.face_index,
            ];
            (shapes, step(looks.skin_hue))
        })
        .collect();
    assert!(told.len() >= 95, "{}", told.len());
}

#[test]
fn every_shape_of_a_slot_differs_to_the_eye() {
    let plain = Appearance {
        accessory_index: 0,
        ..Appearance::of("somebody")
    };
    let counts = SlotCounts::DRAWN;
    let slots: [(u32, Slot); 5] = [
        (counts.body, |looks| &mut looks.body_index),
        (counts.hair, |looks| &mut looks.hair_index),
        (counts.outfit, |looks| &mut looks.outfit_index),
        (counts.accessory + 1, |looks| &mut looks.accessory_index),
        (counts.face, |looks| &mut looks.face_index),
    ];
    for (slot, (count, field)) in slots.into_iter().enumerate() {
        let drawings: Vec<String> = (0..count)
            .map(|index| {
                let mut looks = plain;
                *field(&mut looks) = index;
                still(looks, Pose::Idle)
            })
            .collect();
        for (place, one) in drawings.iter().enumerate() {
            for (other, two) in drawings.iter().enumerate().skip(place + 1) {
                assert!(
                    difference(one, two) >= 1,
                    "slot {slot}: {place} and {other}"
                );
            }
        }
    }
}

fn still(looks: Appearance, pose: Pose) -> String {
    Creature::new(looks, pose).with_motion(Motion::Still).svg()
}

#[test]
fn every_hue_is_seen_whatever_is_worn() {
    for looks in looks() {
        let hues: [fn(&mut Appearance) -> &mut f64; 3] = [
            |looks| &mut looks.hair_hue,
            |looks| &mut looks.outfit_hue,
            |looks| &mut looks.skin_hue,
        ];
        for (which, hue) in hues.into_iter().enumerate() {
            let mut other = looks;
            *hue(&mut other) += 180.0;
            let seen = difference(&still(looks, Pose::Idle), &still(other, Pose::Idle));
            assert!(seen >= 1, "hue {which} of {looks:?}: {seen} percent");
        }
    }
}

#[test]
fn every_pose_differs_from_standing_there() {
    let looks = Appearance::of("somebody");
    let idle = still(looks, Pose::Idle);
    for pose in Pose::ALL.iter().filter(|pose| **pose != Pose::Idle) {
        let seen = difference(&idle, &still(looks, *pose));
        assert!(seen >= 2, "{pose:?}: {seen} percent");
    }
    let child = Creature::new(looks, Pose::Idle)
        .child()
        .with_motion(Motion::Still);
    assert!(difference(&idle, &child.svg()) >= 10);
}

#[test]
fn nothing_is_cut_off_at_the_edge() {
    let mut cut = Vec::new();
    for looks in looks() {
        for pose in Pose::ALL {
            for moment in [0.0, 0.16, 0.25, 0.5, 0.75, 1.0] {
                let creature = Creature::new(looks, *pose);
                let points = pixels(&creature.with_motion(Motion::Frame(moment)).svg());
                let at = |x: usize, y: usize| points[(y * 72 + x) * 4 + 3];
                let sides = (0..80).flat_map(|y| [at(0, y), at(71, y)]);
                let ends = (0..72).flat_map(|x| [at(x, 0), at(x, 79)]);
                if sides.chain(ends).any(|opacity| opacity > 0) {
                    cut.push((pose, moment, looks));
                }
            }
        }
    }
    assert!(cut.is_empty(), "{cut:#?}");
}

#[test]
fn frames_move_where_the_pose_moves_and_stand_still_where_not() {
    let looks = Appearance::of("somebody");
    for pose in Pose::ALL {
        let frame = |moment| {
            Creature::new(looks, *pose)
                .with_motion(Motion::Frame(moment))
                .svg()
        };
        let animated = Creature::new(looks, *pose).svg();
        if pose.cycle() == Cycle::Still {
            assert_eq!(frame(0.0), frame(0.3), "{pose:?}");
            assert!(!animated.contains("<style"), "{pose:?}");
            continue;
        }
        assert_ne!(frame(0.0), frame(0.3), "{pose:?}");
        assert!(
            animated.contains("@media(prefers-reduced-motion:reduce)"),
            "{pose:?}"
        );
        if let Cycle::Once(_) = pose.cycle() {
            let (end, rest) = (pixels(&frame(1.0)), pixels(&still(looks, *pose)));
            assert!(end == rest, "{pose:?} ends as it stands");
        }
    }
}

#[test]
fn looks_beyond_the_lists_are_drawn_all_the_same() {
    let odd = Appearance {
        body_index: u32::MAX,
        hair_index: 8,
        outfit_index: 900,
        accessory_index: u32::MAX,
        face_index: 7,
        hair_hue: f64::NAN,
        outfit_hue: f64::INFINITY,
        skin_hue: -720.5,
        skin_lightness: f64::NAN,
    };
    check(&Creature::new(odd, Pose::Working).svg());
}

#[test]
fn a_gallery_is_one_document() {
    let creatures = (0..23).map(|number| {
        let name = format!("<{number}>");
        let looks = Appearance::of(&name);
        (
            name,
            Creature::new(looks, Pose::ALL[number % Pose::ALL.len()]),
        )
    });
    let row = Row {
        heading: "all & sundry".to_owned(),
        creatures: creatures.collect(),
    };
    let svg = Gallery {
        rows: vec![row.clone(), row],
    }
    .svg();
    let document = roxmltree::Document::parse(&svg).unwrap();
    let ids: Vec<_> = document
        .descendants()
        .filter_map(|node| node.attribute("id"))
        .collect();
    let distinct: HashSet<_> = ids.iter().collect();
    assert_eq!((ids.len(), distinct.len()), (46 * 4, 46 * 4));
}

#[test]
fn lists_are_as_long_as_looks_can_choose() {
    let counts = SlotCounts::DRAWN;
    let lists = [
        (counts.body, crate::bodies::BODIES.len()),
        (counts.hair, crate::hairs::HAIRS.len()),
        (counts.outfit, crate::outfits::OUTFITS.len()),
        (counts.accessory, crate::accessories::ACCESSORIES.len()),
        (counts.face, crate::faces::FACES.len()),
    ];
    for (count, length) in lists {
        assert_eq!(count as usize, length);
    }
}
