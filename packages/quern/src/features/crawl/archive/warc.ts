import { createHash, randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip, type ZlibOptions } from 'node:zlib';
import type { Page } from '#access/page.ts';
import type { ReceivedResponse, SentRequest } from '#access/exchange-recorder.ts';
import { toTimestamp } from '#kernel/clock.ts';

/*
 * Records of the WARC format 1.1 (ISO 28500:2017), each compressed as a gzip member of its own (its annex D), so that a
 * reader can begin at any of them.
 */

const SPECIFICATION = 'http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/';
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Twice as fast as the default of zlib; pages become 2 % larger. */
const GZIP_LEVEL = 4;

const compress = promisify<Uint8Array, ZlibOptions, Buffer<ArrayBuffer>>(gzip);

/** A request, its answer, and when the request was sent (ms). */
export type Exchange = { readonly sent: SentRequest; readonly received: ReceivedResponse; readonly at: number };

export type RecordOptions = {
  /** UUID of the record that describes the archive. */
  readonly about: string;
  /** Lower-case names of headers that are masked. Of answers only `set-cookie` is masked. */
  readonly secrets: ReadonlySet<string>;
};

/** Contents of the first record of an archive. */
export type ArchiveFacts = {
  readonly uuid: string;
  /** When the archive was started, ms. */
  readonly at: number;
  readonly version: string;
  readonly jobId: string;
  readonly robots: 'obey' | 'ignore';
};

type Bytes = Uint8Array<ArrayBuffer>;
type Fields = readonly (readonly [name: string, value: string])[];

/** Number of records that `buildExchangeRecords` returns. */
export const RECORDS_PER_EXCHANGE = 2;

/** Builds the records of an exchange: the request, and the response that it refers to as concurrent. */
export async function buildExchangeRecords(exchanged: Exchange, { about, secrets }: RecordOptions): Promise<Bytes> {
  const { sent, received, at } = exchanged;
  const { protocol, body, cut, ip } = received;
  const target = new URL(sent.url);
  target.hash = '';
  const response = createRecordId();
  const common: Fields = [
    ['WARC-Date', toTimestamp(at)],
    ['WARC-Target-URI', target.href],
    ...(ip === null ? [] : [['WARC-IP-Address', ip] as const]),
    ['WARC-Protocol', protocol],
    ['WARC-Warcinfo-ID', toRecordId(about)],
  ];
  const request = await compressRecord(
    [
      ['WARC-Type', 'request'],
      ['WARC-Record-ID', createRecordId()],
      ...common,
      ['WARC-Concurrent-To', response],
      ['Content-Type', 'application/http; msgtype=request'],
    ],
    [formatRequestHead(sent, { protocol, secrets })],
  );
  const answer = await compressRecord(
    [
      ['WARC-Type', 'response'],
      ['WARC-Record-ID', response],
      ...common,
      ['WARC-Payload-Digest', computeDigest(body)],
      ...(cut === null ? [] : [['WARC-Truncated', cut] as const]),
      ['Content-Type', 'application/http; msgtype=response'],
    ],
    [formatResponseHead(received, secrets.has('set-cookie')), ...body],
    // Content that is already compressed does not get smaller.
    isContentEncoded(received) ? 0 : GZIP_LEVEL,
  );
  return Buffer.concat([request, answer]);
}

/** A page as a browser rendered it, and when (ms). */
export type RenderedPage = { readonly page: Pick<Page, 'url' | 'contentType' | 'body'>; readonly at: number };

/** Number of records that `buildResourceRecord` returns. */
export const RECORDS_PER_RENDERED_PAGE = 1;

/**
 * Builds the record of a rendered page. It is a `resource`, because no server has sent these bytes. The body is copied
 * before this returns.
 */
export async function buildResourceRecord({ page, at }: RenderedPage, about: string): Promise<Bytes> {
  const target = new URL(page.url);
  target.hash = '';
  return compressRecord(
    [
      ['WARC-Type', 'resource'],
      ['WARC-Record-ID', createRecordId()],
      ['WARC-Date', toTimestamp(at)],
      ['WARC-Target-URI', target.href],
      ['WARC-Warcinfo-ID', toRecordId(about)],
      ['WARC-Payload-Digest', computeDigest([page.body])],
      ['Content-Type', page.contentType === '' ? 'application/octet-stream' : page.contentType],
    ],
    [page.body],
  );
}

/** Builds the first record of an archive, which describes how it was made. */
export async function buildWarcinfoRecord({ uuid, at, version, jobId, robots }: ArchiveFacts): Promise<Bytes> {
  const fields: Fields = [
    ['software', `Quern/${version}`],
    ['format', 'WARC File Format 1.1'],
    ['conformsTo', SPECIFICATION],
    ['isPartOf', jobId],
    ['robots', robots],
  ];
  return compressRecord(
    [
      ['WARC-Type', 'warcinfo'],
      ['WARC-Record-ID', toRecordId(uuid)],
      ['WARC-Date', toTimestamp(at)],
      ['WARC-Filename', `${jobId}.warc.gz`],
      ['Content-Type', 'application/warc-fields'],
    ],
    [Buffer.from(formatFields(fields))],
  );
}

async function compressRecord(fields: Fields, block: readonly Uint8Array[], level = GZIP_LEVEL): Promise<Bytes> {
  const length = block.reduce((sum, { byteLength }) => sum + byteLength, 0);
  const all: Fields = [...fields, ['WARC-Block-Digest', computeDigest(block)], ['Content-Length', String(length)]];
  const head = Buffer.from(`WARC/1.1\r\n${formatFields(all)}\r\n`);
  return compress(Buffer.concat([head, ...block, Buffer.from('\r\n\r\n')]), { level });
}

function isContentEncoded({ headers }: ReceivedResponse): boolean {
  return toFieldPairs(headers).some(
    ([name, value]) => name.toLowerCase() === 'content-encoding' && value !== 'identity',
  );
}

/** Written as HTTP/1.1 for any protocol, because readers know no other form. `WARC-Protocol` has the real one. */
function formatRequestHead(
  { url, headers }: SentRequest,
  { protocol, secrets }: Pick<RecordOptions, 'secrets'> & Pick<ReceivedResponse, 'protocol'>,
): Uint8Array {
  const own: Fields = [['host', url.host], ...(protocol === 'http/1.1' ? [['connection', 'keep-alive'] as const] : [])];
  const all = [...own, ...toFieldPairs(headers)].map(([name, value]) =>
    secrets.has(name.toLowerCase()) ? ([name, MASK] as const) : ([name, value] as const),
  );
  return Buffer.from(`GET ${url.pathname}${url.search} HTTP/1.1\r\n${formatFields(all)}\r\n`, 'latin1');
}

/** The body is stored as received, without its transfer encoding, so only that header is renamed. */
function formatResponseHead({ status, reason, headers }: ReceivedResponse, masksCookies: boolean): Uint8Array {
  const fields = toFieldPairs(headers).map(([name, value]) => {
    const lower = name.toLowerCase();
    if (lower === 'set-cookie' && masksCookies) return [name, MASK] as const;
    return [lower === 'transfer-encoding' ? `X-Archive-Orig-${name}` : name, value] as const;
  });
  return Buffer.concat([
    Buffer.from(`HTTP/1.1 ${status} ${reason}\r\n`),
    Buffer.from(`${formatFields(fields)}\r\n`, 'latin1'),
  ]);
}

const MASK = '********';

/** Converts an alternating list of names and values to pairs. */
function toFieldPairs(flat: readonly string[]): Fields {
  const fields: (readonly [string, string])[] = [];
  for (let at = 0; at + 1 < flat.length; at += 2) fields.push([flat[at] ?? '', flat[at + 1] ?? '']);
  return fields;
}

function formatFields(fields: Fields): string {
  return fields.map(([name, value]) => `${name}: ${value}\r\n`).join('');
}

function createRecordId(): string {
  return toRecordId(randomUUID());
}

function toRecordId(uuid: string): string {
  return `<urn:uuid:${uuid}>`;
}

/** SHA-1 in base32 (RFC 4648), as in the examples of the standard and the indexes of web archives. */
function computeDigest(pieces: readonly Uint8Array[]): string {
  const hash = createHash('sha1');
  for (const piece of pieces) hash.update(piece);
  let text = '';
  let pending = 0;
  let bits = 0;
  for (const byte of hash.digest()) {
    pending = (pending << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += BASE32[(pending >> bits) & 31] ?? '';
    }
    pending &= (1 << bits) - 1;
  }
  return `sha1:${text}`;
}
