// Where the pens stand: side by side on shelves as wide as the page, so that only the shelves in sight are drawn.
// A pen of many is cut into pieces, so that no shelf is taller than a few rows.
import type { Member, Pen } from './pens';

export interface Measure { columns: number; cell: number; row: number; head: number; gap: number }
/** `across` is how many stand side by side. */
export interface Piece { key: string; pen: Pen; members: Member[]; columns: number; rows: number; across: number; first: boolean }
/** `stretch` is how many times as wide as its columns a pen is, so that a shelf that is nearly full is full. */
export interface Shelf { key: string; pieces: Piece[]; height: number; stretch: number }

const MOST_ROWS = 2;
/** What a pen's head says needs the room of two. */
const LEAST_COLUMNS = 2;
const NEARLY_FULL = 0.75;
const LOOK_AHEAD = 12;

export function shelvesOf(pens: Pen[], measure: Measure): Shelf[] {
  const waiting = pens.flatMap((pen) => piecesOf(pen, measure.columns));
  const shelves: Shelf[] = [];
  while (waiting.length > 0) shelves.push(shelf(fill(waiting, measure.columns), measure));
  return shelves;
}

/** Takes the next piece, and of the few behind it those that fit beside it. */
function fill(waiting: Piece[], columns: number): Piece[] {
  const taken: Piece[] = [];
  let free = columns;
  for (let i = 0, looked = 0; i < waiting.length && free > 0 && looked < LOOK_AHEAD; looked += 1) {
    if (waiting[i]!.columns > free) {
      i += 1;
      continue;
    }
    free -= waiting[i]!.columns;
    taken.push(...waiting.splice(i, 1));
  }
  return taken;
}

function shelf(pieces: Piece[], measure: Measure): Shelf {
  const rows = Math.max(...pieces.map((piece) => piece.rows));
  const used = pieces.reduce((sum, piece) => sum + piece.columns, 0);
  const stretch = used >= measure.columns * NEARLY_FULL ? measure.columns / used : 1;
  return { key: pieces[0]!.key, pieces, height: measure.head + rows * measure.row + measure.gap, stretch };
}

function piecesOf(pen: Pen, columns: number): Piece[] {
  const most = columns * MOST_ROWS;
  const pieces: Piece[] = [];
  for (let at = 0; at < pen.members.length; at += most) {
    const members = pen.members.slice(at, at + most);
    const wide = pen.members.length > most ? columns : Math.min(columns, Math.max(LEAST_COLUMNS, balanced(members.length, columns)));
    pieces.push({ key: `${pen.key}/${at}`, pen, members, columns: wide, rows: Math.ceil(members.length / wide), across: Math.min(wide, members.length), first: at === 0 });
  }
  return pieces;
}

/** As many columns as make the fewest rows, and then no more than those rows need. */
function balanced(count: number, columns: number): number {
  const rows = Math.ceil(count / columns);
  return Math.ceil(count / rows);
}
