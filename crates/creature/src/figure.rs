//! The figure: all of a creature's parts, one over another.

use crate::accessories::{ACCESSORIES, Accessory, Crown};
use crate::appearance::Appearance;
use crate::bodies::{BODIES, Body};
use crate::faces::{FACES, Face, face};
use crate::hairs::{HAIRS, Hair, Layer};
use crate::limbs::{arms, feet};
use crate::markings::marking;
use crate::motion::{Cycle, Motion};
use crate::movement::{Movement, Part};
use crate::number::N;
use crate::outfits::{OUTFITS, Outfit};
use crate::palette::Palette;
use crate::pose::Pose;
use crate::props::Place;
use crate::stance::Stance;

/// What is being drawn: every drawing takes from it what it needs.
pub(crate) struct Figure<'a> {
    pub looks: &'a Appearance,
    pub palette: Palette,
    pub body: &'static Body,
    pub face: &'static Face,
    pub outfit: &'static Outfit,
    hair: &'static Hair,
    accessory: Option<&'static Accessory>,
    pub stance: &'static Stance,
    motion: Motion,
    /// What every name in the document begins with.
    pub scope: &'a str,
}

impl<'a> Figure<'a> {
    pub(crate) fn new(looks: &'a Appearance, pose: Pose, motion: Motion, scope: &'a str) -> Self {
        let stance = pose.stance();
        Self {
            looks,
            palette: Palette::of(looks, stance.tone),
            body: pick(BODIES, looks.body_index),
            face: pick(FACES, looks.face_index),
            outfit: pick(OUTFITS, looks.outfit_index),
            hair: pick(HAIRS, looks.hair_index),
            accessory: (looks.accessory_index.checked_sub(1)).map(|index| pick(ACCESSORIES, index)),
            stance,
            motion,
            scope,
        }
    }

    /// What is under the crown of the head's hat, if it wears one.
    pub(crate) fn crown(&self) -> Crown {
        self.accessory.map_or(Crown::Bare, |worn| worn.crown)
    }

    /// What is defined for later: the outline, what is cut out along it, and the skin's shading.
    pub(crate) fn definitions(&self) -> String {
        let (scope, outline) = (self.scope, self.body.outline);
        let Palette {
            skin,
            skin_light,
            skin_dark,
            ..
        } = &self.palette;
        format!(
            "<defs><path id='{scope}-o' d='{outline}'/><clipPath id='{scope}-c'><use href='#{scope}-o'/></clipPath>\
             <radialGradient id='{scope}-s' cx='.36' cy='.24' r='.9'><stop stop-color='{skin_light}'/>\
             <stop offset='.5' stop-color='{skin}'/><stop offset='1' stop-color='{skin_dark}'/></radialGradient></defs>"
        )
    }

    /// The rules that move it; nothing where it stands still.
    pub(crate) fn style(&self) -> String {
        let scope = self.scope;
        if self.motion != Motion::Animated || self.stance.cycle == Cycle::Still {
            return String::new();
        }
        let movements = self.stance.movements.iter();
        let rules: String = movements
            .map(|movement| movement.rules(scope, self.stance.cycle))
            .collect();
        format!(
            "<style>{rules}@media(prefers-reduced-motion:reduce){{#{scope} *{{animation:none}}}}</style>"
        )
    }

    /// A part that may move: in a group of its own if it does.
    pub(crate) fn moving(&self, part: Part, content: &str) -> String {
        let moves = |movement: &&Movement| movement.part == part;
        let movement = self.stance.movements.iter().find(moves);
        match (movement, self.motion) {
            (None, _) | (_, Motion::Still) => content.to_owned(),
            (Some(movement), Motion::Animated) => {
                format!("<g class='{}'>{content}</g>", movement.class(self.scope))
            }
            (Some(movement), Motion::Frame(moment)) => {
                format!("<g {}>{content}</g>", movement.attribute(moment))
            }
        }
    }

    /// All of it, around the middle of the ground.
    pub(crate) fn draw(&self) -> String {
        let trunk = self.moving(Part::Trunk, &self.trunk());
        let lean = N(self.stance.lean);
        let trunk = format!("<g transform='rotate({lean})'>{trunk}</g>");
        let whole = self.moving(Part::Whole, &trunk);
        let (line, opacity) = (&self.palette.line, N(self.stance.opacity));
        let beside = self.things(|place| matches!(place, Place::Beside(..)));
        format!(
            "<ellipse cy='2' rx='38' ry='5.5' fill='#0a0f25' opacity='.26'/>\
             <g stroke='{line}' stroke-width='2.6' stroke-linejoin='round' stroke-linecap='round' opacity='{opacity}'>\
             {whole}{beside}</g>"
        )
    }

    /// The body with what it wears and holds, from back to front.
    fn trunk(&self) -> String {
        [
            (self.outfit.behind)(self),
            self.tail(),
            self.hair(Layer::Behind),
            feet(self),
            self.skin(),
            self.hair(Layer::Before),
            face(self),
            (self.outfit.over)(self),
            self.worn(),
            self.things(|place| place == Place::Before),
            arms(self),
        ]
        .concat()
    }

    fn skin(&self) -> String {
        let scope = self.scope;
        let (marking, outfit) = (marking(self), (self.outfit.on)(self));
        format!(
            "<use href='#{scope}-o' fill='url(#{scope}-s)' stroke='none'/><g clip-path='url(#{scope}-c)'>{marking}\
             <ellipse cx='-19' cy='{}' rx='13' ry='6.5' fill='#fff' opacity='.4' stroke='none' transform='rotate(-30 -19 {0})'/>\
             {outfit}</g><use href='#{scope}-o' fill='none' stroke-width='3'/>",
            N(self.body.brow.1 + 8.0)
        )
    }

    fn hair(&self, layer: Layer) -> String {
        if self.hair.layer == layer {
            (self.hair.draw)(self)
        } else {
            String::new()
        }
    }

    fn tail(&self) -> String {
        let tail = (self.hair.tail)(&self.palette);
        if tail.is_empty() {
            return tail;
        }
        let tail = self.moving(Part::Tail, &tail);
        format!("<g transform='translate(32 -13)'>{tail}</g>")
    }

    fn worn(&self) -> String {
        self.accessory
            .map_or_else(String::new, |worn| (worn.draw)(self))
    }

    /// The things of a place.
    pub(crate) fn things(&self, wanted: impl Fn(Place) -> bool) -> String {
        let props = self.stance.props.iter().filter(|prop| wanted(prop.place));
        props
            .map(|prop| {
                let drawing = (prop.draw)(self);
                let Place::Beside(x, y) = prop.place else {
                    return drawing;
                };
                let drawing = self.moving(Part::Thing, &drawing);
                at(x, y, &drawing)
            })
            .collect()
    }
}

/// A drawing around another point.
pub(crate) fn at(x: f32, y: f32, drawing: &str) -> String {
    format!("<g transform='translate({} {})'>{drawing}</g>", N(x), N(y))
}

/// The one of this number; what is beyond the list begins again.
fn pick<T>(list: &'static [T], index: u32) -> &'static T {
    &list[index as usize % list.len()]
}
