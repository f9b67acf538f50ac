//! The stance of every pose.

use crate::motion::Cycle;
use crate::movement::Part::{
    Eyes as EyesPart, First, LeftArm, LeftFoot, Mouth as MouthPart, RightArm, RightFoot, Second,
    Tail, Thing, Third, Trunk, Whole,
};
use crate::movement::Way::{Fade, Grow, Lift, Shift, Squash, Stretch, Turn};
use crate::movement::{Movement, Part, Way};
use crate::palette::Tone;
use crate::pose::Pose;
use crate::props::Prop;
use crate::stance::{Eyes, Mouth, Stance};

impl Pose {
    /// How long its movement takes, and whether it begins again.
    pub fn cycle(self) -> Cycle {
        self.stance().cycle
    }

    pub(crate) fn stance(self) -> &'static Stance {
        match self {
            Self::Idle => &Stance::PLAIN,
            Self::Appearing => &APPEARING,
            Self::Working => &WORKING,
            Self::Thinking => &THINKING,
            Self::Terminal => &TERMINAL,
            Self::Searching => &SEARCHING,
            Self::Editing => &EDITING,
            Self::Waiting => &WAITING,
            Self::Failed => &FAILED,
            Self::Resting => &RESTING,
            Self::Done => &DONE,
            Self::Startled => &STARTLED,
            Self::Walking => &WALKING,
            Self::Chatting => &CHATTING,
            Self::Leaving => &LEAVING,
            Self::Unknown => &UNKNOWN,
        }
    }
}

const fn moving(part: Part, way: Way, keys: &'static [(u8, f32)]) -> Movement {
    Movement { part, way, keys }
}

const BLINK: Movement = moving(
    EyesPart,
    Stretch,
    &[(0, 1.0), (88, 1.0), (92, 0.1), (96, 1.0), (100, 1.0)],
);
const WAG: Movement = moving(Tail, Turn, &[(0, -5.0), (50, 8.0), (100, -5.0)]);
const TAP: &[(u8, f32)] = &[
    (0, -7.0),
    (12, 8.0),
    (25, -7.0),
    (37, 8.0),
    (50, -7.0),
    (62, 8.0),
    (75, -7.0),
    (87, 8.0),
    (100, -7.0),
];
const TAP_BACK: &[(u8, f32)] = &[
    (0, 8.0),
    (12, -7.0),
    (25, 8.0),
    (37, -7.0),
    (50, 8.0),
    (62, -7.0),
    (75, 8.0),
    (87, -7.0),
    (100, 8.0),
];
const WAVE: &[(u8, f32)] = &[
    (0, 0.0),
    (15, -16.0),
    (30, 12.0),
    (45, -16.0),
    (60, 12.0),
    (75, -16.0),
    (100, 0.0),
];
const DOTS: [Movement; 3] = [
    moving(
        First,
        Fade,
        &[(0, 0.25), (20, 1.0), (60, 0.25), (100, 0.25)],
    ),
    moving(
        Second,
        Fade,
        &[(0, 0.25), (15, 0.25), (35, 1.0), (75, 0.25), (100, 0.25)],
    ),
    moving(
        Third,
        Fade,
        &[(0, 0.25), (30, 0.25), (50, 1.0), (90, 0.25), (100, 0.25)],
    ),
];

const APPEARING: Stance = Stance {
    arms: (92.0, 92.0),
    mouth: Mouth::Grin,
    props: &[Prop::SPARKLES],
    cycle: Cycle::Once(800),
    movements: &[
        moving(
            Whole,
            Grow,
            &[(0, 0.05), (50, 1.05), (72, 0.96), (88, 1.0), (100, 1.0)],
        ),
        moving(Thing, Fade, &[(0, 0.0), (50, 1.0), (100, 1.0)]),
    ],
    ..Stance::PLAIN
};

const WORKING: Stance = Stance {
    arms: (-62.0, -62.0),
    eyes: Eyes::Aside(0.0, 3.0),
    props: &[Prop::LAPTOP],
    cycle: Cycle::Again(1600),
    movements: &[
        moving(LeftArm, Turn, TAP),
        moving(RightArm, Turn, TAP_BACK),
        moving(Trunk, Squash, &[(0, 0.0), (50, 0.014), (100, 0.0)]),
        BLINK,
    ],
    ..Stance::PLAIN
};

const THINKING: Stance = Stance {
    arms: (0.0, -128.0),
    eyes: Eyes::Aside(2.4, -3.4),
    mouth: Mouth::Calm,
    lean: 2.0,
    props: &[Prop::THOUGHT],
    cycle: Cycle::Again(2400),
    movements: &[
        DOTS[0],
        DOTS[1],
        DOTS[2],
        moving(Trunk, Turn, &[(0, -1.5), (50, 1.5), (100, -1.5)]),
        BLINK,
        WAG,
    ],
    ..Stance::PLAIN
};

const TERMINAL: Stance = Stance {
    props: &[Prop::TERMINAL],
    movements: &[
        moving(LeftArm, Turn, TAP),
        moving(RightArm, Turn, TAP_BACK),
        moving(
            First,
            Fade,
            &[(0, 1.0), (49, 1.0), (50, 0.0), (99, 0.0), (100, 1.0)],
        ),
        BLINK,
    ],
    ..WORKING
};

const SEARCHING: Stance = Stance {
    arms: (0.0, 74.0),
    eyes: Eyes::Aside(3.0, 0.4),
    mouth: Mouth::Calm,
    props: &[Prop::LENS],
    cycle: Cycle::Again(2600),
    movements: &[
        moving(RightArm, Turn, &[(0, -9.0), (50, 11.0), (100, -9.0)]),
        moving(EyesPart, Shift, &[(0, -1.5), (50, 1.5), (100, -1.5)]),
        moving(Trunk, Turn, &[(0, -1.5), (50, 2.5), (100, -1.5)]),
        WAG,
    ],
    ..Stance::PLAIN
};

const EDITING: Stance = Stance {
    arms: (-62.0, -56.0),
    eyes: Eyes::Aside(2.0, 3.0),
    props: &[Prop::PAPER, Prop::PENCIL],
    cycle: Cycle::Again(1600),
    movements: &[
        moving(RightArm, Turn, TAP),
        moving(Trunk, Squash, &[(0, 0.0), (50, 0.014), (100, 0.0)]),
        BLINK,
    ],
    ..Stance::PLAIN
};

const WAITING: Stance = Stance {
    arms: (0.0, 104.0),
    mouth: Mouth::Open,
    props: &[Prop::BANG],
    cycle: Cycle::Again(1800),
    movements: &[
        moving(Whole, Lift, &[(0, 0.0), (16, -9.0), (32, 0.0), (100, 0.0)]),
        moving(RightArm, Turn, WAVE),
        moving(Thing, Grow, &[(0, 1.0), (16, 1.13), (32, 1.0), (100, 1.0)]),
        BLINK,
    ],
    ..Stance::PLAIN
};

const FAILED: Stance = Stance {
    arms: (-16.0, -16.0),
    eyes: Eyes::Dizzy,
    mouth: Mouth::Wavy,
    tone: Tone::Pale,
    lean: -5.0,
    props: &[Prop::SWEAT],
    cycle: Cycle::Once(900),
    movements: &[
        moving(
            Whole,
            Shift,
            &[
                (0, 0.0),
                (15, -3.0),
                (32, 3.0),
                (50, -2.5),
                (68, 2.0),
                (85, -1.0),
                (100, 0.0),
            ],
        ),
        moving(Thing, Lift, &[(0, -7.0), (100, 0.0)]),
    ],
    ..Stance::PLAIN
};

const RESTING: Stance = Stance {
    arms: (-30.0, -30.0),
    eyes: Eyes::Closed,
    mouth: Mouth::Calm,
    lean: 3.0,
    props: &[Prop::ZZZ],
    ..Stance::PLAIN
};

const DONE: Stance = Stance {
    arms: (104.0, 104.0),
    eyes: Eyes::Joyful,
    mouth: Mouth::Grin,
    props: &[Prop::CONFETTI],
    cycle: Cycle::Once(1400),
    movements: &[
        moving(
            Whole,
            Lift,
            &[
                (0, 0.0),
                (22, -11.0),
                (44, 0.0),
                (62, -6.0),
                (80, 0.0),
                (100, 0.0),
            ],
        ),
        moving(Thing, Lift, &[(0, -8.0), (100, 0.0)]),
    ],
    ..Stance::PLAIN
};

const STARTLED: Stance = Stance {
    arms: (70.0, 70.0),
    eyes: Eyes::Wide,
    mouth: Mouth::Open,
    props: &[Prop::SHOCK],
    cycle: Cycle::Once(700),
    movements: &[
        moving(
            Whole,
            Lift,
            &[(0, 0.0), (30, -6.0), (60, 0.0), (78, -3.0), (100, 0.0)],
        ),
        moving(
            Trunk,
            Squash,
            &[(0, 0.06), (30, -0.04), (60, 0.06), (80, 0.0), (100, 0.0)],
        ),
    ],
    ..Stance::PLAIN
};

const WALKING: Stance = Stance {
    arms: (14.0, 14.0),
    lean: 2.0,
    props: &[Prop::DUST],
    cycle: Cycle::Again(800),
    movements: &[
        moving(
            LeftFoot,
            Lift,
            &[(0, 0.0), (25, -7.0), (50, 0.0), (100, 0.0)],
        ),
        moving(
            RightFoot,
            Lift,
            &[(0, 0.0), (50, 0.0), (75, -7.0), (100, 0.0)],
        ),
        moving(LeftArm, Turn, &[(0, -18.0), (50, 18.0), (100, -18.0)]),
        moving(RightArm, Turn, &[(0, 18.0), (50, -18.0), (100, 18.0)]),
        moving(Trunk, Turn, &[(0, -2.5), (50, 2.5), (100, -2.5)]),
        moving(
            Whole,
            Lift,
            &[(0, 0.0), (25, -3.0), (50, 0.0), (75, -3.0), (100, 0.0)],
        ),
    ],
    ..Stance::PLAIN
};

const CHATTING: Stance = Stance {
    arms: (0.0, 70.0),
    eyes: Eyes::Aside(2.0, 0.0),
    mouth: Mouth::Grin,
    props: &[Prop::SPEECH],
    cycle: Cycle::Again(2000),
    movements: &[
        moving(
            MouthPart,
            Stretch,
            &[
                (0, 1.0),
                (15, 0.45),
                (30, 1.0),
                (45, 0.5),
                (60, 1.0),
                (75, 0.4),
                (100, 1.0),
            ],
        ),
        moving(RightArm, Turn, &[(0, -8.0), (50, 10.0), (100, -8.0)]),
        moving(Trunk, Turn, &[(0, -1.5), (50, 1.5), (100, -1.5)]),
        BLINK,
        WAG,
    ],
    ..Stance::PLAIN
};

const LEAVING: Stance = Stance {
    arms: (0.0, 104.0),
    eyes: Eyes::Joyful,
    opacity: 0.55,
    props: &[Prop::BUNDLE],
    cycle: Cycle::Once(1800),
    movements: &[moving(RightArm, Turn, WAVE)],
    ..Stance::PLAIN
};

const UNKNOWN: Stance = Stance {
    eyes: Eyes::Aside(-1.5, -1.0),
    mouth: Mouth::Calm,
    tone: Tone::Grey,
    props: &[Prop::QUESTION],
    ..Stance::PLAIN
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_moves_one_way_and_its_keys_span_the_cycle() {
        for pose in Pose::ALL {
            let stance = pose.stance();
            for (place, movement) in stance.movements.iter().enumerate() {
                let others = &stance.movements[place + 1..];
                assert!(
                    others.iter().all(|other| other.part != movement.part),
                    "{pose:?}: {:?} moves twice",
                    movement.part
                );
                let (first, last) = (movement.keys[0], movement.keys[movement.keys.len() - 1]);
                assert_eq!((first.0, last.0), (0, 100), "{pose:?}: {movement:?}");
                assert!(movement.keys.is_sorted_by(|one, next| one.0 < next.0));
            }
            let moves = !stance.movements.is_empty();
            assert_eq!(moves, stance.cycle != Cycle::Still, "{pose:?}");
        }
    }

    #[test]
    fn what_begins_again_has_no_jerk_and_what_ends_stands_as_it_would_without() {
        for pose in Pose::ALL {
            for movement in pose.stance().movements {
                let (first, last) = (movement.keys[0].1, movement.keys[movement.keys.len() - 1].1);
                let rest = match movement.way {
                    Grow | Stretch | Fade => 1.0,
                    Turn | Lift | Shift | Squash => 0.0,
                };
                let wanted = match pose.cycle() {
                    Cycle::Once(_) => rest,
                    Cycle::Again(_) | Cycle::Still => first,
                };
                assert!(
                    (last - wanted).abs() < f32::EPSILON,
                    "{pose:?}: {movement:?}"
                );
            }
        }
    }

    #[test]
    fn where_nothing_happens_nothing_moves() {
        for pose in [Pose::Idle, Pose::Resting, Pose::Unknown] {
            assert_eq!(pose.cycle(), Cycle::Still);
        }
        assert!(matches!(Pose::Done.cycle(), Cycle::Once(_)));
    }
}
