import { randomFillSync } from 'node:crypto';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

export type IdPrefix =
  | 'req'
  | 'job'
  | 'lse'
  | 'wrk'
  | 'key'
  | 'ses'
  | 'ten'
  | 'hld'
  | 'cli'
  | 'mon'
  | 'run'
  | 'chg'
  | 'evt'
  | 'dlv'
  | 'snd';

/** A prefix and a UUIDv7 (RFC 9562) of the instant `now` (ms) in Crockford base32, 26 characters. */
export function newId(prefix: IdPrefix, now: number): string {
  const bytes = randomFillSync(new Uint8Array(16));
  const view = new DataView(bytes.buffer);
  view.setUint16(0, Math.floor(now / 2 ** 32));
  view.setUint32(2, now >>> 0);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x70;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return `${prefix}_${toBase32(bytes)}`;
}

/** A prefix and 128 random bits, which cannot be guessed. */
export function newSecretId(prefix: 'art'): string {
  return `${prefix}_${toBase32(randomFillSync(new Uint8Array(16)))}`;
}

/** The UUID (RFC 9562) in an id of Quern, in its usual form. */
export function toUuid(id: string): string {
  let bits = 0n;
  for (const digit of id.slice(id.indexOf('_') + 1)) bits = bits * 32n + BigInt(Math.max(0, ALPHABET.indexOf(digit)));
  const hex = bits.toString(16).padStart(32, '0');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** The id with a prefix that has a UUID; null if the text is no UUID. */
export function fromUuid(uuid: string, prefix: IdPrefix): string | null {
  const hex = uuid.toLowerCase();
  if (!/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(hex)) return null;
  return `${prefix}_${toBase32(Buffer.from(hex.replaceAll('-', ''), 'hex'))}`;
}

/** Encodes 128 bits as 26 characters: the first one holds three bits, each other one five. */
function toBase32(bytes: Uint8Array): string {
  let text = '';
  let pending = 0;
  let bits = 2;
  for (const byte of bytes) {
    pending = (pending << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += ALPHABET[(pending >> bits) & 31] ?? '';
    }
    pending &= (1 << bits) - 1;
  }
  return text;
}
