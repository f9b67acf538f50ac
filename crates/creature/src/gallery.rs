//! Many creatures in one drawing, with their names: for people who want to see them side by side.

use std::fmt::Write as _;

use crate::creature::{Creature, HEIGHT, WIDTH};
use crate::xml::escape;

#[derive(Debug, Clone, Default)]
pub struct Gallery<'a> {
    pub rows: Vec<Row<'a>>,
}

/// Some creatures under a heading; those that do not fit beside each other go below.
#[derive(Debug, Clone)]
pub struct Row<'a> {
    /// What they have in common.
    pub heading: String,
    /// The creatures with their names.
    pub creatures: Vec<(String, Creature<'a>)>,
}

/// How many stand side by side.
const ACROSS: u32 = 10;
/// How wide one of them is, with the space beside it.
const CELL: u32 = 132;
/// How wide it is drawn.
const DRAWN: u32 = 120;
/// How high a line of them is, with the names below.
const LINE: u32 = DRAWN * HEIGHT as u32 / WIDTH as u32 + 30;
const HEADING: u32 = 44;
const EDGE: u32 = 16;
/// What they stand before.
const NIGHT: &str = "#0d1226";

impl Gallery<'_> {
    pub fn svg(&self) -> String {
        let mut content = String::new();
        let mut down = EDGE;
        for (number, row) in self.rows.iter().enumerate() {
            down = row.draw(number, down, &mut content);
        }
        let (wide, high) = (CELL * ACROSS + 2 * EDGE, down + EDGE);
        format!(
            "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {wide} {high}' width='{wide}' height='{high}' \
             font-family='system-ui,sans-serif' text-anchor='middle' font-size='13' fill='#a9b2d6'>\
             <rect width='{wide}' height='{high}' fill='{NIGHT}'/>{content}</svg>"
        )
    }

    /// The drawing on a page for a browser.
    pub fn html(&self) -> String {
        format!(
            "<!doctype html><html lang='en'><head><meta charset='utf-8'><title>Creatures of bellwether</title></head>\
             <body style='margin:0;background:{NIGHT}'>{}</body></html>\n",
            self.svg()
        )
    }
}

impl Row<'_> {
    /// Draws the row from this height on and says where it ends.
    fn draw(&self, number: usize, down: u32, content: &mut String) -> u32 {
        let _ = write!(
            content,
            "<text x='{EDGE}' y='{}' text-anchor='start' font-size='18' font-weight='700' fill='#dbe1ff'>{}</text>",
            down + 24,
            escape(&self.heading)
        );
        let mut top = down + HEADING;
        for (line, creatures) in self.creatures.chunks(ACROSS as usize).enumerate() {
            let mut left = EDGE;
            for (place, (name, creature)) in creatures.iter().enumerate() {
                let scope = format!("g{number}x{line}x{place}");
                content.push_str(&creature.nested(left + (CELL - DRAWN) / 2, top, DRAWN, &scope));
                let _ = write!(
                    content,
                    "<text x='{}' y='{}'>{}</text>",
                    left + CELL / 2,
                    top + LINE - 14,
                    escape(name)
                );
                left += CELL;
            }
            top += LINE;
        }
        top
    }
}
