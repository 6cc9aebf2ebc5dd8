import { parseInput } from '#testkit/sites/input.ts';
import assert from 'node:assert/strict';
import type { SiteVerdict } from '#sites/framework/answers.ts';
import type { SiteEndpoint } from '#sites/framework/endpoint.ts';
import type { ReadOrder } from '#sites/framework/reading.ts';
import { sendingOf } from '#features/sites/asked.ts';
import { NO_SETTINGS, toUrl } from '#sites/framework/site.ts';
import { at } from '#extract/values/raw.ts';
import { readSource } from '#sites/reading.ts';
import { type Body, type Reading, readingsOf } from './readings.ts';

/** The order to read a page that an endpoint would get for its input, from its first source unless another is named. */
export function orderFor(
  endpoint: SiteEndpoint,
  { input, body, source: wanted }: { readonly input: Body; readonly body: string; readonly source?: string },
): ReadOrder {
  const source = endpoint.sources.find(({ name }) => wanted === undefined || name === wanted);
  assert.ok(source !== undefined, `${endpoint.id} has no source ${wanted ?? ''}`);
  const known = parseInput(endpoint, input);
  const sending = sendingOf(endpoint, NO_SETTINGS, { cursor: null, limit: null, now: 0 });
  const { href } = toUrl(endpoint.site, NO_SETTINGS, source.request(known, sending));
  const contentType = 'text/html; charset=utf-8';
  return {
    endpoint: endpoint.id,
    source: source.name,
    input: known,
    page: { url: href, requested: href, status: 200, headers: {}, contentType, carry: undefined },
    body: new TextEncoder().encode(body),
    captures: [],
    settings: { origins: {}, constants: {} },
    cursor: null,
    limit: null,
  };
}

/** The recording of an endpoint in that file. */
export function recordingNamed(endpoint: SiteEndpoint, file: string): Reading {
  const found = readingsOf(endpoint).find(({ read }) => read.file === file);
  assert.ok(found !== undefined, `${endpoint.id} has no recording ${file}`);
  return found;
}

/** The record of a reading; fails where it has none. */
export function recordIn(verdict: SiteVerdict): Body {
  assert.equal(verdict.kind, 'record', 'reason' in verdict ? verdict.reason : '');
  return verdict.kind === 'record' ? verdict.record : {};
}

/** What a recording comes to when only the first part of its page arrives. */
export function readCut({ order }: Reading, share: number): SiteVerdict {
  return readSource({ ...order, body: order.body.slice(0, Math.floor(order.body.byteLength * share)) });
}

/** What a page of another kind, or of something else, comes to in the place of the one that was asked for. */
export function readInPlace({ order }: Reading, body: string): SiteVerdict {
  return readSource({ ...order, body: new TextEncoder().encode(body) });
}

/** Fails where a record has another value than `shown` at one of its members. */
export function assertShows(record: unknown, shown: Body): void {
  const read = Object.keys(shown).map((name) => [name, at(record, name) ?? null]);
  assert.deepEqual(Object.fromEntries(read), shown);
}
