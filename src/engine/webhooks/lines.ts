import type { Claimed } from './delivery-rows.ts';
import type { RoomOf } from './delivery-rows.ts';

/** How many deliveries may be on their way at once. */
export type Places = {
  /** In all, and of them in lines that have not been answered well the last time. */
  readonly most: number;
  readonly mostDoubtful: number;
  /** To one endpoint, and of them doubtful ones. */
  readonly endpoint: number;
  readonly endpointDoubtful: number;
  /** The same of one tenant. */
  readonly tenant: number;
  readonly tenantDoubtful: number;
  /** Of one line: the deliveries of a tenant to a URL. */
  readonly each: number;
  /** Claimed ahead for a line that is answered well, beside those on their way. */
  readonly ahead: number;
  /** Bodies of all that is claimed, bytes. */
  readonly bytes: number;
  /** A line whose receiver takes longer than this with one delivery is in doubt, ms. */
  readonly slowMs: number;
};

/**
 * Dead receivers hold their places for a whole attempt each, and some are always left for those that answer: in all, at
 * each endpoint, and for the other tenants there.
 */
export const PLACES: Places = {
  most: 1536,
  mostDoubtful: 1024,
  endpoint: 16,
  endpointDoubtful: 12,
  tenant: 4,
  tenantDoubtful: 3,
  each: 4,
  ahead: 28,
  bytes: 64 * 2 ** 20,
  slowMs: 1000,
};

/** Lines whose last answer is remembered. */
const REMEMBERED = 5000;

type Line = {
  readonly name: string;
  readonly endpoint: string;
  readonly waiting: Claimed[];
  /** Each by when it began. */
  readonly sending: Set<{ readonly began: number }>;
};

/** The lines to one endpoint that hold anything, the one that was served last at the end. */
type Endpoint = { readonly lines: Map<string, Line>; readonly busy: Set<Line>; sending: number };

/** What is doubtful: in all under the empty name, at each endpoint, and there of each tenant. */
type Doubts = Map<string, number>;

/** The claimed deliveries by their lines, and which of them may go now. */
export function buildLines(places: Places, now: () => number) {
  const endpoints = new Map<string, Endpoint>();
  /** Lines that were answered well the last time. */
  const trusted = new Set<string>();
  let sending = 0;
  let doubtful = 0;
  let bytes = 0;

  function isTrusted(name: string, line: Line | undefined): boolean {
    const isSlow = line !== undefined && [...line.sending].some(({ began }) => now() - began > places.slowMs);
    return trusted.has(name) && !isSlow;
  }

  function addDoubts(doubts: Doubts, lines: Iterable<Line>): void {
    for (const line of lines)
      if (!isTrusted(line.name, line)) addDoubt(doubts, line.name, Math.max(1, line.sending.size));
  }

  function mayDoubt(doubts: Doubts, name: string): boolean {
    const { endpoint, owner } = partsOf(name);
    return (
      (doubts.get('') ?? 0) < places.mostDoubtful &&
      (doubts.get(endpoint) ?? 0) < places.endpointDoubtful &&
      (doubts.get(owner) ?? 0) < places.tenantDoubtful
    );
  }

  function mayBegin(line: Line, { busy, sending: there }: Endpoint): boolean {
    if (there >= places.endpoint || line.sending.size >= places.each) return false;
    const { owner } = partsOf(line.name);
    const ofTenant = [...busy].filter(({ name }) => partsOf(name).owner === owner);
    if (ofTenant.reduce((sum, one) => sum + one.sending.size, 0) >= places.tenant) return false;
    if (isTrusted(line.name, line)) return true;
    if (line.sending.size > 0) return false;
    const doubts: Doubts = new Map();
    addDoubts(doubts, busy);
    doubts.set('', doubtful);
    return mayDoubt(doubts, line.name);
  }

  function forget(line: Line, endpoint: Endpoint): void {
    if (line.waiting.length > 0 || line.sending.size > 0) return;
    endpoint.lines.delete(line.name);
    if (endpoint.lines.size === 0) endpoints.delete(line.endpoint);
  }

  function begin(line: Line, endpoint: Endpoint): Begun | null {
    const claimed = mayBegin(line, endpoint) ? line.waiting.shift() : undefined;
    if (claimed === undefined) return null;
    const doubt = isTrusted(line.name, line) ? 0 : 1;
    const one = { began: now() };
    line.sending.add(one);
    endpoint.busy.add(line);
    endpoint.sending += 1;
    sending += 1;
    doubtful += doubt;
    return {
      claimed,
      end(isWell) {
        line.sending.delete(one);
        if (line.sending.size === 0) endpoint.busy.delete(line);
        endpoint.sending -= 1;
        sending -= 1;
        doubtful -= doubt;
        bytes -= claimed.body.length;
        trusted.delete(line.name);
        if (isWell) remember(line.name);
        forget(line, endpoint);
      },
    };
  }

  return {
    /** How many more may be claimed in all. */
    appetite: () => (bytes >= places.bytes ? 0 : places.most - sending),

    /** How many more may be claimed of each line, one line after the other. */
    rooms(): RoomOf {
      const doubts: Doubts = new Map([['', doubtful]]);
      const seen = new Set<string>();
      return (name) => {
        const { endpoint } = partsOf(name);
        const known = endpoints.get(endpoint);
        if (known !== undefined && !seen.has(endpoint)) {
          const all = doubts.get('') ?? 0;
          addDoubts(doubts, known.lines.values());
          doubts.set('', all);
        }
        seen.add(endpoint);
        const line = known?.lines.get(name);
        const held = line === undefined ? 0 : line.waiting.length + line.sending.size;
        if (isTrusted(name, line)) return Math.max(0, places.each + places.ahead - held);
        if (held > 0 || !mayDoubt(doubts, name)) return 0;
        addDoubt(doubts, name, 1);
        return 1;
      };
    },

    add(claimed: Claimed): void {
      const { line: name, endpoint: at } = claimed;
      const endpoint = endpoints.get(at) ?? { lines: new Map<string, Line>(), busy: new Set<Line>(), sending: 0 };
      endpoints.set(at, endpoint);
      const line = endpoint.lines.get(name) ?? { name, endpoint: at, waiting: [], sending: new Set() };
      endpoint.lines.set(name, line);
      line.waiting.push(claimed);
      bytes += claimed.body.length;
    },

    /** The next delivery to an endpoint, its lines in turns, and what to call when it has ended; null when none may go. */
    begin(at: string): Begun | null {
      const endpoint = endpoints.get(at);
      if (endpoint === undefined) return null;
      for (const line of endpoint.lines.values()) {
        if (endpoint.sending >= places.endpoint) return null;
        const begun = begin(line, endpoint);
        if (begun === null) continue;
        endpoint.lines.delete(line.name);
        endpoint.lines.set(line.name, line);
        return begun;
      }
      return null;
    },

    /** Takes out all that waits in the line of a delivery. */
    dropLine({ endpoint: at, line: name }: Claimed): readonly Claimed[] {
      const endpoint = endpoints.get(at);
      const line = endpoint?.lines.get(name);
      return endpoint === undefined || line === undefined ? [] : drop(line, endpoint);
    },

    /** The same of all lines. */
    dropAll: (): readonly Claimed[] =>
      [...endpoints.values()].flatMap((endpoint) =>
        [...endpoint.lines.values()].flatMap((line) => drop(line, endpoint)),
      ),
  };

  function drop(line: Line, endpoint: Endpoint): readonly Claimed[] {
    const dropped = line.waiting.splice(0);
    for (const { body } of dropped) bytes -= body.length;
    forget(line, endpoint);
    return dropped;
  }

  function remember(name: string): void {
    const [oldest] = trusted;
    if (trusted.size >= REMEMBERED && oldest !== undefined) trusted.delete(oldest);
    trusted.add(name);
  }
}

/** A delivery on its way, and what to call when it has ended. */
type Begun = { readonly claimed: Claimed; readonly end: (isWell: boolean) => void };

/** Where a line leads, and whose it is there, as `lineOf` has written them into its name. */
function partsOf(name: string): { readonly endpoint: string; readonly owner: string } {
  const [endpoint = '', tenant = ''] = name.split(' ');
  return { endpoint, owner: `${endpoint} ${tenant}` };
}

/** Counts doubtful deliveries of a line in all, at its endpoint, and there for its tenant. */
function addDoubt(doubts: Doubts, name: string, more: number): void {
  const { endpoint, owner } = partsOf(name);
  for (const key of ['', endpoint, owner]) doubts.set(key, (doubts.get(key) ?? 0) + more);
}
