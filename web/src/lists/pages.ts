// A long list read from the daemon page by page. Only pages near the place that is looked at are kept; of the others
// the count and the cursor stay, so that they can be read again when somebody scrolls back.

export interface PageOf<Row> { rows: Row[]; next: number | null }
export type Read<Row> = (cursor: number | null) => Promise<PageOf<Row>>;

interface Held<Row> { cursor: number | null; count: number; rows: Row[] | null }

const KEPT_PAGES = 20;

export class Pages<Row> {
  #pages: Held<Row>[] = [];
  #next: number | null = null;
  #reading = false;
  #wish: [first: number, last: number] = [0, 0];
  #ended = false;

  constructor(private readonly read: Read<Row>, private readonly changed: () => void) {}

  get count(): number {
    return this.#pages.reduce((sum, page) => sum + page.count, 0);
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** How many rows are in memory. */
  get held(): number {
    return this.#pages.reduce((sum, page) => sum + (page.rows?.length ?? 0), 0);
  }

  row(index: number): Row | null {
    const [page, place] = this.#find(index);
    return page?.rows?.[place] ?? null;
  }

  /** Reads what `first` to `last` need: pages that were let go, or the next one. One at a time; what is wanted meanwhile
   * takes the place of what was wanted before. */
  async want(first: number, last: number): Promise<void> {
    this.#wish = [first, last];
    if (this.#reading) return;
    this.#reading = true;
    try {
      while (await this.#step(...this.#wish)) {
        this.#letGo(this.#wish[0]);
        this.changed();
      }
    } finally {
      this.#reading = false;
    }
  }

  /** Reads one page of what is wanted; false when nothing is missing. */
  async #step(first: number, last: number): Promise<boolean> {
    const missing = this.#missing(first, last);
    if (missing < 0 && (this.#ended || last < this.count - 20)) return false;
    if (missing >= 0) await this.#again(missing);
    else await this.#more();
    return true;
  }

  async #more(): Promise<void> {
    const cursor = this.#next;
    const got = await this.read(cursor);
    this.#pages.push({ cursor, count: got.rows.length, rows: got.rows });
    this.#next = got.next;
    this.#ended = got.next === null || got.rows.length === 0;
  }

  async #again(index: number): Promise<void> {
    const page = this.#pages[index]!;
    const got = await this.read(page.cursor);
    page.rows = got.rows.slice(0, page.count);
  }

  #letGo(first: number): void {
    const held = this.#pages.filter((page) => page.rows !== null).length;
    if (held <= KEPT_PAGES) return;
    const [, , here] = this.#find(first);
    const far = this.#pages.map((page, i) => ({ page, away: Math.abs(i - here) })).filter(({ page }) => page.rows !== null);
    far.sort((a, b) => b.away - a.away);
    for (const { page } of far.slice(0, held - KEPT_PAGES)) page.rows = null;
  }

  #missing(first: number, last: number): number {
    let from = 0;
    for (const [i, page] of this.#pages.entries()) {
      if (page.rows === null && from < last && from + page.count > first) return i;
      from += page.count;
    }
    return -1;
  }

  #find(index: number): [Held<Row> | null, number, number] {
    let left = index;
    for (const [i, page] of this.#pages.entries()) {
      if (left < page.count) return [page, left, i];
      left -= page.count;
    }
    return [null, 0, Math.max(0, this.#pages.length - 1)];
  }
}
