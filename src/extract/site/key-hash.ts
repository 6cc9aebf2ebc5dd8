import { hash } from 'node:crypto';

/** Characters of base64url that hold 128 bits and a little more. */
export const KEY_LENGTH = 22;

/**
 * A canonical key as 22 characters of base64url: the first 132 bits of its SHA-256 under a salt (the crawl's id). Two
 * keys of a crawl of 10⁹ addresses share one with a chance below 10⁻²¹, so nothing has to be compared on a conflict.
 */
export function keyHash(key: string, salt: string): string {
  return hash('sha256', `${salt}\n${key}`, 'base64url').slice(0, KEY_LENGTH);
}
