import { ignoreEvents } from '#kernel/events.ts';
import { openEngine } from '#compose/engine.ts';
import { openStore } from '#compose/store.ts';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';
import { loadConfig } from '#kernel/config.ts';
import { newId } from '#kernel/ids.ts';
import { createMonitor } from '#features/monitors/operations.ts';
import { z } from 'zod';

const TENANTS = 8;
const HOUR_MS = 3_600_000;
/** How long before the full hour a bench begins, by the clock of its store. */
const LEAD_MS = 3000;
const Made = z.object({ id: z.string() });

/** The engine, guard and embedded store of a service, whose clock is about to strike a full hour. */
export async function openBench(folder: string, origin: string) {
  const { config, artifacts } = loadConfig(
    { QUERN_DATA_DIR: folder, QUERN_ALLOW_TARGETS: new URL(origin).host, QUERN_CHROMIUM: 'off' },
    null,
  );
  const notices = { report: console.error, onSlow: () => undefined, note: console.error };
  const opened = await openStore({ config, artifacts }, notices);
  const hour = Math.ceil(Date.now() / HOUR_MS) * HOUR_MS;
  let ahead = hour - LEAD_MS - Date.now();
  const store = { ...opened, storeClock: { ...SYSTEM_CLOCK, now: (): number => Date.now() + ahead } };
  const engine = await openEngine(config, store, {
    processId: 'bench',
    own: () => [],
    observe: ignoreEvents,
    artifacts,
    settings: [],
    findBrowsers: () => null,
    report: (message, facts) => console.error(message, facts),
    reportText: (message, facts) => console.error(message, facts),
  });
  const tenants: string[] = [];
  for (let at = 0; at < TENANTS; at += 1) {
    tenants.push(await store.registry.tenants.create(`bench ${at}`, 'unlimited'));
  }

  return {
    ...engine,
    db: store.db,
    tenants,
    clock: store.storeClock,
    slots: config.QUERN_JOB_SLOTS,
    hour,
    /** The clock goes back to just before the hour: what was seeded meanwhile took its time. */
    rewind: (): void => void (ahead = hour - LEAD_MS - Date.now()),
    /** The id of an inactive monitor of the origin's price, with a webhook there. */
    async model(): Promise<string> {
      const [tenant = ''] = tenants;
      const body = {
        url: `${origin}/rye`,
        extract: { price: { json_path: '$.price', type: 'number' } },
        watch: { notify_on_first_run: true },
        cron: '0 * * * *',
        active: false,
        webhook: `${origin}/hook`,
      };
      const answer = await engine.perform(createMonitor, body, {
        caller: { tenant, keyId: 'bench', plan: opened.plans.unlimited },
        requestId: newId('req', store.storeClock.now()),
        signal: new AbortController().signal,
        idempotencyKey: null,
        lastEventId: null,
        lease: null,
      });
      return Made.parse(answer.body).id;
    },
    async end(): Promise<void> {
      await engine.close();
      await store.db.close();
    },
  };
}

export type Bench = Awaited<ReturnType<typeof openBench>>;
