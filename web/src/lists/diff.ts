// The lines of a change: what goes, what comes, and a few that stay around them. Pure.

export interface Line { kind: 'stays' | 'goes' | 'comes'; text: string }

const AROUND = 2;
/** Longer pieces are not compared line by line: all of the old goes, all of the new comes. */
const COMPARED = 400;

export function diff(old: string | null, fresh: string): Line[] {
  const after = lines(fresh);
  if (old === null) return after.map((text) => ({ kind: 'comes', text }));
  const before = lines(old);
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < before.length - start && end < after.length - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;
  const stays = (text: string): Line => ({ kind: 'stays', text });
  return [
    ...before.slice(Math.max(0, start - AROUND), start).map(stays),
    ...middle(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...before.slice(before.length - end, before.length - end + AROUND).map(stays),
  ];
}

function lines(text: string): string[] {
  return text.replace(/\n$/, '').split('\n');
}

/** The longest common lines stay. */
function middle(before: string[], after: string[]): Line[] {
  const goes = (text: string): Line => ({ kind: 'goes', text });
  const comes = (text: string): Line => ({ kind: 'comes', text });
  if (before.length > COMPARED || after.length > COMPARED) return [...before.map(goes), ...after.map(comes)];
  const width = after.length + 1;
  const common = new Uint16Array((before.length + 1) * width);
  for (let i = before.length - 1; i >= 0; i -= 1) {
    for (let k = after.length - 1; k >= 0; k -= 1) {
      common[i * width + k] = before[i] === after[k] ? common[(i + 1) * width + k + 1]! + 1 : Math.max(common[(i + 1) * width + k]!, common[i * width + k + 1]!);
    }
  }
  const told: Line[] = [];
  let [i, k] = [0, 0];
  while (i < before.length && k < after.length) {
    if (before[i] === after[k]) {
      told.push({ kind: 'stays', text: before[i]! });
      [i, k] = [i + 1, k + 1];
    } else if (common[(i + 1) * width + k]! >= common[i * width + k + 1]!) told.push(goes(before[i++]!));
    else told.push(comes(after[k++]!));
  }
  return [...told, ...before.slice(i).map(goes), ...after.slice(k).map(comes)];
}
