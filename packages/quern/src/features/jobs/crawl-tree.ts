import type { ListedPage, CrawlPageState } from '#features/crawl/frontier/page-list.ts';

const MAX_CHILDREN = 1000;

type Tally = { stored: number; failed: number; skipped: number; waiting: number };
type Child = Tally & { readonly name: string; readonly prefix: string; readonly isLeaf: boolean };

/** Counts pages below a prefix by their fates and by the part of the address that follows it. */
export class CrawlTree {
  readonly #prefix: string;
  readonly #tally = newTally();
  readonly #children = new Map<string, Child>();
  readonly #codes = new Map<string, number>();
  readonly #depths = new Map<number, number>();
  readonly #statuses = new Map<number, number>();
  #nearDuplicates = 0;

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  add(page: ListedPage): void {
    if (!page.url.startsWith(this.#prefix)) return;
    countIn(this.#tally, page.state);
    countIn(this.#childOf(page.url), page.state);
    increase(this.#depths, page.depth);
    if (page.status_code !== null) increase(this.#statuses, page.status_code);
    if (page.code !== null) increase(this.#codes, page.code);
    if (page.near) this.#nearDuplicates += 1;
  }

  toBody(jobId: string) {
    const children = [...this.#children.values()].toSorted((one, other) => sumOf(other) - sumOf(one));
    const shown = children.slice(0, MAX_CHILDREN).toSorted((one, other) => (one.name < other.name ? -1 : 1));
    return {
      job_id: jobId,
      prefix: this.#prefix,
      counts: {
        total: sumOf(this.#tally),
        ...this.#tally,
        near_duplicates: this.#nearDuplicates,
        by_code: entriesOf(this.#codes).map(([code, count]) => ({ code, count })),
        by_depth: entriesOf(this.#depths).map(([depth, count]) => ({ depth, count })),
        by_status: entriesOf(this.#statuses).map(([status, count]) => ({ status_code: status, count })),
      },
      children: shown.map(({ isLeaf, ...child }) => ({ ...child, is_leaf: isLeaf })),
      cut: children.length > MAX_CHILDREN,
    };
  }

  #childOf(url: string): Child {
    const part = this.#prefix === '' ? originOf(url) : partOf(url.slice(this.#prefix.length));
    const known = this.#children.get(part);
    if (known !== undefined) return known;
    const isLeaf = !part.endsWith('/');
    const child = { name: isLeaf ? part : part.slice(0, -1), prefix: this.#prefix + part, isLeaf, ...newTally() };
    this.#children.set(part, child);
    return child;
  }
}

/** The origin of an address with a slash. */
function originOf(url: string): string {
  return /^[^/]*\/\/[^/?#]*\/?/.exec(url)?.[0] ?? url;
}

/** The rest of an address up to its next slash, which is part of it; a query has none. */
function partOf(rest: string): string {
  const query = rest.indexOf('?');
  const slash = rest.indexOf('/');
  return slash === -1 || (query !== -1 && query < slash) ? rest : rest.slice(0, slash + 1);
}

function newTally(): Tally {
  return { stored: 0, failed: 0, skipped: 0, waiting: 0 };
}

function countIn(tally: Tally, state: CrawlPageState): void {
  tally[state === 'visiting' ? 'waiting' : state] += 1;
}

function increase<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function sumOf({ stored, failed, skipped, waiting }: Tally): number {
  return stored + failed + skipped + waiting;
}

function entriesOf<K extends string | number>(counts: ReadonlyMap<K, number>): readonly (readonly [K, number])[] {
  return [...counts].toSorted(([one], [other]) => (one < other ? -1 : 1));
}
