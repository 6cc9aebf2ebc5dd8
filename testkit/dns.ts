import { once } from 'node:events';
import { createSocket, type Socket } from 'node:dgram';
import { createServer, type Server } from 'node:net';

/** A DNS record: an address, an alias, or text. */
export type DnsRecord = {
  readonly type: 'A' | 'AAAA' | 'CNAME' | 'TXT';
  readonly value: string;
  readonly ttl?: number;
};
/** The response to the `n`th query (from 1) for a name and type; null if the name does not exist. */
export type DnsZone = (name: string, type: string, n: number) => DnsAnswer;
type DnsAnswer = readonly DnsRecord[] | 'fails' | null;

const RECORD_TYPES: Readonly<Record<string, number>> = { A: 1, CNAME: 5, TXT: 16, AAAA: 28 };
const MAX_UDP_BYTES = 1_200;

/** Starts a DNS server on loopback over UDP and TCP (RFC 1035) that answers from `zone`; `server` is its `ip:port`. */
export async function startDns(zone: DnsZone) {
  const counts = new Map<string, number>();
  function answer(query: Buffer, most: number): Buffer {
    const { name, type, end } = readQuestion(query);
    const key = `${name} ${type}`;
    const n = (counts.get(key) ?? 0) + (most === MAX_UDP_BYTES ? 1 : 0);
    counts.set(key, n);
    const typeName = Object.keys(RECORD_TYPES).find((one) => RECORD_TYPES[one] === type) ?? '';
    const records = zone(name, typeName, n);
    const whole = buildMessage(query, end, records);
    return whole.byteLength <= most ? whole : buildMessage(query, end, records, 'truncated');
  }
  const tcp = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.once('data', (data: Buffer) => {
      const reply = answer(data.subarray(2), 65_535);
      const length = Buffer.alloc(2);
      length.writeUInt16BE(reply.byteLength);
      socket.end(Buffer.concat([length, reply]));
    });
  });
  const { udp, port } = await listenOnBoth(tcp);
  udp.on('message', (query, from) => udp.send(answer(query, MAX_UDP_BYTES), from.port, from.address));
  return {
    server: `127.0.0.1:${port}`,
    queries: (name: string) => counts.get(`${name} 1`) ?? 0,
    async [Symbol.asyncDispose]() {
      udp.close();
      tcp.close();
    },
  };
}

/** Opens the same port for UDP and TCP; retries if the port of the TCP socket is taken for UDP. */
async function listenOnBoth(tcp: Server, triesLeft = 10): Promise<{ readonly udp: Socket; readonly port: number }> {
  tcp.listen(0, '127.0.0.1');
  await once(tcp, 'listening');
  const address = tcp.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const udp = createSocket('udp4');
  try {
    udp.bind(address.port, '127.0.0.1');
    await once(udp, 'listening');
    return { udp, port: address.port };
  } catch (error) {
    udp.close();
    tcp.close();
    await once(tcp, 'close');
    if (triesLeft === 0) throw error;
    return listenOnBoth(tcp, triesLeft - 1);
  }
}

function readQuestion(query: Buffer) {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

function buildMessage(query: Buffer, end: number, answer: DnsAnswer, truncated?: 'truncated'): Buffer {
  const sent = truncated === undefined && answer !== 'fails' ? (answer ?? []) : [];
  const code = answer === 'fails' ? 2 : answer === null ? 3 : 0;
  const header = Buffer.alloc(12);
  header.writeUInt16BE(query.readUInt16BE(0), 0);
  header.writeUInt16BE(0x8180 | (truncated === undefined ? 0 : 0x0200) | code, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(sent.length, 6);
  return Buffer.concat([header, query.subarray(12, end), ...sent.map(encodeRecord)]);
}

function encodeRecord({ type, value, ttl = 0 }: DnsRecord): Buffer {
  const fixed = Buffer.alloc(12);
  const data = encodeData(type, value);
  fixed.writeUInt16BE(0xc00c, 0);
  fixed.writeUInt16BE(RECORD_TYPES[type] ?? 0, 2);
  fixed.writeUInt16BE(1, 4);
  fixed.writeUInt32BE(ttl, 6);
  fixed.writeUInt16BE(data.byteLength, 10);
  return Buffer.concat([fixed, data]);
}

function encodeData(type: DnsRecord['type'], value: string): Buffer {
  if (type === 'A') return Buffer.from(value.split('.').map(Number));
  if (type === 'AAAA')
    return Buffer.from(
      value
        .split(':')
        .map((part) => part.padStart(4, '0'))
        .join(''),
      'hex',
    );
  const labels = type === 'TXT' ? [value.slice(0, 255)] : [...value.split('.'), ''];
  return Buffer.concat(
    labels.map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label, 'latin1')])),
  );
}
