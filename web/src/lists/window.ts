// Which rows of a long list are in sight. Pure arithmetic over heights.

export interface Sight { first: number; last: number }

/** Rows of one height: the first in sight and the one behind the last, with some to spare. */
export function evenSight(count: number, height: number, top: number, view: number, spare: number): Sight {
  const first = Math.max(0, Math.floor(top / height) - spare);
  const last = Math.min(count, Math.ceil((top + view) / height) + spare);
  return { first: Math.min(first, count), last: Math.max(last, 0) };
}

/** Where each row of its own height begins, and at the end where all of them end. */
export function starts(heights: readonly number[]): number[] {
  const at = [0];
  for (const height of heights) at.push(at[at.length - 1]! + height);
  return at;
}

export function unevenSight(at: readonly number[], top: number, view: number, spare: number): Sight {
  const count = at.length - 1;
  const first = Math.max(0, below(at, top) - spare);
  const last = Math.min(count, below(at, top + view) + 1 + spare);
  return { first, last };
}

/** The last row that begins at or before `y`. */
function below(at: readonly number[], y: number): number {
  let [low, high] = [0, Math.max(0, at.length - 2)];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (at[middle]! <= y) low = middle;
    else high = middle - 1;
  }
  return low;
}
