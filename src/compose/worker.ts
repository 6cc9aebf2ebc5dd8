import type { Loaded } from '#kernel/config.ts';
import { newId } from '#kernel/ids.ts';
import { settle } from '#kernel/memory.ts';
import type { Working } from '#transports/cli/worker.ts';
import { checkArtifacts } from './artifacts.ts';
import { browsersOf } from './browsing.ts';
import { openEngine } from './engine.ts';
import { earsOfLog, openLog } from './log.ts';
import { describePlace, openStore } from './store.ts';

/** `quern worker`: runs the jobs that services on the same PostgreSQL queue, and serves nothing itself. */
export async function startJobWorker({ config, artifacts }: Loaded): Promise<Working> {
  if (config.QUERN_DATABASE_URL === undefined) {
    throw new Error(
      'QUERN_DATABASE_URL: is needed by quern worker; on the embedded database quern serve runs the jobs',
    );
  }
  if (config.QUERN_JOB_SLOTS === 0) throw new Error('QUERN_JOB_SLOTS 0: a worker needs at least 1');
  await checkArtifacts({ config, artifacts });
  const { log, flush } = openLog(config);
  const store = await openStore({ config, artifacts }, earsOfLog(log));
  const id = newId('hld', store.clock.now());
  const engine = await openEngine(config, store, {
    holder: id,
    own: () => [],
    artifacts,
    findBrowsers: () => browsersOf(config),
    report: (message, facts) => log.warn(facts, message),
  });
  const upkeep = await engine.upkeep();
  const worker = engine.work(id, config.QUERN_JOB_SLOTS);
  const scheduler = engine.schedule();
  const helper = engine.assist(id);
  const sending = engine.send('beside others');
  settle();
  return {
    place: describePlace(config),
    slots: config.QUERN_JOB_SLOTS,
    async drain() {
      await Promise.all([scheduler.close(), worker.drain(), helper.drain()]);
      await sending.drain();
      await upkeep.close();
      await engine.close();
      await store.db.close();
      flush();
    },
  };
}
