import { setTimeout as wait } from 'node:timers/promises';
import type { Tenant } from './victims.ts';

/** A request that an attacker repeats on each of its connections. */
export type Attack = {
  readonly name: string;
  /** Needs a browser. */
  readonly browser?: true;
  readonly run: (tenant: Tenant, turn: number) => Promise<void>;
};

const REFUSED_MS = 250;
const CALL_MS = 120_000;
const DEEP = '['.repeat(100_000);

/** Selectors that check each element again for each of its ancestors. */
const HEAVY_FIELDS = Object.fromEntries(
  Array.from({ length: 59 }, (_, at) => [
    `y${at}`,
    { selector: `div:has(div:has(div:has(span:not(:has(b${at})))))`, many: true },
  ]),
);

/** The attacks: `own` is a site of the attacker, and the victim also visits `shared`. */
export function listAttacks(sites: { readonly own: string; readonly shared: string }): readonly Attack[] {
  const { own, shared } = sites;
  return [
    fetching('heavy selectors', (turn) => ({
      url: `${own}/nested?${turn}`,
      output: ['json'],
      extract: { fields: HEAVY_FIELDS },
    })),
    fetching('wide pages', (turn) => ({
      url: `${own}/wide?${turn}`,
      output: ['markdown', 'text', 'links', 'tables'],
      only_main_content: false,
    })),
    fetching('documents that unpack', (turn) => ({ url: `${own}/bomb?${turn}` })),
    fetching('large answers', (turn) => ({ url: `${own}/large?${turn}`, output: ['raw_html'] })),
    fetching('slow answers of the shared site', (turn) => ({ url: `${shared}/slow?${turn}`, output: ['text'] })),
    inBrowser(
      fetching('selectors that never match', (turn) => ({ url: `${own}/${turn}`, wait_for_selector: '.never' })),
    ),
    inBrowser(fetching('empty applications', (turn) => ({ url: `${own}/empty-app?${turn}`, wait_for_selector: '#x' }))),
    inBrowser(
      fetching('scripts without an end', (turn) => ({ url: `${own}/busy?${turn}`, wait_for_selector: '.never' })),
    ),
    inBrowser(fetching('scripts that eat memory', (turn) => ({ url: `${own}/hungry?${turn}`, wait_ms: 5000 }))),
    inBrowser({
      name: 'sessions that wait',
      run: async (tenant, turn) =>
        post(tenant, '/v1/interact', {
          url: `${own}/${turn}`,
          actions: [{ type: 'wait', ms: 25_000 }],
        }),
    }),
    inBrowser(
      jobs('crawls of the shared site by browser', (turn) => ({
        kind: 'crawl',
        input: {
          urls: Array.from({ length: 40 }, (_, at) => `${shared}/held/${turn}/${at}`),
          fetch: { wait_for_selector: '.never' },
        },
      })),
    ),
    jobs('crawls of the shared site', (turn) => ({
      kind: 'crawl',
      input: { url: `${shared}/links?${turn}`, max_pages: 400, delay_ms: 0 },
    })),
    jobs('jobs with large results', (turn) => ({
      kind: 'fetch',
      input: { url: `${own}/large?${turn}`, output: ['raw_html'] },
    })),
    {
      name: 'odd searches',
      run: async (tenant, turn) =>
        get(tenant, `/v1/fast-search?search=${encodeURIComponent(`odd ${turn} ${'漢字'.repeat(300)}`)}`),
    },
    {
      name: 'questions to the model',
      run: async (tenant, turn) =>
        post(tenant, '/v1/fetch', {
          url: `${own}/slow-model/${turn}`,
          output: ['json'],
          extract: { schema: { type: 'object', required: ['x'], properties: { x: { enum: ['none of these'] } } } },
        }),
    },
    {
      name: 'deep bodies',
      run: async (tenant, turn) => post(tenant, '/v1/fetch', { url: `${own}/${turn}`, extract: { schema: DEEP } }),
    },
    {
      name: 'wrong keys',
      run: async ({ service }, turn) => post({ service, key: `qk_${String(turn).padStart(40, 'x')}` }, '/v1/fetch', {}),
    },
  ];
}

function fetching(name: string, toInput: (turn: number) => unknown): Attack {
  return { name, run: async (tenant, turn) => post(tenant, '/v1/fetch', toInput(turn)) };
}

function jobs(name: string, toJob: (turn: number) => unknown): Attack {
  return { name, run: async (tenant, turn) => post(tenant, '/v1/jobs', toJob(turn)) };
}

function inBrowser(attack: Attack): Attack {
  return { ...attack, browser: true };
}

async function post(tenant: Tenant, path: string, body: unknown): Promise<void> {
  await send(tenant, path, { method: 'POST', body: JSON.stringify(body) });
}

async function get(tenant: Tenant, path: string): Promise<void> {
  await send(tenant, path, { method: 'GET' });
}

/** Reads the response and discards it, so that the attacker does not slow down the measurement. */
async function send({ service, key }: Tenant, path: string, init: RequestInit): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'accept-encoding': 'identity' };
  const answer = await fetch(service.origin + path, { ...init, headers, signal: AbortSignal.timeout(CALL_MS) });
  await answer.body?.pipeTo(new WritableStream());
  // A refused attacker retries soon, but a test must not measure the speed of refusals.
  if (answer.status === 202 || answer.status === 401 || answer.status === 429) await wait(REFUSED_MS);
}
