import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import type { Answered, Answering } from '../quern.ts';
import { LINKED_PAGES } from './origin.ts';

/** Calls of one tenant: its key, and the service. */
export type Tenant = { readonly service: Answering; readonly key: string };

/** A repeated call of a victim: resolves with whether it got its result. */
export type Deed = {
  readonly name: string;
  /** `turn` differs at each call, so that no cache responds. */
  readonly run: (tenant: Tenant, turn: number) => Promise<boolean>;
};

const LOOK_MS = 40;
/** A job that has not ended by then is a failure. */
const JOB_MS = 90_000;

const Record = z.looseObject({ id: z.string(), status: z.string() });
const Crawled = z.looseObject({ progress: z.looseObject({ completed: z.number() }) });

/** The operations of the suite: only the victim visits `own`, and the attacker also visits `shared`. */
export function listDeeds(sites: { readonly own: string; readonly shared: string }): readonly Deed[] {
  const { own, shared } = sites;
  return [
    fetching('fetch', own),
    fetching('fetch of a shared site', shared),
    fetching('browser page', own, { wait_for_selector: 'h1' }),
    crawling('crawl', own),
    crawling('crawl of a shared site', shared),
    {
      name: 'search',
      run: async (tenant, turn) =>
        isOk(await get(tenant, `/v1/fast-search?search=${encodeURIComponent(`mill ${turn}`)}`)),
    },
    {
      name: 'answer',
      run: async (tenant, turn) =>
        isOk(
          await get(
            tenant,
            `/v1/answerengine/prompt?prompt=${encodeURIComponent(`What does the mill grind, ${turn}?`)}`,
          ),
        ),
    },
    {
      name: 'job',
      run: async (tenant, turn) =>
        (await followJob(tenant, { kind: 'fetch', input: { url: `${own}/job/${turn}` } })) !== null,
    },
  ];
}

function fetching(name: string, site: string, options: Readonly<Record<string, unknown>> = {}): Deed {
  const path = name.replaceAll(' ', '-');
  return {
    name,
    run: async ({ service, key }, turn) =>
      isOk(await service.call('/v1/fetch', { url: `${site}/${path}/${turn}`, ...options }, key)),
  };
}

function crawling(name: string, site: string): Deed {
  return {
    name,
    async run(tenant) {
      const record = await followJob(tenant, {
        kind: 'crawl',
        input: { url: `${site}/`, max_pages: LINKED_PAGES + 1 },
      });
      return record !== null && Crawled.parse(record).progress.completed === LINKED_PAGES + 1;
    },
  };
}

/** The record of a completed job; null if it ended otherwise. */
async function followJob(tenant: Tenant, body: unknown): Promise<Answered['body'] | null> {
  const made = await tenant.service.call('/v1/jobs', body, tenant.key);
  if (made.status !== 202) return null;
  const { id } = Record.parse(made.body);
  const last = performance.now() + JOB_MS;
  while (performance.now() < last) {
    const answer = await get(tenant, `/v1/jobs/${id}`);
    if (!isOk(answer)) return null;
    const { body: record } = answer;
    const { status } = Record.parse(record);
    if (status === 'completed') return record;
    if (status !== 'queued' && status !== 'running') return null;
    await wait(LOOK_MS);
  }
  return null;
}

async function get({ service, key }: Tenant, path: string): Promise<Answered> {
  return service.call(path, undefined, key);
}

function isOk({ status }: Answered): boolean {
  return status === 200;
}
