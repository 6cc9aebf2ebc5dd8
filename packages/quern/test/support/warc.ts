import assert from 'node:assert/strict';
import { WARCParser, type WARCRecord, WARCSerializer } from 'warcio';

/** A record as the public reader returns it. */
export type WarcEntry = {
  readonly type: string;
  readonly id: string;
  readonly uri: string;
  readonly concurrentTo: string | null;
  readonly date: string;
  readonly ip: string | null;
  readonly truncated: string | null;
  readonly warcinfo: string | null;
  readonly status: number | null;
  /** The HTTP header fields, with names in lower case. */
  readonly fields: ReadonlyMap<string, string>;
  /** The decoded body. */
  readonly payload: Buffer;
};

/** Reads an archive with the public reader and checks each record against its own digests. */
export async function readWarc(source: AsyncIterable<Uint8Array>): Promise<readonly WarcEntry[]> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of source) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  const digests = await readDigests(bytes);
  const kept: WarcEntry[] = [];
  for await (const record of WARCParser.iterRecords([bytes])) {
    kept.push(await toKept(record));
  }
  assert.deepEqual(
    digests.map(({ said }) => said),
    digests.map(({ is }) => is),
  );
  assert.equal(digests.length, kept.length + kept.filter(({ type }) => type === 'response').length);
  return kept;
}

async function toKept(record: WARCRecord): Promise<WarcEntry> {
  const of = (name: string): string | null => record.warcHeader(name) ?? null;
  const http = record.httpHeaders;
  return {
    type: of('WARC-Type') ?? '',
    id: of('WARC-Record-ID') ?? '',
    uri: of('WARC-Target-URI') ?? '',
    concurrentTo: of('WARC-Concurrent-To'),
    date: of('WARC-Date') ?? '',
    ip: of('WARC-IP-Address'),
    truncated: of('WARC-Truncated'),
    warcinfo: of('WARC-Warcinfo-ID'),
    status: record.warcType === 'response' ? Number(http?.statusCode) : null,
    fields: new Map([...(http?.headers ?? [])].map(([name, value]) => [name.toLowerCase(), value])),
    payload: Buffer.from(await record.readFully(true)),
  };
}

/** The headers of each record, and those that the public writer would give it. */
async function readDigests(bytes: Uint8Array) {
  const digests = [];
  // It reads raw blocks unless it parses them, and only then knows their payload.
  for (const parseHttp of [false, true]) {
    for await (const record of WARCParser.iterRecords([bytes], { parseHttp })) {
      if (parseHttp && record.warcType !== 'response') continue;
      const getDigest = (): unknown => (parseHttp ? record.warcPayloadDigest : record.warcBlockDigest);
      const said = getDigest();
      const options = { digest: { algo: 'sha-1', prefix: 'sha1:', base32: true } };
      await new WARCSerializer(record, options).digestRecord({ recompute: true });
      digests.push({ said, is: getDigest() });
    }
  }
  return digests;
}
