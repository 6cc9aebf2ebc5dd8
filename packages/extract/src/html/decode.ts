import { isUtf8 } from 'node:buffer';
import { analyse } from 'chardet';
import { MIMEType } from 'whatwg-mimetype';
import type { ReadWarning } from '#extract/warnings.ts';
import type { ContentKind } from './sniff.ts';

export type DecodedText = {
  readonly text: string;
  readonly charset: string;
  readonly warnings: readonly ReadWarning[];
};

/** Bytes in which a page must name its charset (HTML standard, 13.2.3.2). */
const PRESCAN_BYTES = 1024;
/** Bytes that a guess looks at. */
const GUESS_SAMPLE_BYTES = 65_536;
/** The charset that browsers assume by default. */
const FALLBACK_CHARSET = 'windows-1252';
const MAX_META_LENGTH = 500;
const LESS_THAN = 0x3c;
const ESCAPE = 0x1b;
/** The ways of ISO-2022-JP into other letters, in bytes that are ASCII all the same. */
const JIS_ESCAPES = ['\x1b$@', '\x1b$B', '\x1b(J', '\x1b(I'];
/** Formats that are UTF-8 by their own definition. */
const ALWAYS_UTF8: ReadonlySet<ContentKind> = new Set(['json', 'xml', 'feed']);

/** Of the bytes beyond ASCII, how many may break UTF-8 before a page that calls itself that is taken for something else. */
const MAX_BROKEN_SHARE = 0.1;
/** Bytes beyond ASCII that it takes to doubt what is named. */
const MIN_NON_ASCII_BYTES = 8;

/**
 * Bytes to text: byte order mark, then the Content-Type, then what the first 1,024 bytes declare, then a guess, which
 * warns `charset_guessed`. Labels as WHATWG reads them (`iso-8859-1` means windows-1252); unknown ones are passed over,
 * and so, with the same warning, are those that the bytes contradict.
 */
export function decodeBody(body: Uint8Array, contentType: string, kind: ContentKind): DecodedText {
  const marked = detectByteOrderMark(body);
  if (marked !== null) return decodeAs(body, marked);
  const lies: string[] = [];
  for (const named of [readHeaderCharset(contentType), readDeclaredCharset(body, kind)]) {
    if (named === null) continue;
    if (!isContradicted(body, named, kind)) return addContradictionWarning(decodeAs(body, named), lies);
    lies.push(named.encoding);
  }
  return decodeUndeclared(body, kind, lies);
}

function decodeUndeclared(body: Uint8Array, kind: ContentKind, lies: readonly string[]): DecodedText {
  if (!isUtf8(body)) return addGuessWarning(decodeAs(body, guessCharset(body, kind)), lies);
  const decoded = decodeAs(body, new TextDecoder('utf-8'));
  const isAscii = decoded.text.length === body.length;
  if (isAscii && body.includes(ESCAPE) && JIS_ESCAPES.some((shift) => decoded.text.includes(shift)))
    return addGuessWarning(decodeAs(body, new TextDecoder('iso-2022-jp')), lies);
  return isAscii || ALWAYS_UTF8.has(kind) ? addContradictionWarning(decoded, lies) : addGuessWarning(decoded, lies);
}

/** The same with a warning where the charset that was named is not the one that was read. */
function addContradictionWarning(decoded: DecodedText, lies: readonly string[]): DecodedText {
  return lies.length === 0 ? decoded : addGuessWarning(decoded, lies);
}

function addGuessWarning(decoded: DecodedText, lies: readonly string[]): DecodedText {
  const said = lies.length === 0 ? 'the page names no charset' : `the page is not ${lies.join(' or ')}, as it says`;
  return { ...decoded, warnings: [{ code: 'charset_guessed', message: `${said}, read as ${decoded.charset}` }] };
}

function decodeAs(body: Uint8Array, decoder: TextDecoder): DecodedText {
  return { text: decoder.decode(body), charset: decoder.encoding, warnings: [] };
}

/**
 * Whether a text holds a NUL. No charset makes one of bytes that hold none, and V8 goes through a text of two bytes a
 * character fifteen times as slowly as through bytes.
 */
export function hasNul(body: Uint8Array, text: string): boolean {
  return Buffer.from(body.buffer, body.byteOffset, body.byteLength).includes(0) && text.includes('\0');
}

/**
 * Whether the bytes cannot be what they are called: much of it is no UTF-8, markup has no NUL as in UTF-16, or it is UTF-8
 * without a fault, which text in another charset is next to never: servers name one unasked, and copies of pages are
 * stored as UTF-8 with what they said of themselves before.
 */
function isContradicted(body: Uint8Array, { encoding }: TextDecoder, kind: ContentKind): boolean {
  if (encoding === 'utf-8') return !isUtf8(body) && isBrokenUtf8(body);
  if (encoding.startsWith('utf-16')) return kind === 'html' && !body.subarray(0, PRESCAN_BYTES).includes(0);
  return isUtf8(body) && countNonAscii(body) >= MIN_NON_ASCII_BYTES;
}

function isBrokenUtf8(body: Uint8Array): boolean {
  const first = body.findIndex((byte) => byte > 127);
  const sample = body.subarray(first, first + GUESS_SAMPLE_BYTES);
  const faults = new TextDecoder('utf-8').decode(sample).split('\uFFFD').length - 1;
  return faults >= MIN_NON_ASCII_BYTES && faults > countNonAscii(sample) * MAX_BROKEN_SHARE;
}

function countNonAscii(body: Uint8Array): number {
  return body.reduce((count, byte) => count + (byte > 127 ? 1 : 0), 0);
}

function createDecoder(label: string | undefined): TextDecoder | null {
  if (label === undefined) return null;
  try {
    return new TextDecoder(label);
  } catch {
    return null;
  }
}

function detectByteOrderMark(body: Uint8Array): TextDecoder | null {
  const [first, second, third] = body;
  if (first === 0xef && second === 0xbb && third === 0xbf) return new TextDecoder('utf-8');
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be');
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le');
  return detectUtf16Markup(body);
}

/** Markup in UTF-16 shows by its first letters which way it is written, also without a mark (XML 1.0, appendix F). */
function detectUtf16Markup([one, two, three, four]: Uint8Array): TextDecoder | null {
  if (one === LESS_THAN && two === 0 && three !== 0 && four === 0) return new TextDecoder('utf-16le');
  return one === 0 && two === LESS_THAN && three === 0 && four !== 0 ? new TextDecoder('utf-16be') : null;
}

function readHeaderCharset(contentType: string): TextDecoder | null {
  return createDecoder(MIMEType.parse(contentType)?.parameters.get('charset'));
}

/** The charset that the document itself names: meta of HTML, declaration of XML. */
function readDeclaredCharset(body: Uint8Array, kind: ContentKind): TextDecoder | null {
  if (kind !== 'html' && kind !== 'xml' && kind !== 'feed') return null;
  const head = readHead(body, PRESCAN_BYTES);
  const declared = /^\s*<\?xml\s[^>]*encoding\s*=\s*["']([^"']*)/i.exec(head)?.[1];
  const label = declared ?? (kind === 'html' ? findMetaCharset(head) : undefined);
  const decoder = createDecoder(label);
  // A page whose ASCII could be read cannot be UTF-16 (HTML standard, "prescan a byte stream").
  return decoder?.encoding.startsWith('utf-16') ? new TextDecoder('utf-8') : decoder;
}

function readHead(body: Uint8Array, bytes: number): string {
  return Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, bytes)).toString('latin1');
}

function findMetaCharset(head: string): string | undefined {
  for (const [meta] of removeComments(head).matchAll(/<meta[\s/][^>]*/gi)) {
    const label = /charset\s*=\s*["']?\s*([^\s"'/>;]+)/i.exec(meta.slice(0, MAX_META_LENGTH))?.[1];
    if (label !== undefined) return label;
  }
  return undefined;
}

function removeComments(head: string): string {
  return head
    .split('<!--')
    .map((part, at) => (at === 0 ? part : part.slice(Math.max(0, part.indexOf('-->')))))
    .join('');
}

/**
 * The charset that a page declares too late for browsers, unless the bytes contradict it; else the likeliest charset that can be
 * decoded, from a sample around the first bytes beyond ASCII.
 */
function guessCharset(body: Uint8Array, kind: ContentKind): TextDecoder {
  const late = kind === 'html' ? createDecoder(findMetaCharset(readHead(body, GUESS_SAMPLE_BYTES))) : null;
  if (late !== null && late.encoding !== 'utf-8' && !late.encoding.startsWith('utf-16')) return late;
  const from = Math.max(0, body.findIndex((byte) => byte > 127) - 1024);
  const matches = analyse(body.subarray(from, from + GUESS_SAMPLE_BYTES));
  for (const { name } of matches) {
    const decoder = name.startsWith('UTF-') ? null : createDecoder(name);
    if (decoder !== null) return decoder;
  }
  return new TextDecoder(FALLBACK_CHARSET);
}
