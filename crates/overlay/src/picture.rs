//! What is drawn on a panel: pixels as both window systems take them.

use crate::geometry::{Rect, Size};

/// Where it is more opaque than this, it is there: the mouse is caught, and a screen without a compositor shows it.
const THERE: u8 = 128;

/// Premultiplied blue, green, red, alpha; row by row without gaps.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Picture {
    pub size: Size,
    pub pixels: Vec<u8>,
}

impl Picture {
    /// One in which nothing is drawn.
    pub fn clear(size: Size) -> Self {
        let pixels = vec![0; size.width as usize * size.height as usize * 4];
        Self { size, pixels }
    }

    /// Where something is drawn, as rectangles that do not overlap.
    pub fn shape(&self) -> Vec<Rect> {
        let width = self.size.width as usize;
        let mut shape: Vec<Rect> = Vec::new();
        // Where in `shape` the rows above begin: a run that stands there again makes those higher.
        let mut above = 0..0;
        for (y, row) in self.pixels.chunks_exact(width.max(1) * 4).enumerate() {
            let runs = runs(row, y);
            let same = shape[above.clone()]
                .iter()
                .map(|rect| (rect.at.x, rect.size.width))
                .eq(runs.iter().map(|rect| (rect.at.x, rect.size.width)));
            if same {
                shape[above.clone()]
                    .iter_mut()
                    .for_each(|rect| rect.size.height += 1);
            } else {
                above = shape.len()..shape.len() + runs.len();
                shape.extend(runs);
            }
        }
        shape
    }
}

/// What is drawn in a row, from left to right.
fn runs(row: &[u8], y: usize) -> Vec<Rect> {
    let is_there = |pixel: &&[u8]| pixel[3] >= THERE;
    let mut runs = Vec::new();
    let mut x = 0;
    while x * 4 < row.len() {
        let width = row[x * 4..].chunks_exact(4).take_while(is_there).count();
        if width > 0 {
            let [x, y] = [x, y].map(|n| i32::try_from(n).unwrap_or(i32::MAX));
            runs.push(Rect::new(x, y, u32::try_from(width).unwrap_or(u32::MAX), 1));
        }
        x += width.max(1);
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(rows: &[&str]) -> Picture {
        let width = rows.first().map_or(0, |row| row.len());
        let alpha = rows
            .concat()
            .bytes()
            .flat_map(|byte| [0, 0, 0, if byte == b'#' { 255 } else { 100 }])
            .collect();
        let size = Size::new(
            u32::try_from(width).unwrap(),
            u32::try_from(rows.len()).unwrap(),
        );
        Picture {
            size,
            pixels: alpha,
        }
    }

    #[test]
    fn the_shape_is_what_is_drawn_in_as_few_rectangles_as_rows_differ() {
        let picture = drawn(&["....", ".##.", ".##.", "#..#", "#..#"]);
        let expected = [
            Rect::new(1, 1, 2, 2),
            Rect::new(0, 3, 1, 2),
            Rect::new(3, 3, 1, 2),
        ];
        assert_eq!(picture.shape(), expected);
        assert_eq!(Picture::clear(Size::new(3, 2)).shape(), []);
        assert_eq!(Picture::default().shape(), []);
    }
}
