/** The product token of Quern in robots.txt files. */
export const ROBOTS_AGENT = 'Quern';
/** Bytes of a robots.txt that are parsed; RFC 9309 requires at least 500 KiB. */
export const MAX_ROBOTS_BYTES = 512_000;
/** Redirects followed to a robots.txt (RFC 9309, 2.3.1.2). */
const MAX_ROBOTS_REDIRECTS = 5;

const MAX_CRAWL_DELAY_MS = 30_000;
/** Longer lines cannot match any URL. */
const MAX_LINE_LENGTH = 16_664;
const MAX_SITEMAPS = 10_000;

/** The rules of a robots.txt for one agent as plain data, the longest rule first. */
export type Robots = {
  readonly rules: readonly RobotsRule[];
  /** Time between two starts, 0 to 30,000 ms. */
  readonly crawlDelayMs: number;
  /** As written, in order, without duplicates. */
  readonly sitemaps: readonly string[];
};

/** The rules of a missing robots.txt. */
export const ALLOW_ALL: Robots = { rules: [], crawlDelayMs: 0, sitemaps: [] };

/**
 * Parses a robots.txt (RFC 9309) for one agent: the rules of all groups that name it, otherwise of all groups for `*`.
 * Accepts any bytes, including UTF-16, HTML or a truncated file, and ignores lines that are no rules.
 */
export function parseRobots(body: Uint8Array, agent: string): Robots {
  const state: ParserState = {
    own: createSection(),
    everyone: createSection(),
    named: [],
    hasRules: false,
    sitemaps: new Set(),
  };
  for (const line of parseLines(body)) addLine(state, line, agent);
  const { rules, crawlDelayMs } = state.own.seen ? state.own : state.everyone;
  return { rules: rules.toSorted(compareRules), crawlDelayMs: crawlDelayMs ?? 0, sitemaps: [...state.sitemaps] };
}

/** The sections and sitemaps parsed so far. */
type ParserState = {
  readonly own: Section;
  readonly everyone: Section;
  readonly sitemaps: Set<string>;
  /** The sections of the current group. */
  named: readonly Section[];
  /** Whether the current group has a rule, so that the next user-agent line starts a new group. */
  hasRules: boolean;
};

function addLine(state: ParserState, { key, value }: Line, agent: string): void {
  if (key === 'user-agent') addAgent(state, value, agent);
  else if (key === 'allow' || key === 'disallow') {
    state.hasRules = true;
    for (const section of state.named) section.rules.push(...compileRule(value, key));
  } else if (key === 'crawl-delay') {
    for (const section of state.named) section.crawlDelayMs ??= parseDelayMs(value);
  } else if (key === 'sitemap' && value !== '' && state.sitemaps.size < MAX_SITEMAPS) state.sitemaps.add(value);
}

function addAgent(state: ParserState, value: string, agent: string): void {
  const section = isWildcardAgent(value) ? state.everyone : matchesAgent(value, agent) ? state.own : null;
  const others = state.hasRules ? [] : state.named.filter((one) => one !== section);
  state.named = section === null ? others : [...others, section];
  state.hasRules = false;
  for (const one of state.named) one.seen = true;
}

/**
 * Interprets the status of a robots.txt request (RFC 9309, 2.3.1). `status` is null if there was no response. More than
 * five redirects and 4xx mean a missing file, except 429, which forbids everything for now.
 */
export function interpretStatus(status: number | null, redirects: number): 'read' | 'allow_all' | 'forbid_all' {
  if (redirects > MAX_ROBOTS_REDIRECTS) return 'allow_all';
  if (status === null || status < 200 || status >= 500 || status === 429) return 'forbid_all';
  return status < 300 ? 'read' : 'allow_all';
}

type Section = { readonly rules: RobotsRule[]; crawlDelayMs: number | null; seen: boolean };

function createSection(): Section {
  return { rules: [], crawlDelayMs: null, seen: false };
}

/** Sorts longer patterns first; for equal lengths `allow` wins. */
function compareRules(a: RobotsRule, b: RobotsRule): number {
  return b.strength - a.strength || Number(b.allows) - Number(a.allows);
}

function isWildcardAgent(value: string): boolean {
  return /^\*(?:\s|$)/.test(value);
}

/** A version or words after the product token of a `User-agent` line are ignored. */
function matchesAgent(value: string, agent: string): boolean {
  return /^[a-z_-]*/i.exec(value)?.[0].toLowerCase() === agent.toLowerCase();
}

/** Parses seconds to ms, limited to 30 s; null if it is not a non-negative number. */
function parseDelayMs(value: string): number | null {
  const ms = Math.round(Number.parseFloat(value) * 1000);
  return ms >= 0 ? Math.min(ms, MAX_CRAWL_DELAY_MS) : null;
}

type Line = { readonly key: string; readonly value: string };

/** Common misspellings of keys, which are accepted. */
const KEY_CORRECTIONS: ReadonlyMap<string, string> = new Map([
  ['useragent', 'user-agent'],
  ['user agent', 'user-agent'],
  ['dissallow', 'disallow'],
  ['dissalow', 'disallow'],
  ['disalow', 'disallow'],
  ['diasllow', 'disallow'],
  ['disallaw', 'disallow'],
  ['site-map', 'sitemap'],
  ['crawldelay', 'crawl-delay'],
]);

function* parseLines(body: Uint8Array): Generator<Line> {
  const text = decodeText(body.subarray(0, MAX_ROBOTS_BYTES));
  const end =
    body.length > MAX_ROBOTS_BYTES ? Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r'), 0) : text.length;
  for (const { 0: raw } of text.slice(0, end).matchAll(/[^\r\n]+/g)) {
    if (raw.length > MAX_LINE_LENGTH) continue;
    const line = parseLine(raw);
    if (line !== null) yield line;
  }
}

/** Decodes by the byte order mark; without one a robots.txt is UTF-8. */
function decodeText(body: Uint8Array): string {
  const [first, second] = body;
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(body);
  return new TextDecoder(first === 0xff && second === 0xfe ? 'utf-16le' : 'utf-8').decode(body);
}

/** Parses a key and its value. A missing colon may be replaced by white space between two words. */
function parseLine(raw: string): Line | null {
  const [text = ''] = raw.split('#', 1);
  const colon = text.indexOf(':');
  const [word = '', next = '', ...more] = colon < 0 ? text.trim().split(/\s+/, 3) : [];
  if (colon < 0 && (next === '' || more.length > 0)) return null;
  const key = (colon < 0 ? word : text.slice(0, colon)).trim().toLowerCase();
  return { key: KEY_CORRECTIONS.get(key) ?? key, value: colon < 0 ? next : text.slice(colon + 1).trim() };
}

/** A compiled rule of a robots.txt. */
type RobotsRule = {
  readonly allows: boolean;
  /** Length of the normalized pattern. The longer rule wins. */
  readonly strength: number;
  /** The text between wildcards: the path starts with the first piece and contains the others after it, in order. */
  readonly pieces: readonly string[];
  /** `$`: the last piece ends the path. */
  readonly anchored: boolean;
};

/**
 * The most characters compared for one URL. A robots.txt that needs more is considered hostile, and everything is
 * disallowed.
 */
const MAX_STEPS = 20_000_000;

/** Compiles a pattern of RFC 9309 (`*` any characters, `$` the end). Returns no rule for an empty pattern. */
function compileRule(pattern: string, kind: 'allow' | 'disallow'): readonly RobotsRule[] {
  if (pattern === '') return [];
  const written = normalizeEscapes(pattern, UNSAFE);
  // A disallowed path is disallowed in every spelling; an allowed one only as it is written, like in Google's parser.
  const encoded = kind === 'allow' ? written : decodeUnreserved(written);
  const anchored = encoded.endsWith('$');
  const body = (anchored ? encoded.slice(0, -1) : encoded).replaceAll('$', '%24');
  const [first = '', ...later] = body.split('*');
  const last = later.pop();
  // An empty piece between two wildcards has no effect; at the end it matches any rest.
  const middle = later.filter((piece) => piece !== '');
  const pieces = last === undefined ? [first] : [first, ...middle, last];
  return [{ allows: kind === 'allow', strength: encoded.length, pieces, anchored }];
}

/**
 * Whether the rules allow a path with its query, serialized as in the URL standard. `parseRobots` sorts the longest
 * rule first, so the first match decides. /robots.txt itself is always allowed.
 */
export function isAllowed({ rules }: { readonly rules: readonly RobotsRule[] }, path: string): boolean {
  const written = path === '' ? '/' : escapeWildcards(normalizeEscapes(path, UNSAFE_ASCII));
  const decoded = decodeUnreserved(written);
  if (decoded === '/robots.txt') return true;
  let steps = 0;
  for (const rule of rules) {
    if (matchesRule(rule, decoded) || (rule.allows && written !== decoded && matchesRule(rule, written)))
      return rule.allows;
    if (rule.pieces.length > 1) steps += decoded.length + rule.strength;
    if (steps > MAX_STEPS) return false;
  }
  return true;
}

/** Matches each piece at its leftmost position, so no backtracking is needed. */
function matchesRule({ pieces, anchored }: RobotsRule, path: string): boolean {
  const first = pieces[0] ?? '';
  if (!path.startsWith(first)) return false;
  const last = pieces.length - 1;
  if (last === 0) return !anchored || path.length === first.length;
  let at = first.length;
  for (let index = 1; index < last; index++) {
    const piece = pieces[index] ?? '';
    const position = path.indexOf(piece, at);
    if (position < 0) return false;
    at = position + piece.length;
  }
  const end = pieces[last] ?? '';
  return anchored ? path.length - end.length >= at && path.endsWith(end) : path.includes(end, at);
}

/** Characters that are neither reserved nor unreserved (RFC 3986) and must be escaped. */
const UNSAFE = /[^!#-;=?-[\]_a-z~]+/gi;
const UNSAFE_ASCII = /["<>\\^`{|}]/g;

/** Escapes everything that must be escaped, and writes escapes in upper case. */
function normalizeEscapes(text: string, unsafe: RegExp): string {
  return text
    .toWellFormed()
    .replace(unsafe, (characters) => encodeURIComponent(characters))
    .replace(/%[0-9a-f]{2}/gi, (escape) => escape.toUpperCase());
}

/** Decodes escapes of unreserved characters (RFC 9309, 2.2.2). */
function decodeUnreserved(written: string): string {
  if (!written.includes('%')) return written;
  return written.replace(/%[0-9A-F]{2}/g, (escape) => {
    const character = String.fromCharCode(Number.parseInt(escape.slice(1), 16));
    return /[\w\-.~]/.test(character) ? character : escape;
  });
}

/** Escapes `*` and `$` in a path, because they have a special meaning in patterns. */
function escapeWildcards(path: string): string {
  return /[*$]/.test(path) ? path.replaceAll('*', '%2A').replaceAll('$', '%24') : path;
}
