//! Tells a click from a drag, the same for every window system.

use super::{Button, Happened, PanelId};
use crate::geometry::Point;

/// A hand shakes by so many pixels.
const SHAKE: i32 = 4;

/// What a pressed button has begun.
#[derive(Debug, Default)]
pub struct Gesture(Option<Begun>);

#[derive(Debug)]
struct Begun {
    panel: PanelId,
    /// Where in the panel.
    at: Point,
    /// Where on the screen.
    from: Point,
    button: Button,
    drags: bool,
}

impl Gesture {
    /// A button goes down, at a point of a panel that is this point of its screen.
    pub fn press(&mut self, panel: PanelId, at: Point, on_screen: Point, button: Button) {
        self.0 = Some(Begun {
            panel,
            at,
            from: on_screen,
            button,
            drags: false,
        });
    }

    /// The pointer is at this point of the panel's screen now.
    pub fn moved(&mut self, on_screen: Point) -> Option<Happened> {
        let begun = self
            .0
            .as_mut()
            .filter(|begun| begun.button == Button::Left)?;
        let way = on_screen.minus(begun.from);
        begun.drags |= way.x.abs() > SHAKE || way.y.abs() > SHAKE;
        begun.drags.then(|| Happened::Dragged {
            panel: begun.panel,
            to: on_screen.minus(begun.at),
        })
    }

    /// The button is let go.
    pub fn release(&mut self) -> Option<Happened> {
        let Begun {
            panel,
            at,
            button,
            drags,
            ..
        } = self.0.take()?;
        Some(if drags {
            Happened::Dropped { panel }
        } else {
            Happened::Clicked { panel, at, button }
        })
    }

    /// The panel that the button went down on.
    pub fn panel(&self) -> Option<PanelId> {
        self.0.as_ref().map(|begun| begun.panel)
    }

    /// Forgets what was begun on a panel that is no more.
    pub fn forget(&mut self, panel: PanelId) {
        self.0 = self.0.take().filter(|begun| begun.panel != panel);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shaking_hand_clicks_and_a_moving_one_drags() {
        let mut gesture = Gesture::default();
        gesture.press(7, Point::new(10, 20), Point::new(110, 220), Button::Left);
        assert_eq!(gesture.moved(Point::new(112, 223)), None);
        let clicked = Happened::Clicked {
            panel: 7,
            at: Point::new(10, 20),
            button: Button::Left,
        };
        assert_eq!(gesture.release(), Some(clicked));
        assert_eq!(gesture.release(), None);

        gesture.press(7, Point::new(10, 20), Point::new(110, 220), Button::Left);
        let dragged = |x, y| Happened::Dragged {
            panel: 7,
            to: Point::new(x, y),
        };
        assert_eq!(gesture.moved(Point::new(210, 220)), Some(dragged(200, 200)));
        assert_eq!(
            gesture.moved(Point::new(111, 220)),
            Some(dragged(101, 200)),
            "and back"
        );
        assert_eq!(gesture.release(), Some(Happened::Dropped { panel: 7 }));
    }

    #[test]
    fn the_right_button_and_a_panel_that_has_gone_drag_nothing() {
        let mut gesture = Gesture::default();
        gesture.press(1, Point::default(), Point::default(), Button::Right);
        assert_eq!(gesture.moved(Point::new(50, 50)), None);
        gesture.forget(2);
        assert_eq!(gesture.panel(), Some(1));
        gesture.forget(1);
        assert_eq!(gesture.release(), None);
    }
}
