import type { Account, Billing } from '#engine/billing.ts';
import { ANSWER_BYTES, jsonBytes } from '#kernel/answer-size.ts';
import type { Share } from '#kernel/room.ts';
import type { InTurn } from '#store/group-commit.ts';
import type { Claim, Claimed, End, Found, Frontier, Layer, Listed, Standing, Trouble } from './frontier.ts';
import { toLine } from './element-line.ts';
import { buildNear } from './near.ts';
import { buildKnown, onlyUnknown, shortWays } from './known.ts';
import { toTrouble } from './trouble.ts';
import { buildSpread } from './spread.ts';
import { addTo, EMPTY_TALLY, isGivenUp, toStanding } from './tally.ts';
import type { Added } from './tally.ts';
import { withinTwins, withoutTwins } from './twins.ts';

/** A frontier that also holds what it stored. */
export type MemoryFrontier = Frontier & { readonly elements: () => readonly unknown[] };

export type MemoryParts = {
  readonly billing: Billing;
  readonly inTurn: InTurn;
  readonly account: Account;
  readonly maxPages: number;
  readonly maxCredits: number | null;
  /** Links of one pattern of paths that are taken in. */
  readonly mostPerPattern: number;
  readonly byLevel: boolean;
  /** Credits of the cheapest outcome that a page can have. */
  readonly cheapest: number;
  /** Of the memory of all answers; it grows with what is stored. */
  readonly share: Share;
};

/**
 * The frontier of a crawl that answers at once: what it stores is in `elements`, and its credits are only set aside, so
 * that a call without an answer costs nothing.
 */
export function buildMemoryFrontier(parts: MemoryParts): MemoryFrontier {
  const { billing, inTurn, account, maxPages, maxCredits, byLevel, cheapest, share } = parts;
  // What was paid for stays set aside until the call is settled, so its hold is all that it costs.
  const ceiling = maxCredits === null ? null : { credits: maxCredits, key: account.key, parts: account.key };
  const known = buildKnown();
  const withinSpread = buildSpread(parts.mostPerPattern);
  /** The stored pages as lines of JSON, and what those and the failed ones come to. */
  const lines: Buffer[] = [];
  let bytes = FRAME_BYTES;
  let isFull = false;
  const troubles: Trouble[] = [];
  const near = buildNear(async (seq) => places.get(seq)?.url ?? null);
  /** What is not left out, by its number, and the numbers by key. */
  const places = new Map<number, Place>();
  const numbers = new Map<string, number>();
  const tooDeep = new Set<string>();
  let queue: Queued[] = [];
  let tally = EMPTY_TALLY;
  let lastSeq = 0;
  let seedUrl: string | null = null;
  let stored = 0;
  let active: readonly Claim[] = [];

  async function together<T>(work: Parameters<typeof inTurn<T>>[1]): Promise<T> {
    return inTurn(`tenant ${account.tenant}`, work, { key: account.key });
  }

  function add(found: readonly Found[], parentUrl: string | null): readonly Added[] {
    const added = withinSpread(onlyUnknown(found, known)).map((one) => ({
      ...one,
      wasTooDeep: tooDeep.delete(one.key),
    }));
    for (const one of added) {
      known.addFound(one);
      if (one.skip === 'depth') tooDeep.add(one.key);
      lastSeq += 1;
      if (one.skip !== null) continue;
      const { key, url, host, depth, rests } = one;
      const claim = { seq: lastSeq, url, host, depth, parentUrl };
      places.set(lastSeq, { ...one, claim });
      numbers.set(key, lastSeq);
      if (!rests) queue.push(claim);
    }
    return added;
  }

  /** Brings what waits as near as the shortest way that was met to it; what rested and need not any more waits. */
  function approach(found: readonly Found[], parentUrl: string): void {
    for (const { key, depth, rests } of found) {
      const seq = numbers.get(key) ?? 0;
      const place = places.get(seq);
      if (place === undefined || place.depth <= depth) continue;
      const at = queue.indexOf(place.claim);
      if (at < 0 && !place.rests) continue;
      const claim = { ...place.claim, depth, parentUrl };
      places.set(seq, { ...place, depth, claim, rests: place.rests && rests });
      if (at >= 0) queue[at] = claim;
      else if (!rests) queue.push(claim);
    }
  }

  /** Lets addresses that wait rest, and learns what is said of them. */
  function settle(found: readonly Found[]): void {
    const waiting = new Set(queue);
    for (const { key, title, lastmod } of found) {
      const seq = numbers.get(key) ?? 0;
      const place = places.get(seq);
      if (place === undefined) continue;
      const rests = waiting.delete(place.claim) || place.rests;
      places.set(seq, { ...place, title: place.title ?? title, lastmod: place.lastmod ?? lastmod, rests });
    }
    queue = [...waiting];
  }

  function turns(): readonly Claim[] {
    const inOrder = queue
      .filter(({ host }) => !isGivenUp(tally, host))
      .toSorted((a, b) => a.depth - b.depth || a.seq - b.seq);
    if (!byLevel) return inOrder;
    const level = Math.min(...[...active, ...inOrder].map(({ depth }) => depth));
    return inOrder.filter(({ depth }) => depth === level);
  }

  function stand(): Standing {
    return toStanding(tally, { stored, active: active.length, isFull });
  }

  /** Makes room for more of the answer; when there is none, nothing is kept from now on. */
  function makeRoom(more: number): boolean {
    isFull ||= bytes + more > ANSWER_BYTES || !share.tryGrow(more);
    if (!isFull) bytes += more;
    return !isFull;
  }

  /** The ends that the answer has room for, in their order; the other pages are pending again. */
  function fitting(all: readonly End[]): readonly End[] {
    return all.filter((end) => {
      const line = lineOf(end);
      const size =
        line?.byteLength ?? (end.fate.kind === 'failed' ? jsonBytes(toTrouble(end.claim.url, end.fate), 0) : 0);
      if (!makeRoom(size)) return false;
      if (line !== null) lines.push(line);
      return true;
    });
  }

  return {
    elements: () => lines.map((line): unknown => JSON.parse(line.toString())),
    isKnown: known.hasFound,
    isTaken: known.has,

    async seed(found) {
      seedUrl = found[0]?.url ?? null;
      tally = addTo(tally, [], add(found, null));
    },

    async add(found) {
      settle(found.filter(({ rests }) => rests));
      tally = addTo(tally, [], add(found, seedUrl));
      return stand();
    },

    async wake(depth) {
      const woken = [...places].filter(([, place]) => place.rests && place.depth < depth);
      for (const [seq, place] of woken) places.set(seq, { ...place, rests: false });
      queue.push(...woken.map(([, { claim }]) => claim));
      return woken.length;
    },

    listed: async (most): Promise<readonly Listed[]> => [...places.values()].slice(0, most),

    async survey() {
      const layers = new Map<string, Layer>();
      for (const { source, depth, rests } of places.values()) {
        const { count, resting } = layers.get(`${source} ${depth}`) ?? { count: 0, resting: 0 };
        layers.set(`${source} ${depth}`, { source, depth, count: count + 1, resting: resting + (rests ? 1 : 0) });
      }
      return [...layers.values()];
    },

    async claim({ most, mostOf }): Promise<Claimed> {
      const wanted = Math.min(most, maxPages - stored - active.length);
      if (isFull) return { claims: [], held: 'answer_full' };
      if (queue.length === 0) return { claims: [], held: 'nothing' };
      if (queue.every(({ host }) => isGivenUp(tally, host))) return { claims: [], held: 'blocked' };
      if (wanted <= 0) return { claims: [], held: 'max_pages' };
      const perHost = new Map<string, number>();
      const among = new Set(queue.map(({ host }) => host)).size;
      const chosen = turns().filter(({ host }) => {
        const n = (perHost.get(host) ?? 0) + 1;
        perHost.set(host, n);
        return n <= mostOf(host, among);
      });
      const { times, refused } = await together(async (tx) =>
        billing.holdUpTo(tx, account, { each: cheapest, most: Math.min(chosen.length, wanted), ceiling }),
      );
      if (times === 0) return { claims: [], held: refused };
      const claims = chosen.slice(0, times);
      active = [...active, ...claims];
      queue = queue.filter((one) => !claims.includes(one));
      return { claims, held: null };
    },

    async commit(all) {
      const ended = await near.flag(withoutTwins(all, known));
      const ends = fitting(ended);
      near.remember(ends);
      const kept = ends.reduce((sum, { fate }) => sum + (fate.kind === 'stored' ? fate.credits : 0), 0);
      const free = ended.reduce((sum, { held }) => sum + held, 0) - kept;
      if (free > 0) await together(async (tx) => billing.unhold(tx, account, free));
      for (const { claim, fate } of ends) {
        if (fate.kind === 'failed') troubles.push(toTrouble(claim.url, fate));
        const place = places.get(claim.seq);
        if (fate.kind !== 'stored') {
          places.delete(claim.seq);
          continue;
        }
        stored += 1;
        if (place !== undefined) places.set(claim.seq, { ...place, title: fate.title ?? place.title });
        for (const key of [fate.contentKey, fate.finalKey]) if (key !== null) known.add(key);
      }
      const followed = withinTwins(ends, { tally, stored });
      const added = followed.ends.flatMap(({ claim, links }) => add(links, claim.url));
      if (byLevel) for (const { claim, links } of followed.ends) approach(shortWays(links, claim.depth), claim.url);
      tally = addTo(followed.tally, ends, added);
      const over = new Set(ended.map(({ claim }) => claim.seq));
      // What is under way is cut off, and ends nowhere.
      active = isFull ? [] : active.filter(({ seq }) => !over.has(seq));
      return stand();
    },

    raise: async (credits) =>
      together(async (tx) => (await billing.holdUpTo(tx, account, { each: credits, most: 1, ceiling })).refused),
    hold: async (each, most) => together(async (tx) => billing.holdUpTo(tx, account, { each, most, ceiling })),
    standing: async () => stand(),
    troubles: async (most) => troubles.slice(0, most),
    beat: async () => undefined,
    leave: async () => undefined,
  };
}

/** What an answer has beside its pages and their failures. */
const FRAME_BYTES = 64 * 1024;

function lineOf({ fate }: End): Buffer | null {
  return fate.kind !== 'stored' || fate.element === null ? null : Buffer.concat(toLine(fate.element));
}

type Queued = Claim;
type Place = Listed & { readonly rests: boolean; readonly claim: Claim };
