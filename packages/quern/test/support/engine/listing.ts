import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { z } from 'zod';
import { bindWork } from '#engine/call/bound-operation.ts';
import type { ClaimedJob } from '#engine/jobs/lease.ts';
import { JobRecord } from '#engine/jobs/job-record.ts';
import { declareWork } from '#engine/call/operation.ts';
import type { StoreKind } from '#store/db.ts';
import { type Bucket, openBucket } from '../bucket.ts';
import { TESTED_STORES } from '../store.ts';
import { type Gate, type GateOptions, withGate } from '../../engine/gate.ts';
import { openJobTools, getOperation, runClaimed, type Said } from './queue.ts';

export const Entry = z.object({ n: z.number(), text: z.string() });
export type Entry = z.output<typeof Entry>;

export const Page = z.looseObject({ pages: z.array(Entry), next_cursor: z.string().nullable() });

const PRICE = { base: 2, cacheHit: 1, perTier: true } as const;
const INPUT = z.strictObject({ pages: z.int().default(0), chars: z.int().default(8), head: z.int().default(8) });
const admit = () => ({ timeoutMs: 60_000, tiers: [], cheapest: 2, maxCredits: null });

/** Text that does not compress. */
export function noise(chars: number): string {
  return randomBytes(Math.ceil((chars * 3) / 4))
    .toString('base64')
    .slice(0, chars);
}

export function buildEntries(count: number, chars = 8, from = 0): readonly Entry[] {
  return Array.from({ length: count }, (_, at) => ({ n: from + at, text: noise(chars) }));
}

/** Work with a long list. */
export const listing = bindWork(
  declareWork({
    id: 'listing',
    route: 'POST /v1/listing',
    summary: 'A list of pages',
    plan: 'free',
    price: PRICE,
    errors: [],
    input: INPUT,
    output: z.object({ url: z.string(), pages: z.array(Entry).readonly(), complete: z.boolean() }),
    list: 'pages',
    example: { pages: 3 },
  }),
  {
    admit,
    run: async ({ pages, chars, head }) => ({
      body: { url: noise(head), pages: buildEntries(pages, chars), complete: true },
      tier: 'http',
    }),
  },
);

/** Work whose output has reached the size limit. */
export const closed = bindWork(
  declareWork({
    id: 'closed',
    route: 'POST /v1/closed',
    summary: 'One event',
    plan: 'free',
    price: PRICE,
    errors: [],
    input: INPUT,
    output: z.strictObject({ event: z.string() }),
    example: {},
  }),
  { admit, run: async ({ head }) => ({ body: { event: noise(head) }, tier: 'http' }) },
);

type Place = { readonly store: StoreKind; readonly kept: 'folder' | 'bucket' | 'rows' };

const EVERY_PLACE: readonly Place[] = [
  { store: 'sqlite', kept: 'folder' },
  { store: 'sqlite', kept: 'bucket' },
  { store: 'postgres', kept: 'bucket' },
  { store: 'postgres', kept: 'rows' },
];
const PLACES = EVERY_PLACE.filter(({ store }) => TESTED_STORES.includes(store));

/** A bucket for the tests of one file, and one test for each location of results. */
export function usePlaces() {
  let bucket: Bucket;
  let opened = 0;
  before(async () => {
    bucket = await openBucket();
  });
  after(async () => bucket.close());

  function buildOptions({ store, kept }: Place): GateOptions {
    const options = { store, more: [listing, closed] };
    if (kept === 'folder') return options;
    opened += 1;
    return { ...options, artifacts: kept === 'rows' ? { kind: 'rows' } : bucket.place(`/test-${opened}`) };
  }

  return {
    onEvery(title: string, work: (gate: Gate) => Promise<void>, places: readonly Place[] = PLACES): void {
      for (const place of places) {
        test(`${place.store}, ${place.kept}: ${title}`, async () => withGate(buildOptions(place), work));
      }
    },
    /** The locations that store objects. */
    beside: PLACES.filter(({ kept }) => kept !== 'rows'),
  };
}

/** Submits work and claims it; the claimed job must be this one. */
export async function begin(gate: Gate, input: object = {}, kind = 'listing'): Promise<ClaimedJob> {
  const { answer, error } = await gate.ask(getOperation('jobs.submit'), { kind, input });
  if (answer === null) throw error ?? new Error('no answer');
  const [claimed] = await gate.queue.leases.claim('w1', 1);
  if (claimed === undefined || claimed.row.id !== JobRecord.parse(answer.body).id) throw new Error('another job');
  return claimed;
}

/** The id of a job that has completed. */
export async function complete(gate: Gate, input: object = {}, kind = 'listing'): Promise<string> {
  const claimed = await begin(gate, input, kind);
  const code = await runClaimed(gate, claimed);
  if (code !== 'ok') throw new Error(code);
  return claimed.row.id;
}

/** Adds elements to the list of a running job, as a worker commits them. */
export async function commit(gate: Gate, { row }: ClaimedJob, elements: readonly unknown[]): Promise<void> {
  const segments = await gate.results.pack(row.id, elements);
  await gate.db.transaction(async (tx) => gate.results.append(tx, row.id, segments));
}

/** The body of a result; throws if there is none. */
export async function fetchResult(
  gate: Gate,
  id: string,
  more: object = {},
): Promise<Readonly<Record<string, unknown>>> {
  return getBody(await openJobTools(gate).result(id, more));
}

export function getBody({ answer, error }: Said): Readonly<Record<string, unknown>> {
  if (answer === null) throw error ?? new Error('no answer');
  return answer.body;
}

/** All pages of a list, in order. */
export async function readAll(gate: Gate, id: string, more: object = {}): Promise<readonly Entry[]> {
  const all: Entry[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = Page.parse(await fetchResult(gate, id, { ...more, ...(cursor === undefined ? {} : { cursor }) }));
    all.push(...page.pages);
    cursor = page.next_cursor;
  }
  return all;
}

/** The elements of a streamed list. */
export async function readLines(gate: Gate, id: string, more: object = {}): Promise<readonly Entry[]> {
  const { answer, error } = await openJobTools(gate).result(id, { format: 'jsonl', ...more });
  if (answer?.stream === null || answer === null) throw error ?? new Error('no stream');
  let text = '';
  for await (const chunk of answer.stream.pieces) text += String(chunk);
  const lines = text.split('\n');
  return lines.slice(0, -1).map((line) => Entry.parse(JSON.parse(line)));
}

/** The keys of all objects. */
export async function listStoredObjects({ objects, space }: Gate): Promise<readonly string[]> {
  const keys: string[] = [];
  if (objects !== null) for await (const batch of objects.list(space)) keys.push(...batch);
  return keys;
}
