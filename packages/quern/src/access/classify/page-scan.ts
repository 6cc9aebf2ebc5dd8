/** The result of a scan over the bytes of an HTML page. */
export type PageScan = {
  /** Characters of visible text, not counted beyond `ENOUGH`; one of a script without word spaces counts as three. */
  readonly visibleChars: number;
  /** Visible characters outside of links, controls, header, footer and navigation. */
  readonly proseChars: number;
  /** Characters of text in `noscript`, counted in the same way. */
  readonly noscriptChars: number;
  /** The beginning of the visible text, in lower case, with single spaces; empty when there is `ENOUGH`. */
  readonly text: string;
  /** Title and `h1` headings in lower case, one per line. */
  readonly headings: string;
  /** The text in `noscript`, in lower case. */
  readonly withoutScript: string;
  /** Number of executable scripts, inline and external. */
  readonly scripts: number;
  /** Number of input fields. */
  readonly fields: number;
  /** Whether a `meta` refresh redirects within seconds. */
  readonly refreshes: boolean;
  /** Numbers of the markers that occur in a tag or an executable script. */
  readonly markers: ReadonlySet<number>;
};

/** A page with more visible characters is certainly not a block page, so the scan stops there. */
export const ENOUGH_CHARS = 2_000;
/** How much of a body is scanned. */
export const MAX_SCANNED_BYTES = 1024 * 1024;

const MAX_TEXT_BYTES = 3 * ENOUGH_CHARS;
const MAX_TAG_BYTES = 2_048;
const MAX_NOSCRIPT_BYTES = 2_048;
const MAX_TITLE_BYTES = 512;
const MAX_HEADINGS = 16;

const MAX_STATE_BYTES = 32;

const LT = 0x3c;
const GT = 0x3e;
const SLASH = 0x2f;
const BANG = 0x21;
const QUESTION = 0x3f;

/** Encodes an element name as a number, so that the scan compares no strings. */
function packName(name: string): number {
  return Array.from(name).reduce((packed, letter) => packed * 32 + (letter.charCodeAt(0) & 31), 0);
}

const [SCRIPT, TITLE, H1, META, LINK] = [
  packName('script'),
  packName('title'),
  packName('h1'),
  packName('meta'),
  packName('a'),
];
const [NOSCRIPT, TEMPLATE] = [packName('noscript'), packName('template')];
const MAX_NAME_LENGTH = 8;
const FIELD_ELEMENTS: ReadonlySet<number> = new Set(['input', 'textarea', 'select'].map(packName));
/** Elements whose text is not the content of a page; they may be nested. */
const BOILERPLATE_ELEMENTS: ReadonlySet<number> = new Set(
  ['nav', 'header', 'footer', 'aside', 'button', 'label', 'option', 'dialog'].map(packName),
);
/** Elements whose content is not visible text. */
const INVISIBLE_ELEMENTS: ReadonlyMap<number, string> = new Map(
  ['script', 'style', 'title', 'noscript', 'template', 'textarea', 'iframe', 'noembed', 'noframes'].map((name) => [
    packName(name),
    name,
  ]),
);
/** Elements that do not separate words. */
const INLINE_ELEMENTS: ReadonlySet<number> = new Set(
  ['a', 'abbr', 'b', 'bdi', 'code', 'em', 'font', 'i', 'mark', 'small', 'span', 'strong', 'sub', 'sup', 'u', 'wbr'].map(
    packName,
  ),
);

/** The position of a scan, and its findings so far. */
type ScanState = {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Whether self-closing tags end their element, as in XHTML. */
  readonly isXml: boolean;
  /** The marker hits in order, and the index of the first one not yet passed. */
  readonly hits: readonly MarkerHit[];
  next: number;
  /** Visible text as it was read, and how much of it there is. */
  readonly seen: Uint8Array<ArrayBuffer>;
  kept: number;
  visible: number;
  prose: number;
  spare: number;
  /** Whether the scan is in a link, and in how many boilerplate elements. */
  inLink: boolean;
  around: number;
  /** Whether a space belongs before the next text. */
  inGap: boolean;
  /** Where in `seen` the open heading begins, -1 for none. */
  heading: number;
  readonly headings: string[];
  withoutScript: string;
  scripts: number;
  fields: number;
  refreshes: boolean;
  readonly marked: Set<number>;
};

/**
 * Scans the tags of a page once, as bytes, and determines whether each hit is in markup or in visible text. It stops early
 * when there is enough text and no hit left. Linear in the size of the input.
 */
export function scanPage(body: Uint8Array<ArrayBuffer>, hits: readonly MarkerHit[], { isXml = false } = {}): PageScan {
  const bytes = body.subarray(0, MAX_SCANNED_BYTES);
  const walk: ScanState = {
    bytes,
    isXml,
    hits: hits.toSorted((one, other) => one.at - other.at),
    next: 0,
    seen: new Uint8Array(MAX_TEXT_BYTES),
    kept: 0,
    visible: 0,
    prose: 0,
    spare: 0,
    inLink: false,
    around: 0,
    inGap: true,
    heading: -1,
    headings: [],
    withoutScript: '',
    scripts: 0,
    fields: 0,
    refreshes: false,
    marked: new Set(),
  };
  for (let at = 0; at < bytes.length && (walk.visible < ENOUGH_CHARS || walk.next < walk.hits.length);) {
    at = bytes[at] === LT ? readMarkup(walk, at) : readText(walk, at);
  }
  endHeading(walk);
  const { visible, prose, spare, headings, withoutScript, scripts, fields, refreshes, marked } = walk;
  return {
    visibleChars: visible,
    proseChars: prose,
    noscriptChars: spare,
    text: visible < ENOUGH_CHARS ? normalizeText(readUtf8(walk.seen, 0, walk.kept)) : '',
    headings: headings.join('\n'),
    withoutScript,
    scripts,
    fields,
    refreshes,
    markers: marked,
  };
}

/** Reads text up to the next `<` after its first byte; returns that position. */
function readText(walk: ScanState, start: number): number {
  const { bytes, seen } = walk;
  const next = bytes.indexOf(LT, start + 1);
  const end = next < 0 ? bytes.length : next;
  let { kept, visible, inGap } = walk;
  for (let at = start; at < end; at++) {
    const byte = bytes[at] ?? 0;
    if (byte <= 0x20) {
      inGap = true;
      continue;
    }
    if (byte < 0x80 || byte >= 0xc0) visible += byte >= 0xe3 ? 3 : inGap && visible > 0 ? 2 : 1;
    if (kept + 2 <= MAX_TEXT_BYTES) {
      if (inGap && kept > 0) seen[kept++] = 0x20;
      seen[kept++] = byte;
    }
    inGap = false;
  }
  walk.kept = kept;
  if (!walk.inLink && walk.around === 0) walk.prose += visible - walk.visible;
  walk.visible = visible;
  walk.inGap = inGap;
  return end;
}

/** Reads from a `<`: a tag including invisible content of its element, an end tag, a comment, or text. */
function readMarkup(walk: ScanState, at: number): number {
  const { bytes } = walk;
  const after = bytes[at + 1] ?? 0;
  if (isLetter(after)) return readTag(walk, at);
  if (after !== SLASH && after !== BANG && after !== QUESTION) return readText(walk, at);
  const name = after === SLASH ? readName(bytes, at + 2) : 0;
  if (name === H1) endHeading(walk);
  if (name === LINK) walk.inLink = false;
  if (BOILERPLATE_ELEMENTS.has(name)) walk.around = Math.max(0, walk.around - 1);
  if (!INLINE_ELEMENTS.has(name)) walk.inGap = true;
  return findDeclarationEnd(bytes, at);
}

function readTag(walk: ScanState, start: number): number {
  const { bytes } = walk;
  const name = readName(bytes, start + 1);
  const close = findTagEnd(bytes, start + 1);
  const tagTo = Math.min(close, start + MAX_TAG_BYTES);
  passHits(walk, start, 'text');
  passHits(walk, close, 'markup');
  if (!INLINE_ELEMENTS.has(name)) walk.inGap = true;
  if (name === H1) walk.heading = walk.kept;
  if (name === LINK) walk.inLink = true;
  if (BOILERPLATE_ELEMENTS.has(name)) walk.around += 1;
  if (name === META) walk.refreshes ||= isRefreshTag(readUtf8(bytes, start, tagTo));
  if (FIELD_ELEMENTS.has(name) && isInputField(readUtf8(bytes, start, tagTo))) walk.fields += 1;
  const unseen = INVISIBLE_ELEMENTS.get(name);
  if (unseen === undefined || (walk.isXml && bytes[close - 2] === SLASH)) return close;
  if (name === TEMPLATE && isShadowRoot(readUtf8(bytes, start, tagTo))) return close;
  const end = findElementEnd(bytes, close, unseen);
  if (name === TITLE) addHeading(walk, readUtf8(bytes, close, Math.min(end, close + MAX_TITLE_BYTES)));
  if (name === NOSCRIPT && walk.withoutScript === '') {
    walk.withoutScript = readUtf8(bytes, close, Math.min(end, close + MAX_NOSCRIPT_BYTES)).toLowerCase();
  }
  if (name === NOSCRIPT && walk.spare < ENOUGH_CHARS)
    walk.spare += scanPage(bytes.subarray(close, end), [], walk).visibleChars;
  if (name !== SCRIPT || !isExecutableScript(readUtf8(bytes, start, tagTo))) return end;
  walk.scripts += 1;
  passHits(
    walk,
    end,
    isStateScript(readUtf8(bytes, close, Math.min(end, close + MAX_STATE_BYTES))) ? 'text' : 'markup',
  );
  return end;
}

/** Whether a template is a declarative shadow root (HTML standard), whose content is visible. */
function isShadowRoot(tag: string): boolean {
  return /\sshadowrootmode\s*=\s*["']?(?:open|closed)\b/i.test(tag);
}

/** Passes the hits before `until`; records those in markup. */
function passHits(walk: ScanState, until: number, where: 'markup' | 'text'): void {
  for (let hit = walk.hits[walk.next]; hit !== undefined && hit.at < until; hit = walk.hits[walk.next]) {
    if (where === 'markup') walk.marked.add(hit.marker);
    walk.next += 1;
  }
}

function endHeading(walk: ScanState): void {
  if (walk.heading >= 0) addHeading(walk, readUtf8(walk.seen, walk.heading, walk.kept));
  walk.heading = -1;
}

function addHeading({ headings }: ScanState, text: string): void {
  if (headings.length < MAX_HEADINGS) headings.push(normalizeText(text));
}

function isLetter(byte: number): boolean {
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}

/** The packed name that starts at `at`; 0 if it is longer than all relevant names. */
function readName(bytes: Uint8Array, at: number): number {
  let packed = 0;
  for (let here = at; here < bytes.length; here++) {
    const byte = bytes[here] ?? 0;
    if (byte <= 0x20 || byte === GT || byte === SLASH) return packed;
    if (here - at >= MAX_NAME_LENGTH) return 0;
    packed = packed * 32 + (byte & 31);
  }
  return packed;
}

/** The position after the `>` of a tag; ignores `>` in quoted values. */
function findTagEnd(bytes: Uint8Array, at: number): number {
  let before = 0;
  for (let here = at; here < bytes.length; here++) {
    const byte = bytes[here] ?? 0;
    if (byte === GT) return here + 1;
    if ((byte === 0x22 || byte === 0x27) && before === 0x3d) {
      const close = bytes.indexOf(byte, here + 1);
      if (close < 0) return bytes.length;
      here = close;
    }
    if (byte > 0x20) before = byte;
  }
  return bytes.length;
}

/** The position after an end tag, a comment or a declaration. */
function findDeclarationEnd(bytes: Uint8Array<ArrayBuffer>, at: number): number {
  const isComment = bytes[at + 1] === BANG && bytes[at + 2] === 0x2d && bytes[at + 3] === 0x2d;
  const mark = isComment ? toBuffer(bytes).indexOf('-->', at + 2, 'latin1') : bytes.indexOf(GT, at);
  return mark < 0 ? bytes.length : mark + (isComment ? 3 : 1);
}

/** The position of the end tag of a raw text element. */
function findElementEnd(bytes: Uint8Array<ArrayBuffer>, at: number, name: string): number {
  for (let open = bytes.indexOf(LT, at); open >= 0; open = bytes.indexOf(LT, open + 1)) {
    if (bytes[open + 1] !== SLASH) continue;
    if (readUtf8(bytes, open + 2, open + 2 + name.length).toLowerCase() === name) return open;
  }
  return bytes.length;
}

function toBuffer(bytes: Uint8Array<ArrayBuffer>): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function readUtf8(bytes: Uint8Array<ArrayBuffer>, start: number, end: number): string {
  return toBuffer(bytes).toString('utf8', start, end);
}

/** Normalizes text for comparison: resolves references and typographic quotes, lower case, single spaces. */
function normalizeText(text: string): string {
  return text
    .replace(/&(?:#(\d{1,6})|#x([0-9a-f]{1,5})|(nbsp|amp|quot|apos|rsquo));/gi, (_whole, decimal, hex, name) =>
      toCharacter(decimal, hex, name),
    )
    .replace(/[‘’]/g, "'")
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();
}

const NAMED_REFERENCES: Readonly<Record<string, string>> = { nbsp: ' ', amp: '&', quot: '"', apos: "'", rsquo: "'" };

function toCharacter(decimal: string | undefined, hex: string | undefined, name: string | undefined): string {
  if (name !== undefined) return NAMED_REFERENCES[name.toLowerCase()] ?? '';
  const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ' ';
}

/**
 * The value of a `Refresh` header or `meta` element that navigates elsewhere within seconds (HTML standard, shared
 * declarative refresh steps): a time, a separator or white space, and an address with or without `url=`.
 */
export const REFRESH_VALUE =
  /^\s*(?=\.?\d)(?:0*\d)?(?:\.[\d.]*)?(?:\s*[;,]\s*|\s+)(?!url\s*=[\s"']*$)(?:url\s*=\s*)?["']?\s*[^\s"']/i;

function isRefreshTag(tag: string): boolean {
  if (!/[\s"'/]http-equiv\s*=\s*["']?\s*refresh\b/i.test(tag)) return false;
  const [, double, single, bare] = /[\s"'/]content\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))/i.exec(tag) ?? [];
  return REFRESH_VALUE.test(double ?? single ?? bare ?? '');
}

function isInputField(tag: string): boolean {
  return !/\btype\s*=\s*["']?(?:hidden|submit|button|image|reset)\b|\bname\s*=\s*["']?[gh]-(?:re)?captcha/i.test(tag);
}

/** Whether the element holds a script that runs (HTML standard, "prepare the script element"); other types are data. */
function isExecutableScript(tag: string): boolean {
  const type = /\stype\s*=\s*["']?\s*([^"'\s>]*)/i.exec(tag)?.[1] ?? '';
  return /^(?:module|(?:text|application)\/(?:x-)?(?:java|ecma)script(?:;.*)?)?$/i.test(type);
}

/** Whether a script only contains the state of a page, which may include its text. */
function isStateScript(beginning: string): boolean {
  return /^\s*(?:self|window)\.?\s*(?:__next_f|__NUXT__|__INITIAL_STATE__|__remixContext|__APOLLO_STATE__)/.test(
    beginning,
  );
}

/** A marker (by number) and its position in a body. */
type MarkerHit = { readonly marker: number; readonly at: number };

/** Limit for pages that repeat markers. */
const MAX_HITS = 256;

/**
 * Builds a search for all of `markers` (ASCII, two characters or more) in one pass over bytes. Method: S. Wu and U. Manber,
 * "A Fast Algorithm for Multi-Pattern Searching" (1994), with blocks of two bytes: it reads about every n-th byte, where n is the
 * length of the shortest marker.
 */
export function createMarkerSearch(
  markers: readonly string[],
): (bytes: Uint8Array, end: number) => readonly MarkerHit[] {
  const needles = markers.map((marker) => Buffer.from(marker, 'latin1'));
  const least = Math.min(...needles.map((needle) => needle.length));
  const shifts = new Uint8Array(65_536).fill(Math.min(least - 1, 255));
  const endings = new Map<number, { readonly marker: number; readonly needle: Uint8Array }[]>();
  needles.forEach((needle, marker) => {
    for (let at = 1; at < least; at++) {
      const block = readBlock(needle, at);
      shifts[block] = Math.min(shifts[block] ?? 0, least - 1 - at);
      if (at === least - 1) endings.set(block, [...(endings.get(block) ?? []), { marker, needle }]);
    }
  });

  return function search(bytes, end) {
    const hits: MarkerHit[] = [];
    let at = least - 1;
    while (at < end && hits.length < MAX_HITS) {
      const block = readBlock(bytes, at);
      const shift = shifts[block] ?? 0;
      if (shift > 0) {
        at += shift;
        continue;
      }
      const start = at - least + 1;
      for (const { marker, needle } of endings.get(block) ?? []) {
        if (matchesAt(bytes, start, needle)) hits.push({ marker, at: start });
      }
      at += 1;
    }
    return hits;
  };
}

function readBlock(bytes: Uint8Array, at: number): number {
  return ((bytes[at - 1] ?? 0) << 8) | (bytes[at] ?? 0);
}

function matchesAt(bytes: Uint8Array, start: number, needle: Uint8Array): boolean {
  for (let at = 0; at < needle.length; at++) if (bytes[start + at] !== needle[at]) return false;
  return true;
}
