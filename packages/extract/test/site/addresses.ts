import assert from 'node:assert/strict';
import { toUrlParts, type UrlParts } from '#extract/urls/url-parts.ts';

/** The parts of a URL; throws if it is no http or https URL. */
export function toAddress(url: string): UrlParts {
  const address = toUrlParts(new URL(url).href);
  assert.ok(address !== null, url);
  return address;
}
