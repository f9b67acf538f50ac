//! Movement: a part of the figure, one way to move, and where it is when. The style sheet of a moving
//! drawing and the attributes of a single moment are both written from it.

use std::fmt::Write as _;

use crate::motion::Cycle;
use crate::number::N;

/// What can move by itself. Each is drawn around the point that it turns about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    /// The figure with all that it wears and holds.
    Whole,
    /// The same without its shadow, about the ground.
    Trunk,
    LeftArm,
    RightArm,
    LeftFoot,
    RightFoot,
    Tail,
    Eyes,
    Mouth,
    /// A thing beside the figure.
    Thing,
    /// Of three things, the first.
    First,
    Second,
    Third,
}

impl Part {
    /// The letter that names it in a style sheet.
    const fn letter(self) -> char {
        match self {
            Self::Whole => 'w',
            Self::Trunk => 'b',
            Self::LeftArm => 'l',
            Self::RightArm => 'r',
            Self::LeftFoot => 'f',
            Self::RightFoot => 'g',
            Self::Tail => 't',
            Self::Eyes => 'e',
            Self::Mouth => 'm',
            Self::Thing => 'p',
            Self::First => 'x',
            Self::Second => 'y',
            Self::Third => 'z',
        }
    }
}

/// A way to move, with one number that says how far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    /// Turned by degrees.
    Turn,
    /// Up or down.
    Lift,
    /// To the side.
    Shift,
    /// Wider and lower by this share.
    Squash,
    Grow,
    /// As high, as wide as ever.
    Stretch,
    Fade,
}

/// One part's movement: where it is at which percent of the cycle.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Movement {
    pub part: Part,
    pub way: Way,
    pub keys: &'static [(u8, f32)],
}

/// Between two keys it starts and ends gently, as half a wave does.
const GENTLY: &str = "cubic-bezier(.37,0,.63,1)";

impl Movement {
    /// The class of the part in a drawing of this scope.
    pub(crate) fn class(&self, scope: &str) -> String {
        format!("{scope}{}", self.part.letter())
    }

    /// The rules of the style sheet.
    pub(crate) fn rules(&self, scope: &str, cycle: Cycle) -> String {
        let (ms, count) = match cycle {
            Cycle::Still => return String::new(),
            Cycle::Once(ms) => (ms, "both"),
            Cycle::Again(ms) => (ms, "infinite"),
        };
        let class = self.class(scope);
        let mut rules = format!(".{class}{{animation:{class} {ms}ms {GENTLY} {count}}}");
        let _ = write!(rules, "@keyframes {class}{{");
        for (percent, far) in self.keys {
            let _ = write!(rules, "{percent}%{{{}}}", self.declaration(*far));
        }
        rules.push('}');
        rules
    }

    fn declaration(&self, far: f32) -> String {
        let (wide, high) = (N(1.0 + far), N(1.0 - far));
        let far = N(far);
        match self.way {
            Way::Turn => format!("transform:rotate({far}deg)"),
            Way::Lift => format!("transform:translateY({far}px)"),
            Way::Shift => format!("transform:translateX({far}px)"),
            Way::Squash => format!("transform:scale({wide},{high})"),
            Way::Grow => format!("transform:scale({far})"),
            Way::Stretch => format!("transform:scaleY({far})"),
            Way::Fade => format!("opacity:{far}"),
        }
    }

    /// The attribute that puts the part where it is at a moment of the cycle.
    pub(crate) fn attribute(&self, moment: f32) -> String {
        let far = self.at(moment);
        let (wide, high) = (N(1.0 + far), N(1.0 - far));
        let far = N(far);
        match self.way {
            Way::Turn => format!("transform='rotate({far})'"),
            Way::Lift => format!("transform='translate(0 {far})'"),
            Way::Shift => format!("transform='translate({far} 0)'"),
            Way::Squash => format!("transform='scale({wide} {high})'"),
            Way::Grow => format!("transform='scale({far})'"),
            Way::Stretch => format!("transform='scale(1 {far})'"),
            Way::Fade => format!("opacity='{far}'"),
        }
    }

    /// How far it has moved at a moment of the cycle.
    fn at(&self, moment: f32) -> f32 {
        let moment = if moment.is_finite() { moment } else { 0.0 };
        let percent = moment.clamp(0.0, 1.0) * 100.0;
        let next = self.keys.iter().position(|key| f32::from(key.0) >= percent);
        let next = next.unwrap_or(self.keys.len().saturating_sub(1));
        let (Some(to), Some(from)) = (self.keys.get(next), self.keys.get(next.saturating_sub(1)))
        else {
            return 0.0;
        };
        let length = f32::from(to.0.saturating_sub(from.0)).max(1.0);
        let share = ((percent - f32::from(from.0)) / length).clamp(0.0, 1.0);
        let eased = (1.0 - (share * std::f32::consts::PI).cos()) / 2.0;
        from.1 + (to.1 - from.1) * eased
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOD: Movement = Movement {
        part: Part::Eyes,
        way: Way::Turn,
        keys: &[(0, 0.0), (50, 10.0), (100, 0.0)],
    };

    #[test]
    fn a_moment_lies_between_its_keys() {
        let at = [0.0, 0.25, 0.5, 1.0, 7.0, f32::NAN].map(|moment| N(NOD.at(moment)).to_string());
        assert_eq!(at, ["0", "5", "10", "0", "0", "0"]);
        assert_eq!(NOD.attribute(0.5), "transform='rotate(10)'");
    }

    #[test]
    fn the_style_sheet_has_the_same_keys() {
        assert_eq!(
            NOD.rules("c", Cycle::Again(800)),
            ".ce{animation:ce 800ms cubic-bezier(.37,0,.63,1) infinite}\
             @keyframes ce{0%{transform:rotate(0deg)}50%{transform:rotate(10deg)}100%{transform:rotate(0deg)}}"
        );
        assert_eq!(NOD.rules("c", Cycle::Still), "");
    }
}
