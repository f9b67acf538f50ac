//! Arms and feet.

use crate::bodies::Feet;
use crate::figure::Figure;
use crate::movement::Part;
use crate::number::N;
use crate::outfits::Sleeves;
use crate::props::Place;

/// Where the hand is, seen from the shoulder of a hanging arm.
const HAND: (f32, f32) = (12.0, 15.0);

/// Both arms, with what they hold.
pub(crate) fn arms(figure: &Figure) -> String {
    let (left, right) = figure.stance.arms;
    let (x, y) = figure.body.shoulder;
    let (arm, held) = (arm(figure), held(figure, right));
    let left_arm = figure.moving(Part::LeftArm, &arm);
    let right_arm = figure.moving(Part::RightArm, &format!("{arm}{held}"));
    format!(
        "<g transform='translate({} {y}) scale(-1 1) rotate({})'>{left_arm}</g>\
         <g transform='translate({} {y}) rotate({})'>{right_arm}</g>",
        N(-x),
        N(-left),
        N(x),
        N(-right),
        y = N(y)
    )
}

/// A right arm that hangs.
fn arm(figure: &Figure) -> String {
    let palette = &figure.palette;
    let sleeve = match figure.outfit.sleeves {
        Sleeves::None => &palette.skin,
        Sleeves::Long => &palette.outfit,
    };
    format!(
        "<path d='M0 0Q12 1 12 12' fill='none' stroke-width='11'/>\
         <circle cx='12' cy='15' r='5.2' fill='{}'/>\
         <path d='M0 0Q12 1 12 12' fill='none' stroke='{sleeve}' stroke-width='6.2'/>",
        palette.skin
    )
}

/// What the right hand holds, upright however far the arm is raised.
fn held(figure: &Figure, raised: f32) -> String {
    let held = figure.things(|place| place == Place::Held);
    if held.is_empty() {
        return held;
    }
    let (x, y) = HAND;
    let (x, y, turned) = (N(x), N(y), N(raised));
    format!("<g transform='translate({x} {y}) rotate({turned})'>{held}</g>")
}

/// Both feet, if it has any.
pub(crate) fn feet(figure: &Figure) -> String {
    if figure.body.feet == Feet::None {
        return String::new();
    }
    let foot = "<ellipse rx='11.5' ry='6'/>";
    let left = figure.moving(Part::LeftFoot, foot);
    let right = figure.moving(Part::RightFoot, foot);
    format!(
        "<g fill='{}'><g transform='translate(-17 -1)'>{left}</g><g transform='translate(17 -1)'>{right}</g></g>",
        figure.palette.skin_dark
    )
}
