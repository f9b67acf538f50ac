// Where the pens stand: side by side on shelves as wide as the page, so that only the shelves in sight are drawn.
// A pen of many is cut into pieces, so that no shelf is taller than a few rows.
import type { Member, Pen } from './pens';

export interface Measure { columns: number; cell: number; row: number; head: number; gap: number }
export interface Piece { key: string; pen: Pen; members: Member[]; columns: number; rows: number; first: boolean }
/** `stretch` is how many times as wide as its columns a pen is, so that a shelf that is nearly full is full. */
export interface Shelf { key: string; pieces: Piece[]; height: number; stretch: number }

const MOST_ROWS = 2;
const NEARLY_FULL = 0.6;

export function shelvesOf(pens: Pen[], measure: Measure): Shelf[] {
  const shelves: Shelf[] = [];
  let open: Piece[] = [];
  let used = 0;
  const close = () => {
    if (open.length === 0) return;
    const rows = Math.max(...open.map((piece) => piece.rows));
    const stretch = used >= measure.columns * NEARLY_FULL ? measure.columns / used : 1;
    shelves.push({ key: open[0]!.key, pieces: open, height: measure.head + rows * measure.row + measure.gap, stretch });
    [open, used] = [[], 0];
  };
  for (const piece of pens.flatMap((pen) => piecesOf(pen, measure.columns))) {
    if (used + piece.columns > measure.columns) close();
    open.push(piece);
    used += piece.columns;
  }
  close();
  return shelves;
}

function piecesOf(pen: Pen, columns: number): Piece[] {
  const most = columns * MOST_ROWS;
  const pieces: Piece[] = [];
  for (let at = 0; at < pen.members.length; at += most) {
    const members = pen.members.slice(at, at + most);
    const wide = pen.members.length > most ? columns : Math.min(columns, balanced(members.length, columns));
    pieces.push({ key: `${pen.key}/${at}`, pen, members, columns: wide, rows: Math.ceil(members.length / wide), first: at === 0 });
  }
  return pieces;
}

/** As many columns as make the fewest rows, and then no more than those rows need. */
function balanced(count: number, columns: number): number {
  const rows = Math.ceil(count / columns);
  return Math.ceil(count / rows);
}
