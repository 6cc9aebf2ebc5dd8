import { ServiceError } from '#kernel/errors.ts';

/** Crockford's base 32, in which ids are written. */
const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz';
const ID_CHARS = 26;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Writes the 128 bits of an id such as `job_01kat6…` as a UUID, which is the form of every id of Firecrawl. */
export function toUuid(id: string): string {
  let bits = 0n;
  for (const digit of id.slice(-ID_CHARS)) bits = bits * 32n + BigInt(DIGITS.indexOf(digit));
  const hex = bits.toString(16).padStart(32, '0');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** Reads a UUID of {@link toUuid} as the id with `prefix`. Throws `not_found` for any other text. */
export function fromUuid(uuid: string, prefix: string): string {
  if (!UUID.test(uuid.toLowerCase())) throw new ServiceError('not_found', 'there is no job with this id');
  let bits = BigInt(`0x${uuid.replaceAll('-', '')}`);
  let digits = '';
  for (let at = 0; at < ID_CHARS; at++) {
    digits = `${DIGITS[Number(bits % 32n)] ?? ''}${digits}`;
    bits /= 32n;
  }
  return `${prefix}_${digits}`;
}
