import { analyse } from 'chardet';
import { MIMEType } from 'whatwg-mimetype';
import type { Warning } from '#kernel/warnings.ts';
import type { Kind } from './sniff.ts';

export type Decoded = { readonly text: string; readonly charset: string; readonly warnings: readonly Warning[] };

/** Bytes in which a page must name its charset (HTML standard, 13.2.3.2). */
const PRESCAN = 1024;
/** Bytes that a guess looks at. */
const GUESS_SAMPLE = 65_536;
/** What browsers take when nothing says otherwise. */
const FALLBACK = 'windows-1252';
/** Formats that are UTF-8 by their own definition. */
const ALWAYS_UTF8: ReadonlySet<Kind> = new Set(['json', 'xml', 'feed']);

/**
 * Bytes to text: byte order mark, then the Content-Type, then what the first 1,024 bytes declare, then a guess, which
 * warns `charset_guessed`. Labels as WHATWG reads them (`iso-8859-1` means windows-1252); unknown ones are passed over.
 */
export function decodeBody(body: Uint8Array, contentType: string, kind: Kind): Decoded {
  const named = byMark(body) ?? fromHeader(contentType) ?? fromContent(body, kind);
  if (named !== null) return decodeAs(body, named);
  const utf8 = tryUtf8(body);
  if (utf8 !== null && (ALWAYS_UTF8.has(kind) || utf8.length === body.length)) {
    return { text: utf8, charset: 'utf-8', warnings: [] };
  }
  const decoded = utf8 === null ? decodeAs(body, guess(body)) : { text: utf8, charset: 'utf-8' };
  const message = `the page names no charset, read as ${decoded.charset}`;
  return { ...decoded, warnings: [{ code: 'charset_guessed', message }] };
}

function decodeAs(body: Uint8Array, decoder: TextDecoder): Decoded {
  return { text: decoder.decode(body), charset: decoder.encoding, warnings: [] };
}

function decoderOf(label: string | undefined): TextDecoder | null {
  if (label === undefined) return null;
  try {
    return new TextDecoder(label);
  } catch {
    return null;
  }
}

function byMark(body: Uint8Array): TextDecoder | null {
  const [first, second, third] = body;
  if (first === 0xef && second === 0xbb && third === 0xbf) return new TextDecoder('utf-8');
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be');
  return first === 0xff && second === 0xfe ? new TextDecoder('utf-16le') : null;
}

function fromHeader(contentType: string): TextDecoder | null {
  return decoderOf(MIMEType.parse(contentType)?.parameters.get('charset'));
}

/** The charset that the document itself names: meta of HTML, declaration of XML. */
function fromContent(body: Uint8Array, kind: Kind): TextDecoder | null {
  if (kind !== 'html' && kind !== 'xml' && kind !== 'feed') return null;
  const head = Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, PRESCAN)).toString('latin1');
  const declared = /^\s*<\?xml\s[^>]*encoding\s*=\s*["']([^"']*)/i.exec(head)?.[1];
  const label = declared ?? (kind === 'html' ? metaLabel(head.replace(/<!--[^]*?-->/g, '')) : undefined);
  const decoder = decoderOf(label);
  // A page whose ASCII could be read cannot be UTF-16 (HTML standard, "prescan a byte stream").
  return decoder?.encoding.startsWith('utf-16') ? new TextDecoder('utf-8') : decoder;
}

function metaLabel(head: string): string | undefined {
  for (const [meta] of head.matchAll(/<meta[\s/][^>]*/gi)) {
    const label = /charset\s*=\s*["']?\s*([^\s"'/>;]+)/i.exec(meta)?.[1];
    if (label !== undefined) return label;
  }
  return undefined;
}

function tryUtf8(body: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    return null;
  }
}

/** The likeliest charset that can be decoded, from a sample around the first bytes beyond ASCII. */
function guess(body: Uint8Array): TextDecoder {
  const from = Math.max(0, body.findIndex((byte) => byte > 127) - 1024);
  const matches = analyse(body.subarray(from, from + GUESS_SAMPLE));
  for (const { name } of matches) {
    const decoder = name.startsWith('UTF-') ? null : decoderOf(name);
    if (decoder !== null) return decoder;
  }
  return new TextDecoder(FALLBACK);
}
