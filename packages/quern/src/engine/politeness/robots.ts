import { compileRule, type RobotsRule } from './robots-rules.ts';

/** The product token that Quern obeys in a robots.txt. */
export const ROBOTS_AGENT = 'Quern';
/** Bytes of a robots.txt that are read; RFC 9309 asks for at least 500 KiB. */
export const ROBOTS_BYTES = 512_000;
/** Redirects that the way to a robots.txt may take (RFC 9309, 2.3.1.2). */
const MAX_ROBOTS_REDIRECTS = 5;

const MAX_CRAWL_DELAY_MS = 30_000;
/** Longer lines hold no rule that an address could match. */
const MAX_LINE_LENGTH = 16_664;
const MAX_SITEMAPS = 10_000;

/** The rules of a site's robots.txt for one agent; plain data, the strongest rule first. */
export type Robots = {
  readonly rules: readonly RobotsRule[];
  /** Between two starts, 0 to 30,000 ms. */
  readonly crawlDelayMs: number;
  /** As written, in order, each once. */
  readonly sitemaps: readonly string[];
};

/** The meaning of a robots.txt that is not there. */
export const ALLOW_ALL: Robots = { rules: [], crawlDelayMs: 0, sitemaps: [] };

/**
 * Reads a robots.txt (RFC 9309) for one agent: the rules of every group that names it, else of every group of `*`.
 * Any bytes are accepted: of UTF-16, binary, HTML or half a file, the lines that are rules count.
 */
export function parseRobots(body: Uint8Array, agent: string): Robots {
  const found: ParserState = {
    own: createSection(),
    everyone: createSection(),
    named: [],
    hasRules: false,
    sitemaps: new Set(),
  };
  for (const line of parseLines(body)) addLine(found, line, agent);
  const { rules, crawlDelayMs } = found.own.seen ? found.own : found.everyone;
  return { rules: rules.toSorted(compareRules), crawlDelayMs: crawlDelayMs ?? 0, sitemaps: [...found.sitemaps] };
}

/** The sections and sitemaps read so far. */
type ParserState = {
  readonly own: Section;
  readonly everyone: Section;
  readonly sitemaps: Set<string>;
  /** The sections of the current group. */
  named: readonly Section[];
  /** Whether the current group has a rule, so that the next agent begins another group. */
  hasRules: boolean;
};

function addLine(found: ParserState, { key, value }: Line, agent: string): void {
  if (key === 'user-agent') addAgent(found, value, agent);
  else if (key === 'allow' || key === 'disallow') {
    found.hasRules = true;
    for (const section of found.named) section.rules.push(...compileRule(value, key));
  } else if (key === 'crawl-delay') {
    for (const section of found.named) section.crawlDelayMs ??= parseDelayMs(value);
  } else if (key === 'sitemap' && value !== '' && found.sitemaps.size < MAX_SITEMAPS) found.sitemaps.add(value);
}

function addAgent(found: ParserState, value: string, agent: string): void {
  const section = isWildcardAgent(value) ? found.everyone : matchesAgent(value, agent) ? found.own : null;
  const others = found.hasRules ? [] : found.named.filter((one) => one !== section);
  found.named = section === null ? others : [...others, section];
  found.hasRules = false;
  for (const one of found.named) one.seen = true;
}

/**
 * The meaning of an answer to a request for robots.txt before it is read (RFC 9309, 2.3.1): `status` is that of the last
 * answer, null when none came. More than five redirects are an absent file, and so is a 4xx; 429 asks to wait.
 */
export function robotsOfAnswer(status: number | null, redirects: number): 'read' | 'allow_all' | 'forbid_all' {
  if (redirects > MAX_ROBOTS_REDIRECTS) return 'allow_all';
  if (status === null || status < 200 || status >= 500 || status === 429) return 'forbid_all';
  return status < 300 ? 'read' : 'allow_all';
}

type Section = { readonly rules: RobotsRule[]; crawlDelayMs: number | null; seen: boolean };

function createSection(): Section {
  return { rules: [], crawlDelayMs: null, seen: false };
}

/** Of rules that match, the one with the longest pattern decides; of equals the one that allows. */
function compareRules(a: RobotsRule, b: RobotsRule): number {
  return b.strength - a.strength || Number(b.allows) - Number(a.allows);
}

function isWildcardAgent(value: string): boolean {
  return /^\*(?:\s|$)/.test(value);
}

/** A version or words after the product token of a `User-agent` line do not count. */
function matchesAgent(value: string, agent: string): boolean {
  return /^[a-z_-]*/i.exec(value)?.[0].toLowerCase() === agent.toLowerCase();
}

/** Seconds as ms within 0 to 30 s; null for what is no such number. */
function parseDelayMs(value: string): number | null {
  const ms = Math.round(Number.parseFloat(value) * 1000);
  return ms >= 0 ? Math.min(ms, MAX_CRAWL_DELAY_MS) : null;
}

type Line = { readonly key: string; readonly value: string };

/** Misspelt keys that sites have used for years; a site that wrote one meant the rule. */
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
  const text = decodeText(body.subarray(0, ROBOTS_BYTES));
  const end = body.length > ROBOTS_BYTES ? Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r'), 0) : text.length;
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

/** A key and its value; where the colon is missing, white space between two words stands for it. */
function parseLine(raw: string): Line | null {
  const [text = ''] = raw.split('#', 1);
  const colon = text.indexOf(':');
  const [word = '', next = '', ...more] = colon < 0 ? text.trim().split(/\s+/, 3) : [];
  if (colon < 0 && (next === '' || more.length > 0)) return null;
  const key = (colon < 0 ? word : text.slice(0, colon)).trim().toLowerCase();
  return { key: KEY_CORRECTIONS.get(key) ?? key, value: colon < 0 ? next : text.slice(colon + 1).trim() };
}
