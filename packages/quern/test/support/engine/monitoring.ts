import { z } from 'zod';
import { ChangeRecord, MonitorRecord, RunRecord } from '#features/monitors/store/monitor-record.ts';
import type { Visit } from '#access/page.ts';
import { WebhookView } from '#features/webhooks/schema.ts';
import { type Gate, buildTestPage, SITE } from '../../engine/gate.ts';
import { getOperation, runClaimed, type Said } from './queue.ts';

const Shown = MonitorRecord.extend({ webhook: WebhookView.nullable() });
const Runs = z.object({ data: z.array(RunRecord), next_cursor: z.string().nullable() });
const Changes = z.object({ data: z.array(ChangeRecord), next_cursor: z.string().nullable() });

type Raw = Readonly<Record<string, unknown>>;
type More = Parameters<Gate['ask']>[2];

/** A page with a price that a test sets, for the tier `http`. */
export function openShop(price = '100.00 EUR') {
  const shop = { price, status: 200, visits: 0 };
  const visit: Visit = async ({ url }) => {
    shop.visits += 1;
    const text = `<h1>Rye flour</h1><p class="price">${shop.price}</p><p>${'Milled fresh. '.repeat(20)}</p>`;
    return buildTestPage({ url: url.href, text, status: shop.status });
  };
  return { shop, tierVisits: { http: visit } };
}

/** An hourly monitor of that price. */
export const PRICE = {
  url: SITE,
  extract: { price: { selector: '.price', type: 'money' } },
  cron: '0 * * * *',
};

/** Calls the monitor operations as a tenant. */
export function createMonitorCalls(gate: Gate) {
  async function ask(id: string, raw: Raw, more: More = {}): Promise<Said> {
    return gate.ask(getOperation(`monitors.${id}`), raw, more);
  }
  return {
    ask,
    create: async (raw: Raw = {}, more: More = {}) => ask('create', { ...PRICE, ...raw }, more),
    /** The id of a new monitor. */
    async made(raw: Raw = {}): Promise<string> {
      const { answer, error } = await ask('create', { ...PRICE, ...raw });
      if (answer === null) throw error ?? new Error('no answer');
      return Shown.parse(answer.body).id;
    },
    show: async (id: string) => Shown.parse((await ask('show', { id })).answer?.body),
    runs: async (id: string) => Runs.parse((await ask('runs', { id, limit: 100 })).answer?.body).data,
    latestRun: async (id: string) => RunRecord.parse((await ask('runs.latest', { id })).answer?.body),
    changes: async (id: string) => Changes.parse((await ask('changes', { id, limit: 100 })).answer?.body).data,
  };
}

const AT_ONCE = 64;

/** Runs all due jobs as workers do; returns the outcome of each. */
export async function runAll(gate: Gate): Promise<readonly string[]> {
  const came: string[] = [];
  for (;;) {
    const claimed = await gate.queue.leases.claim('w1', AT_ONCE);
    if (claimed.length === 0) return came;
    came.push(...(await Promise.all(claimed.map(async (one) => runClaimed(gate, one)))));
  }
}

const STEP_MS = 30_000;

/** Advances the time with a running scheduler and worker; returns the outcome of each run. */
export async function pass(gate: Gate, ms: number): Promise<readonly string[]> {
  const came: string[] = [];
  for (let left = ms; left > 0; left -= STEP_MS) {
    gate.clock.pass(Math.min(left, STEP_MS));
    while ((await gate.queue.ticks.tick()).due > 0);
    came.push(...(await runAll(gate)));
  }
  return came;
}
