import type { FoundUrl, ListedUrl, PageClaim } from '#features/crawl/crawl-page.ts';
import { type KnownKeys, onlyUnknown } from '#features/crawl/dedupe/known-keys.ts';
import type { AddedUrl } from './counters.ts';
import type { FrontierLimits } from './crawl-row.ts';
import type { UrlStats } from './frontier.ts';
import { buildPatternLimit } from './pattern-limit.ts';

type KnownUrl = ListedUrl & { readonly isParked: boolean; readonly claim: PageClaim };

/** The known URLs of an inline crawl and their states, as `UrlRows` holds those of a job. */
export class MemoryUrls {
  readonly #known: KnownKeys;
  readonly #withinPatterns: ReturnType<typeof buildPatternLimit>;
  /** URLs that are not left out, by number, and their numbers by key. */
  readonly #urls = new Map<number, KnownUrl>();
  readonly #numbers = new Map<string, number>();
  readonly #tooDeep = new Set<string>();
  #queue: PageClaim[] = [];
  #lastSeq = 0;

  constructor(known: KnownKeys, { mostPerPattern }: Pick<FrontierLimits, 'mostPerPattern'>) {
    this.#known = known;
    this.#withinPatterns = buildPatternLimit(mostPerPattern);
  }

  /** The pages that wait, in no order. */
  get queue(): readonly PageClaim[] {
    return this.#queue;
  }

  /** Adds the URLs that are not known yet, in the given order; returns the new ones. */
  add(found: readonly FoundUrl[], parent: Pick<PageClaim, 'seq' | 'url'> | null): readonly AddedUrl[] {
    const parentUrl = parent?.url ?? null;
    const added = this.#withinPatterns(onlyUnknown(found, this.#known)).map((one) => ({
      ...one,
      wasTooDeep: this.#tooDeep.delete(one.key),
      parent: parent?.seq ?? null,
    }));
    for (const one of added) {
      this.#known.addFound(one);
      if (one.skip === 'depth') this.#tooDeep.add(one.key);
      this.#lastSeq += 1;
      if (one.skip !== null) continue;
      const { key, url, host, depth, isParked } = one;
      const claim = { seq: this.#lastSeq, url, host, depth, parentUrl, tries: 0, isBarren: false };
      this.#urls.set(this.#lastSeq, { ...one, claim });
      this.#numbers.set(key, this.#lastSeq);
      if (!isParked) this.#queue.push(claim);
    }
    return added;
  }

  /** Lessens the depth of unvisited URLs to that of the shortest path found; queues parked ones that are no longer too deep. */
  lessenDepths(found: readonly FoundUrl[], parentUrl: string): void {
    for (const { key, depth, isParked } of found) {
      const seq = this.#numbers.get(key) ?? 0;
      const known = this.#urls.get(seq);
      if (known === undefined || known.depth <= depth) continue;
      const at = this.#queue.indexOf(known.claim);
      if (at < 0 && !known.isParked) continue;
      const claim = { ...known.claim, depth, parentUrl };
      this.#urls.set(seq, { ...known, depth, claim, isParked: known.isParked && isParked });
      if (at >= 0) this.#queue[at] = claim;
      else if (!isParked) this.#queue.push(claim);
    }
  }

  /** Parks URLs that wait, and takes the titles and dates given for known ones. */
  park(found: readonly FoundUrl[]): void {
    const waiting = new Set(this.#queue);
    for (const { key, title, lastmod } of found) {
      const seq = this.#numbers.get(key) ?? 0;
      const known = this.#urls.get(seq);
      if (known === undefined) continue;
      const isParked = waiting.delete(known.claim) || known.isParked;
      this.#urls.set(seq, { ...known, title: known.title ?? title, lastmod: known.lastmod ?? lastmod, isParked });
    }
    this.#queue = [...waiting];
  }

  /** Queues the parked URLs above this depth; returns how many there were. */
  unpark(depth: number): number {
    const parked = [...this.#urls].filter(([, known]) => known.isParked && known.depth < depth);
    for (const [seq, known] of parked) this.#urls.set(seq, { ...known, isParked: false });
    this.#queue.push(...parked.map(([, { claim }]) => claim));
    return parked.length;
  }

  /** Takes claimed pages out of the queue. */
  unqueue(claims: readonly PageClaim[]): void {
    this.#queue = this.#queue.filter((one) => !claims.includes(one));
  }

  /** Queues a claimed page again that was refused for now. */
  defer({ seq, tries }: PageClaim): void {
    const known = this.#urls.get(seq);
    if (known === undefined) return;
    const claim = { ...known.claim, tries: tries + 1 };
    this.#urls.set(seq, { ...known, claim });
    this.#queue.push(claim);
  }

  /** Keeps the title of a stored page. */
  store(seq: number, title: string | null): void {
    const known = this.#urls.get(seq);
    if (known !== undefined) this.#urls.set(seq, { ...known, title: title ?? known.title });
  }

  /** Removes a page that failed or was skipped from the list. */
  remove(seq: number): void {
    this.#urls.delete(seq);
  }

  urlOf(seq: number): string | null {
    return this.#urls.get(seq)?.url ?? null;
  }

  listed(most: number): readonly ListedUrl[] {
    return [...this.#urls.values()].slice(0, most);
  }

  stats(): readonly UrlStats[] {
    const stats = new Map<string, UrlStats>();
    for (const { source, depth, isParked } of this.#urls.values()) {
      const { count, parked } = stats.get(`${source} ${depth}`) ?? { count: 0, parked: 0 };
      stats.set(`${source} ${depth}`, { source, depth, count: count + 1, parked: parked + (isParked ? 1 : 0) });
    }
    return [...stats.values()];
  }
}
