import { parseInput } from '#testkit/sites/input.ts';
import assert from 'node:assert/strict';
import type { SiteVerdict } from '#sites/framework/answers.ts';
import { sendingOf } from '#features/sites/asked.ts';
import type { SiteEndpoint } from '#sites/framework/endpoint.ts';
import { NO_SETTINGS } from '#sites/framework/site.ts';
import { at } from '#extract/values/raw.ts';
import { endpoints, enginePages } from '#sites/index.ts';
import { readSource } from '#sites/reading.ts';
import { recordingsIn } from './corpus.ts';
import { type Body, type Reading, readingsOf } from './readings.ts';

/** Why a test of recordings is skipped; false where there is a corpus. */
export const SKIP_RECORDED: string | false = process.env['QUERN_CORPUS'] === undefined && 'needs QUERN_CORPUS';

const KNOWN = new Map<string, readonly Reading[]>();

/** The reading of one recording by an endpoint, by their id and file. */
export function findReading(id: string, file: string): Reading {
  const endpoint = findEndpoint(id);
  const readings = KNOWN.get(id) ?? readingsOf(endpoint);
  KNOWN.set(id, readings);
  const found = readings.find(({ read }) => read.file === file);
  assert.ok(found !== undefined, `${id} has no recording ${file}`);
  return found;
}

/** The record that a recording holds. */
export function findRecord(id: string, file: string): Body {
  const { verdict } = findReading(id, file);
  assert.equal(verdict.kind, 'record', 'reason' in verdict ? verdict.reason : '');
  return verdict.kind === 'record' ? verdict.record : {};
}

/** Compares members of a record, by paths such as `jobs.0.title`, with what the page says. */
export function assertFields(record: unknown, expected: Readonly<Record<string, unknown>>): void {
  const paths = Object.keys(expected);
  const read = paths.map((path) => {
    const steps = path.split('.').map((step) => (/^\d+$/.test(step) ? Number(step) : step));
    return [path, at(record, ...steps) ?? null];
  });
  assert.deepEqual(Object.fromEntries(read), expected);
}

/** What an endpoint makes of another page in the place of the one that a recording was asked for. */
export function judgeInstead(
  { order }: Reading,
  page: { readonly body: string; readonly url?: string; readonly status?: number; readonly contentType?: string },
): SiteVerdict {
  const { body, ...head } = page;
  return readSource({ ...order, page: { ...order.page, ...head }, body: new TextEncoder().encode(body) });
}

/** The body of a file of the corpus, whatever endpoint it is for. */
export function readRecorded(folder: string, file: string): string {
  const found = recordingsIn(folder).find((one) => one.file === file);
  assert.ok(found !== undefined, `${folder} has no ${file}`);
  return found.body;
}

/** The message by which an endpoint refuses parameters; null where it takes them. */
export function findRefusal(id: string, input: Body): string | null {
  const endpoint = findEndpoint(id);
  const sending = sendingOf(endpoint, NO_SETTINGS, { cursor: null, limit: null, now: 0 });
  try {
    const read = parseInput(endpoint, input);
    endpoint.sources.find((source) => source.isUsable(sending, read))?.request(read, sending);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function findEndpoint(id: string): SiteEndpoint {
  const found = [...endpoints, ...Object.values(enginePages)].find((endpoint) => endpoint.id === id);
  assert.ok(found !== undefined, `no endpoint ${id}`);
  return found;
}
