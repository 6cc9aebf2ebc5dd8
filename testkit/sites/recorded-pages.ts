import assert from 'node:assert/strict';
import { buildSending } from '#features/sites/source-request.ts';
import { getPath } from '#extract/values/raw.ts';
import type { SiteVerdict } from '#sites/framework/answers.ts';
import type { SiteEndpoint } from '#sites/framework/endpoint.ts';
import type { SourceReadRequest } from '#sites/framework/source-reader.ts';
import { NO_SETTINGS, buildUrl } from '#sites/framework/site.ts';
import { endpoints, enginePages } from '#sites/index.ts';
import { readSource } from '#sites/read-source.ts';
import { listRecordings } from './corpus.ts';
import { parseInput } from './input.ts';
import { type Body, listReadings, type Reading } from './readings.ts';

/** The reason to skip a test that needs recordings; false if there is a corpus. */
export const SKIP_RECORDED: string | false = process.env['QUERN_CORPUS'] === undefined && 'needs QUERN_CORPUS';

const READINGS = new Map<string, readonly Reading[]>();

export function findEndpoint(id: string): SiteEndpoint {
  const found = [...endpoints, ...Object.values(enginePages)].find((endpoint) => endpoint.id === id);
  assert.ok(found !== undefined, `no endpoint ${id}`);
  return found;
}

/** Finds the reading of one recording by an endpoint, by the file name of the recording. */
export function findReading(id: string, file: string): Reading {
  const endpoint = findEndpoint(id);
  const readings = READINGS.get(id) ?? listReadings(endpoint);
  READINGS.set(id, readings);
  const found = readings.find(({ read }) => read.file === file);
  assert.ok(found !== undefined, `${id} has no recording ${file}`);
  return found;
}

/** Finds the record that an endpoint parses from one recording. Fails for any other verdict. */
export function findRecord(id: string, file: string): Body {
  return assertRecord(findReading(id, file).verdict);
}

/** Returns the record of a verdict. Fails for any other verdict. */
export function assertRecord(verdict: SiteVerdict): Body {
  assert.equal(verdict.kind, 'record', 'reason' in verdict ? verdict.reason : '');
  return verdict.kind === 'record' ? verdict.record : {};
}

/** Compares fields of a record, by paths such as `jobs.0.title`, with expected values. */
export function assertFields(record: unknown, expected: Readonly<Record<string, unknown>>): void {
  const paths = Object.keys(expected);
  const actual = paths.map((path) => {
    const steps = path.split('.').map((step) => (/^\d+$/.test(step) ? Number(step) : step));
    return [path, getPath(record, ...steps) ?? null];
  });
  assert.deepEqual(Object.fromEntries(actual), expected);
}

type Answer = {
  /** HTML or JSON. */
  readonly body: string;
  /** The URL after redirects; by default the requested one. */
  readonly url?: string;
  readonly requested?: string;
  readonly source?: string;
  readonly cursor?: string | null;
  readonly captures?: readonly { readonly name: string; readonly text: string }[];
};

/** Builds the request to parse a page for an input, by default with the endpoint's first source. */
export function buildReadRequest(
  endpoint: SiteEndpoint,
  { input, body, source: name, cursor = null, captures = [], ...answer }: Answer & { readonly input: Body },
): SourceReadRequest {
  const source = endpoint.sources.find((one) => name === undefined || one.name === name);
  assert.ok(source !== undefined, `${endpoint.id} has no source ${name ?? ''}`);
  const parsedInput = parseInput(endpoint, input);
  const context = buildSending(endpoint, NO_SETTINGS, { cursor: null, limit: null, now: 0 });
  const url = answer.url ?? buildUrl(endpoint.site, NO_SETTINGS, source.request(parsedInput, context)).href;
  const isJson = /^\s*[[{]/.test(body);
  return {
    endpoint: endpoint.id,
    source: source.name,
    input: parsedInput,
    page: {
      url,
      requested: answer.requested ?? url,
      status: 200,
      headers: {},
      contentType: isJson ? 'application/json; charset=utf-8' : 'text/html; charset=utf-8',
      carry: undefined,
    },
    body: new TextEncoder().encode(body),
    captures: captures.map((one) => ({ ...one, url, status: 200 })),
    settings: NO_SETTINGS,
    cursor,
    limit: null,
  };
}

/** Parses a page that the site might send for an input. */
export function readAnswer(id: string, input: Body, answer: Answer): SiteVerdict {
  return readSource(buildReadRequest(findEndpoint(id), { input, ...answer }));
}

/** Parses another page as the answer to the request of a recording. */
export function readInstead(
  { order }: Reading,
  page: { readonly body: string; readonly url?: string; readonly status?: number; readonly contentType?: string },
): SiteVerdict {
  const { body, ...head } = page;
  return readSource({ ...order, page: { ...order.page, ...head }, body: new TextEncoder().encode(body) });
}

/** Parses only the first part of a recording. `share` is the fraction of its bytes, from 0 to 1. */
export function readTruncated({ order }: Reading, share: number): SiteVerdict {
  return readSource({ ...order, body: order.body.slice(0, Math.floor(order.body.byteLength * share)) });
}

/** Reads the body of a file of the corpus. */
export function readRecorded(folder: string, file: string): string {
  const found = listRecordings(folder).find((one) => one.file === file);
  assert.ok(found !== undefined, `${folder} has no ${file}`);
  return found.body;
}

/** Returns the message with which an endpoint refuses parameters; null if it accepts them. */
export function findRefusal(id: string, input: Body): string | null {
  const endpoint = findEndpoint(id);
  const context = buildSending(endpoint, NO_SETTINGS, { cursor: null, limit: null, now: 0 });
  try {
    const parsedInput = parseInput(endpoint, input);
    endpoint.sources.find((source) => source.isUsable(context, parsedInput))?.request(parsedInput, context);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
