import { parseInput } from '#testkit/sites/input.ts';
import type { SiteVerdict } from '#sites/framework/answers.ts';
import { sendingOf } from '#features/sites/asked.ts';
import type { SiteEndpoint } from '#sites/framework/endpoint.ts';
import { NO_SETTINGS } from '#sites/framework/site.ts';
import { endpoints } from '#sites/index.ts';
import { readSource } from '#sites/reading.ts';
import { type Body, type Reading, readingsOf } from './readings.ts';

/** Why tests of recordings are skipped; false where the corpus is there. */
export const CORPUS_SKIP: string | false = process.env['QUERN_CORPUS'] === undefined ? 'needs QUERN_CORPUS' : false;

const READ = new Map<string, readonly Reading[]>();

export function endpointBy(id: string): SiteEndpoint {
  const found = endpoints.find((endpoint) => endpoint.id === id);
  if (found === undefined) throw new Error(`no endpoint ${id}`);
  return found;
}

/** An endpoint's reading of one recording. */
export function recordedReading(id: string, file: string): Reading {
  const rows = READ.get(id) ?? readingsOf(endpointBy(id));
  READ.set(id, rows);
  const found = rows.find(({ read }) => read.file === file);
  if (found === undefined) throw new Error(`${id} has no recording ${file}`);
  return found;
}

/** The record that an endpoint reads from one recording. */
export function recordedRecord(id: string, file: string): Body {
  const { verdict } = recordedReading(id, file);
  if (verdict.kind !== 'record') throw new Error(`${id} ${file}: ${verdict.kind}`);
  return verdict.record;
}

type Answer = {
  readonly body: string;
  /** Where redirects ended; the address that was asked for unless given. */
  readonly url: string;
  readonly requested?: string;
  readonly source?: string;
  readonly cursor?: string;
  readonly captures?: readonly { readonly name: string; readonly text: string }[];
};

/** What an endpoint comes to when its site sends this for what was asked. */
export function readAnswer(id: string, input: Body, answer: Answer): SiteVerdict {
  const endpoint = endpointBy(id);
  const { body, url, requested = url, source = endpoint.sources[0]?.name ?? '', cursor = null, captures = [] } = answer;
  const isJson = /^\s*[[{]/.test(body);
  return readSource({
    endpoint: id,
    source,
    input: parseInput(endpoint, input),
    page: {
      url,
      requested,
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
  });
}

/** How an endpoint refuses an input before anything is asked for; null where it asks its site. */
export function refusalAt(id: string, input: Body): string | null {
  const endpoint = endpointBy(id);
  const sending = sendingOf(endpoint, NO_SETTINGS, { cursor: null, limit: null, now: 0 });
  try {
    endpoint.sources[0]?.request(parseInput(endpoint, input), sending);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
