import { decodeLatin1, includesByte, isUtf8 } from '#extract/platform/node.ts';
import { analyse } from 'chardet';
import { MIMEType } from 'whatwg-mimetype';
import type { ReadWarning } from '#extract/warnings.ts';
import type { ContentKind } from './sniff.ts';

/** Decoded text, with the WHATWG name of its charset. */
export type DecodedText = {
  readonly text: string;
  readonly charset: string;
  readonly warnings: readonly ReadWarning[];
};

/** A page must declare its charset within these first bytes (HTML standard, 13.2.3.2). */
const PRESCAN_BYTES = 1024;
/** Size of the sample for a guess. */
const GUESS_SAMPLE_BYTES = 65_536;
/** The default charset of browsers. */
const FALLBACK_CHARSET = 'windows-1252';
const MAX_META_LENGTH = 500;
const LESS_THAN = 0x3c;
const ESCAPE = 0x1b;
/** Escape sequences of ISO-2022-JP. Their bytes are ASCII. */
const JIS_ESCAPES = ['\x1b$@', '\x1b$B', '\x1b(J', '\x1b(I'];
/** Formats that are UTF-8 by definition. */
const ALWAYS_UTF8: ReadonlySet<ContentKind> = new Set(['json', 'xml', 'feed']);

/** Maximum share of invalid UTF-8 among the non-ASCII bytes of a page that is declared as UTF-8. */
const MAX_BROKEN_SHARE = 0.1;
/** With fewer non-ASCII bytes the declared charset is not doubted. */
const MIN_NON_ASCII_BYTES = 8;

/**
 * Decodes bytes to text: by byte order mark, then Content-Type, then the declaration in the first 1,024 bytes, then a
 * guess with the warning `charset_guessed`. Labels have their WHATWG meaning (`iso-8859-1` means windows-1252). Unknown
 * labels are ignored, and so, with the same warning, are labels that the bytes contradict.
 */
export function decodeBody(body: Uint8Array, contentType: string, kind: ContentKind): DecodedText {
  const marked = detectByteOrderMark(body);
  if (marked !== null) return decodeAs(body, marked);
  const contradicted: string[] = [];
  for (const named of [readHeaderCharset(contentType), readDeclaredCharset(body, kind)]) {
    if (named === null) continue;
    if (!isContradicted(body, named, kind)) return addContradictionWarning(decodeAs(body, named), contradicted);
    contradicted.push(named.encoding);
  }
  return decodeUndeclared(body, kind, contradicted);
}

function decodeUndeclared(body: Uint8Array, kind: ContentKind, contradicted: readonly string[]): DecodedText {
  if (!isUtf8(body)) return addGuessWarning(decodeAs(body, guessCharset(body, kind)), contradicted);
  const decoded = decodeAs(body, new TextDecoder('utf-8'));
  const isAscii = decoded.text.length === body.length;
  if (isAscii && body.includes(ESCAPE) && JIS_ESCAPES.some((shift) => decoded.text.includes(shift)))
    return addGuessWarning(decodeAs(body, new TextDecoder('iso-2022-jp')), contradicted);
  return isAscii || ALWAYS_UTF8.has(kind)
    ? addContradictionWarning(decoded, contradicted)
    : addGuessWarning(decoded, contradicted);
}

/** Adds a warning if a declared charset was not used. */
function addContradictionWarning(decoded: DecodedText, contradicted: readonly string[]): DecodedText {
  return contradicted.length === 0 ? decoded : addGuessWarning(decoded, contradicted);
}

function addGuessWarning(decoded: DecodedText, contradicted: readonly string[]): DecodedText {
  const reason =
    contradicted.length === 0
      ? 'the page declares no charset'
      : `the page is not in ${contradicted.join(' or ')} as declared`;
  return { ...decoded, warnings: [{ code: 'charset_guessed', message: `${reason}, read as ${decoded.charset}` }] };
}

function decodeAs(body: Uint8Array, decoder: TextDecoder): DecodedText {
  return { text: decoder.decode(body), charset: decoder.encoding, warnings: [] };
}

/**
 * Whether a text contains NUL. Decoding never creates one, so the bytes are searched first: that is 15 times as fast as
 * searching a two-byte string in V8.
 */
export function hasNul(body: Uint8Array, text: string): boolean {
  return includesByte(body, 0) && text.includes('\0');
}

/**
 * Whether the bytes cannot be in the declared charset: much of it is not valid UTF-8; markup without NUL cannot be
 * UTF-16; or it is valid UTF-8 with enough non-ASCII bytes, which text in another charset almost never is. Servers
 * often send a default charset, and stored copies are UTF-8 with the old declaration.
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

/** Detects UTF-16 markup without a byte order mark by its first characters (XML 1.0, appendix F). */
function detectUtf16Markup([one, two, three, four]: Uint8Array): TextDecoder | null {
  if (one === LESS_THAN && two === 0 && three !== 0 && four === 0) return new TextDecoder('utf-16le');
  return one === 0 && two === LESS_THAN && three === 0 && four !== 0 ? new TextDecoder('utf-16be') : null;
}

function readHeaderCharset(contentType: string): TextDecoder | null {
  return createDecoder(MIMEType.parse(contentType)?.parameters.get('charset'));
}

/** The charset that the document declares: a meta element of HTML or the declaration of XML. */
function readDeclaredCharset(body: Uint8Array, kind: ContentKind): TextDecoder | null {
  if (kind !== 'html' && kind !== 'xml' && kind !== 'feed') return null;
  const head = readHead(body, PRESCAN_BYTES);
  const declared = /^\s*<\?xml\s[^>]*encoding\s*=\s*["']([^"']*)/i.exec(head)?.[1];
  const label = declared ?? (kind === 'html' ? findMetaCharset(head) : undefined);
  const decoder = createDecoder(label);
  // A page whose declaration is readable as ASCII cannot be UTF-16 (HTML standard, "prescan a byte stream").
  return decoder?.encoding.startsWith('utf-16') ? new TextDecoder('utf-8') : decoder;
}

function readHead(body: Uint8Array, bytes: number): string {
  return decodeLatin1(body.subarray(0, bytes));
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
 * The charset in a declaration too late for browsers, unless the bytes contradict it. Else the most likely charset,
 * from a sample around the first non-ASCII bytes.
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
