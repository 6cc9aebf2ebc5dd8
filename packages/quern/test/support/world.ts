import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSite } from '#demo/site.ts';
import { Keys, type CreatedKey } from '#engine/identity/keys.ts';
import { loadPlans, type PlanName } from '#engine/identity/plans.ts';
import { Tenants } from '#engine/credits/tenants.ts';
import { openSqlite } from '#store/sqlite.ts';
import { serveHere } from './command.ts';
import { type Answered, type Answering, serveQuern, type Settings } from './quern.ts';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';

export type World = Awaited<ReturnType<typeof openWorld>>;
export type WorldApart = Awaited<ReturnType<typeof openWorldApart>>;

type Registry = { readonly keys: Keys; readonly tenants: Tenants };

async function withRegistry<T>(folder: string, work: (registry: Registry) => Promise<T>): Promise<T> {
  const db = openSqlite(join(folder, 'quern.db'), { sync: 'normal' });
  const parts = { db, clock: SYSTEM_CLOCK, plans: loadPlans(null) };
  try {
    return await work({ keys: new Keys(parts), tenants: new Tenants(parts) });
  } finally {
    await db.close();
  }
}

/** The demo site and a service of this process that may fetch it, in a new folder; `close` removes all. */
export async function openWorld(settings: Settings = {}) {
  return openAround(serveHere, settings);
}

/** A world whose service is a separate process, for tests of its log or of its survival. */
export async function openWorldApart(settings: Settings = {}) {
  return openAround(serveQuern, settings);
}

type Serve<S extends Answering> = (folder: string, settings: Settings) => Promise<S>;

async function openAround<S extends Answering>(serve: Serve<S>, settings: Settings) {
  // If the service does not start, the rest of its world is removed.
  await using opening = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'quern-test-'));
  opening.defer(async () => rm(folder, { recursive: true, force: true }));
  const site = await startSite({ port: 0 });
  opening.defer(async () => site.close());
  const allowed = [new URL(site.origin).host, ...(settings['QUERN_ALLOW_TARGETS'] ?? '').split(',')].join(',');
  const service = opening.use(await serve(folder, { ...settings, QUERN_ALLOW_TARGETS: allowed }));
  const all = opening.move();
  return {
    folder,
    site: site.origin,
    service,
    call: service.call,
    /** Fetches a path of the demo site, or a whole URL. */
    fetch: async (url: string, options: Readonly<Record<string, unknown>> = {}, key?: string): Promise<Answered> =>
      service.call('/v1/fetch', { url: url.startsWith('/') ? site.origin + url : url, ...options }, key),
    /** Creates a key of a new tenant next to the running service, as the command line does. */
    makeKey: async (plan: PlanName): Promise<CreatedKey> =>
      withRegistry(folder, async ({ keys, tenants }) => keys.add(await tenants.create('t', plan), 'key')),
    /** Runs operator work next to the running service. */
    operate: async <T>(work: (registry: Registry) => Promise<T>): Promise<T> => withRegistry(folder, work),
    close: async (): Promise<void> => all.disposeAsync(),
  };
}
