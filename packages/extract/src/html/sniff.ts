import { decodeLatin1 } from '#extract/platform/node.ts';
import { computedMIMEType, MIMEType } from 'whatwg-mimetype';

/** The kind of a body, which determines its reader. `document` is PDF or an archive, `binary` is unsupported. */
export type ContentKind = 'html' | 'feed' | 'xml' | 'json' | 'csv' | 'text' | 'document' | 'binary';

/** The kind of a body and its media type without parameters. */
export type SniffedContent = { readonly kind: ContentKind; readonly mediaType: string };

/** Bytes that the WHATWG MIME Sniffing Standard inspects. */
const SAMPLE_BYTES = 1445;
/** Unspecific media types. Servers send octet-stream for unknown files. */
const UNSPECIFIC_TYPES = new Set([
  '',
  'application/octet-stream',
  'binary/octet-stream',
  'application/unknown',
  'unknown/unknown',
]);
/** A file signature overrides the content type, because servers mislabel documents. */
const CONTENT_BY_SIGNATURE: Readonly<Record<FileSignature, SniffedContent>> = {
  pdf: { kind: 'document', mediaType: 'application/pdf' },
  zip: { kind: 'document', mediaType: 'application/zip' },
  ole: { kind: 'binary', mediaType: 'application/x-ole-storage, which is Office before 2007 or encrypted' },
};
const JSON_TYPE = /^(application|text)\/(json|x-json|ndjson|x-ndjson|jsonl|json5|javascript\+json)$|\+json$/;
const CSV_TYPE =
  /^(?:text|application)\/(?:(?:x-)?csv|x-comma-separated-values|comma-separated-values|tab-separated-values)$/;
const FEED_TYPE = /^application\/(?:rss|atom|rdf)\+xml$/;
const TEXT_APPLICATION =
  /^application\/(x-)?(javascript|ecmascript|typescript|yaml|toml|sql|sh|python|tex|latex|graphql)$/;

/**
 * The kind of a body by the WHATWG MIME Sniffing Standard: the declared type is used unless it is unspecific or the
 * bytes contradict it. `text/plain` with markup stays text. HTML with a missing type or octet-stream is HTML.
 */
export function sniffKind(body: Uint8Array, contentType: string): SniffedContent {
  const signature = detectSignature(body);
  if (signature !== null) return CONTENT_BY_SIGNATURE[signature];
  const declared = MIMEType.parse(contentType);
  const sample = removeWideZeros(body.subarray(0, SAMPLE_BYTES), declared?.parameters.get('charset') ?? '');
  if (declared?.essence === 'text/html') return { kind: chooseMarkupKind(sample, body), mediaType: 'text/html' };
  const isUnspecific = declared === null || UNSPECIFIC_TYPES.has(declared.essence);
  const type = computedMIMEType(sample, isUnspecific ? {} : { contentTypeHeader: contentType });
  const mediaType = type.essence;
  const kind = chooseKind(type, sample);
  if (kind === 'text' && isUnspecific && looksLikeJson(body)) return { kind: 'json', mediaType: 'application/json' };
  return { kind, mediaType };
}

/** Reduces UTF-16 to its ASCII characters if the charset says UTF-16 or the bytes start like UTF-16 markup. */
function removeWideZeros(sample: Uint8Array, charset: string): Uint8Array {
  const [one, two] = sample;
  const isWide = (one === 0x3c && two === 0) || (one === 0 && two === 0x3c) || /^utf-?16/i.test(charset.trim());
  return isWide ? sample.filter((byte) => byte !== 0) : sample;
}

function chooseKind(type: MIMEType, sample: Uint8Array): ContentKind {
  const { essence } = type;
  if (type.isHTML()) return isFeed(sample) ? 'feed' : 'html';
  if (type.isXML()) return chooseXmlKind(essence, sample);
  if (JSON_TYPE.test(essence)) return 'json';
  if (CSV_TYPE.test(essence)) return 'csv';
  const textual = type.type === 'text' || type.isJavaScript() || TEXT_APPLICATION.test(essence);
  return textual && !hasControlCharacters(sample) ? 'text' : 'binary';
}

function chooseXmlKind(essence: string, sample: Uint8Array): ContentKind {
  if (essence === 'application/xhtml+xml') return 'html';
  if (FEED_TYPE.test(essence)) return 'feed';
  if (isFeed(sample)) return 'feed';
  return /<html[\s>]/i.test(decodeLatin1(sample)) ? 'html' : 'xml';
}

/** Content served as HTML may be a feed, JSON or binary. */
function chooseMarkupKind(sample: Uint8Array, body: Uint8Array): ContentKind {
  if (isFeed(sample)) return 'feed';
  if (hasControlCharacters(sample) && !isMarkup(sample)) return 'binary';
  return looksLikeJson(body) ? 'json' : 'html';
}

/** Whether content with control characters is a page: it has a tag and no signature of another format. */
function isMarkup(sample: Uint8Array): boolean {
  const { type, essence } = computedMIMEType(sample);
  return type === 'text' || (essence === 'application/octet-stream' && /<[a-z!]/i.test(decodeLatin1(sample)));
}

/** Whether the root element is RSS, RDF or Atom, after declarations and comments. */
function isFeed(sample: Uint8Array): boolean {
  if (!/^\W*</.test(decodeLatin1(sample.subarray(0, 64)))) return false;
  const root = /^\W*(?:<[?!][^>]*>[\s\]>]*)*<(rss|feed|rdf:rdf)[\s>]/i.exec(decodeLatin1(sample));
  return root !== null;
}

/** Whether the body starts and ends like a JSON object or array. */
function looksLikeJson(body: Uint8Array): boolean {
  const first = decodeLatin1(body.subarray(0, 64)).trimStart().charAt(0);
  if (first !== '{' && first !== '[') return false;
  return decodeLatin1(body.subarray(-64))
    .trimEnd()
    .endsWith(first === '{' ? '}' : ']');
}

/** Whether there are control characters that texts do not contain. UTF-16 with a byte order mark is text. */
function hasControlCharacters(sample: Uint8Array): boolean {
  const [first, second] = sample;
  if ((first === 0xfe && second === 0xff) || (first === 0xff && second === 0xfe)) return false;
  for (const byte of sample) {
    if (byte <= 8 || byte === 11 || (byte >= 14 && byte <= 26) || (byte >= 28 && byte <= 31)) return true;
  }
  return false;
}

/** Document formats by their first bytes. `ole` is Office before 2007, or an encrypted file. */
type FileSignature = 'pdf' | 'zip' | 'ole';

const OLE_BYTES = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];
/** ISO 32000-1, Annex H.3.4: the header of a PDF may follow other bytes. */
const MAX_PDF_OFFSET_BYTES = 1024;
const PDF_HEADER = '%PDF-';

/** Whether the bytes look like a PDF or an Office file. Reading them may still fail. */
export function isDocument(body: Uint8Array): boolean {
  const signature = detectSignature(body);
  return signature === 'pdf' || signature === 'zip';
}

/** The document format of the bytes, whatever their declared type. Null for any other format. */
export function detectSignature(body: Uint8Array): FileSignature | null {
  if (hasPrefix(body, [0x50, 0x4b, 0x03, 0x04])) return 'zip';
  if (hasPrefix(body, OLE_BYTES)) return 'ole';
  const at = decodeLatin1(body.subarray(0, MAX_PDF_OFFSET_BYTES)).indexOf(PDF_HEADER);
  return at === 0 || (at > 0 && !hasPrintable(body.subarray(0, at))) ? 'pdf' : null;
}

function hasPrefix(body: Uint8Array, bytes: readonly number[]): boolean {
  return bytes.every((byte, at) => body[at] === byte);
}

/**
 * Whether bytes contain printable ASCII. A text page may mention `%PDF-`, but bytes before a real header contain no
 * words.
 */
function hasPrintable(bytes: Uint8Array): boolean {
  return bytes.some((byte) => byte > 0x20 && byte < 0x7f);
}
