import type { Hit } from './marker-search.ts';

/** What a quick look at the bytes of an HTML page finds. */
export type Survey = {
  /** Characters of visible text, not counted beyond `ENOUGH`; one of a script without word spaces counts as three. */
  readonly visible: number;
  /** The beginning of the visible text, in lower case, with single spaces; empty when there is `ENOUGH`. */
  readonly text: string;
  /** Title and headings of the first level, in lower case, each on a line. */
  readonly headings: string;
  /** What stands in `noscript`, in lower case. */
  readonly withoutScript: string;
  /** Scripts that run, inline and external. */
  readonly scripts: number;
  /** Fields that a reader fills in. */
  readonly fields: number;
  /** Whether a `meta` element leads elsewhere within seconds. */
  readonly refreshes: boolean;
  /** The markers that stand in a tag or in a script that runs, by their numbers. */
  readonly marked: ReadonlySet<number>;
};

/** From so many visible characters on a page is surely one of the site itself, so the look ends. */
export const ENOUGH = 2_000;
/** The part of a body that is looked at. */
export const LOOKED_AT = 1024 * 1024;

const TEXT_BYTES = 3 * ENOUGH;
const TAG_BYTES = 2_048;
const NOSCRIPT_BYTES = 2_048;
const TITLE_BYTES = 512;
const MOST_HEADINGS = 16;

const LT = 0x3c;
const GT = 0x3e;

/** Element names as numbers, so that the walk compares no texts. */
function pack(name: string): number {
  return Array.from(name).reduce((packed, letter) => packed * 32 + (letter.charCodeAt(0) & 31), 0);
}

const [SCRIPT, TITLE, H1, META, NOSCRIPT] = [pack('script'), pack('title'), pack('h1'), pack('meta'), pack('noscript')];
const LONGEST_NAME = 8;
const INPUTS: ReadonlySet<number> = new Set(['input', 'textarea', 'select'].map(pack));
/** Elements whose content is no visible text up to their end tag. */
const UNSEEN: ReadonlyMap<number, string> = new Map(
  ['script', 'style', 'title', 'noscript', 'template', 'textarea', 'iframe', 'noembed', 'noframes'].map((name) => [
    pack(name),
    name,
  ]),
);
/** Elements that do not part words. */
const INLINE: ReadonlySet<number> = new Set(
  ['a', 'abbr', 'b', 'bdi', 'code', 'em', 'font', 'i', 'mark', 'small', 'span', 'strong', 'sub', 'sup', 'u', 'wbr'].map(
    pack,
  ),
);

/**
 * Walks the tags of a page once, on its bytes, and says whether each hit stands in markup or only in text that is read.
 * It ends early when there is text enough and no hit is left; on no input does it look at a byte more than a few times.
 */
export function survey(body: Uint8Array<ArrayBuffer>, hits: readonly Hit[]): Survey {
  const bytes = body.subarray(0, LOOKED_AT);
  const end = bytes.length;
  const ordered = hits.toSorted((one, other) => one.at - other.at);
  const seen = new Uint8Array(TEXT_BYTES);
  const marked = new Set<number>();
  const headings: string[] = [];
  let withoutScript = '';
  let [kept, visible, scripts, fields, next, at] = [0, 0, 0, 0, 0, 0];
  let heading = -1;
  let refreshes = false;
  let inGap = true;

  function keepHeading(text: string): void {
    if (headings.length < MOST_HEADINGS) headings.push(tidy(text));
  }

  /** Passes the hits before `until`, noting those in markup. */
  function pass(until: number, isMarkup: boolean): void {
    for (let hit = ordered[next]; hit !== undefined && hit.at < until; hit = ordered[next]) {
      if (isMarkup) marked.add(hit.marker);
      next += 1;
    }
  }

  function readTag(start: number): number {
    const name = nameAt(bytes, start + 1);
    const close = tagEnd(bytes, start + 1);
    pass(start, false);
    pass(close, true);
    if (!INLINE.has(name)) inGap = true;
    if (name === H1) heading = kept;
    if (name === META) refreshes ||= isRefresh(textOf(bytes, start, Math.min(close, start + TAG_BYTES)));
    if (INPUTS.has(name) && isField(textOf(bytes, start, Math.min(close, start + TAG_BYTES)))) fields += 1;
    const unseen = UNSEEN.get(name);
    if (unseen === undefined) return close;
    const contentEnd = rawEnd(bytes, close, unseen);
    if (name === TITLE) keepHeading(textOf(bytes, close, Math.min(contentEnd, close + TITLE_BYTES)));
    if (name === NOSCRIPT && withoutScript === '') {
      withoutScript = textOf(bytes, close, Math.min(contentEnd, close + NOSCRIPT_BYTES)).toLowerCase();
    }
    if (name !== SCRIPT) return contentEnd;
    const runs = isRun(textOf(bytes, start, Math.min(close, start + TAG_BYTES)));
    if (runs) scripts += 1;
    pass(contentEnd, runs && !isState(textOf(bytes, close, Math.min(contentEnd, close + 32))));
    return contentEnd;
  }

  while (at < end && (visible < ENOUGH || next < ordered.length)) {
    const byte = bytes[at] ?? 0;
    if (byte === LT) {
      const after = bytes[at + 1] ?? 0;
      if (isLetter(after)) {
        at = readTag(at);
        continue;
      }
      if (after === 0x2f || after === 0x21 || after === 0x3f) {
        const name = after === 0x2f ? nameAt(bytes, at + 2) : 0;
        if (name === H1 && heading >= 0) {
          keepHeading(textOf(seen, heading, kept));
          heading = -1;
        }
        if (!INLINE.has(name)) inGap = true;
        at = declarationEnd(bytes, at);
        continue;
      }
    }
    at += 1;
    if (byte <= 0x20) {
      inGap = true;
      continue;
    }
    if (byte < 0x80 || byte >= 0xc0) visible += byte >= 0xe3 ? 3 : inGap && visible > 0 ? 2 : 1;
    if (kept + 2 > TEXT_BYTES) continue;
    if (inGap && kept > 0) seen[kept++] = 0x20;
    inGap = false;
    seen[kept++] = byte;
  }

  if (heading >= 0) keepHeading(textOf(seen, heading, kept));
  return {
    visible,
    text: visible < ENOUGH ? tidy(textOf(seen, 0, kept)) : '',
    headings: headings.join('\n'),
    withoutScript,
    scripts,
    fields,
    refreshes,
    marked,
  };
}

function isLetter(byte: number): boolean {
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}

/** The name that starts at `at`, packed; 0 for one longer than any that matters. */
function nameAt(bytes: Uint8Array, at: number): number {
  let packed = 0;
  for (let here = at; here < bytes.length; here++) {
    const byte = bytes[here] ?? 0;
    if (byte <= 0x20 || byte === GT || byte === 0x2f) return packed;
    if (here - at >= LONGEST_NAME) return 0;
    packed = packed * 32 + (byte & 31);
  }
  return packed;
}

/** The place after the `>` of a tag; one within a quoted value does not end it. */
function tagEnd(bytes: Uint8Array, at: number): number {
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

/** The place after an end tag, a comment or a declaration. */
function declarationEnd(bytes: Uint8Array<ArrayBuffer>, at: number): number {
  const isComment = bytes[at + 1] === 0x21 && bytes[at + 2] === 0x2d && bytes[at + 3] === 0x2d;
  const mark = isComment ? viewOf(bytes).indexOf('-->', at + 2, 'latin1') : bytes.indexOf(GT, at);
  return mark < 0 ? bytes.length : mark + (isComment ? 3 : 1);
}

/** The place of the end tag of an element whose content holds no tags. */
function rawEnd(bytes: Uint8Array<ArrayBuffer>, at: number, name: string): number {
  for (let open = bytes.indexOf(LT, at); open >= 0; open = bytes.indexOf(LT, open + 1)) {
    if (bytes[open + 1] !== 0x2f) continue;
    if (textOf(bytes, open + 2, open + 2 + name.length).toLowerCase() === name) return open;
  }
  return bytes.length;
}

function viewOf(bytes: Uint8Array<ArrayBuffer>): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function textOf(bytes: Uint8Array<ArrayBuffer>, start: number, end: number): string {
  return viewOf(bytes).toString('utf8', start, end);
}

/** Text as it is compared: references and typographic quotes resolved, lower case, single spaces. */
function tidy(text: string): string {
  return text
    .replace(/&(?:#(\d{1,6})|#x([0-9a-f]{1,5})|(nbsp|amp|quot|apos|rsquo));/gi, (_whole, decimal, hex, name) =>
      toCharacter(decimal, hex, name),
    )
    .replace(/[‘’]/g, "'")
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();
}

const NAMED: Readonly<Record<string, string>> = { nbsp: ' ', amp: '&', quot: '"', apos: "'", rsquo: "'" };

function toCharacter(decimal: string | undefined, hex: string | undefined, name: string | undefined): string {
  if (name !== undefined) return NAMED[name.toLowerCase()] ?? '';
  const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ' ';
}

function isRefresh(tag: string): boolean {
  return /\bhttp-equiv\s*=\s*["']?refresh/i.test(tag) && /\bcontent\s*=\s*["']?\s*\d(?:\.\d*)?\s*[;,]\s*url/i.test(tag);
}

function isField(tag: string): boolean {
  return !/\btype\s*=\s*["']?(?:hidden|submit|button|image|reset)\b|\bname\s*=\s*["']?[gh]-(?:re)?captcha/i.test(tag);
}

/** Whether the element holds a script that runs (HTML standard, "prepare the script element"); other types are data. */
function isRun(tag: string): boolean {
  const type = /\stype\s*=\s*["']?\s*([^"'\s>]*)/i.exec(tag)?.[1] ?? '';
  return /^(?:module|(?:text|application)\/(?:x-)?(?:java|ecma)script(?:;.*)?)?$/i.test(type);
}

/** Scripts that only carry the state of a page, articles included. */
function isState(beginning: string): boolean {
  return /^\s*(?:self|window)\.?\s*(?:__next_f|__NUXT__|__INITIAL_STATE__|__remixContext|__APOLLO_STATE__)/.test(
    beginning,
  );
}
