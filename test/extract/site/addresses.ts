import assert from 'node:assert/strict';
import { toAddress } from '#extract/site/address.ts';
import type { Address } from '#extract/site/address.ts';

/** The address of a URL that has one. */
export function addressOf(url: string): Address {
  const address = toAddress(new URL(url).href);
  assert.ok(address !== null, url);
  return address;
}
