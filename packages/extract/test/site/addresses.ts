import assert from 'node:assert/strict';
import { toUrlParts, type UrlParts } from '#extract/urls/address.ts';

/** The address of a URL that has one. */
export function addressOf(url: string): UrlParts {
  const address = toUrlParts(new URL(url).href);
  assert.ok(address !== null, url);
  return address;
}
