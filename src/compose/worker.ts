import { collectGarbage } from '#kernel/memory.ts';
import type { Loaded } from '#kernel/config.ts';
import { OperatorError } from '#kernel/errors.ts';
import { newId } from '#kernel/ids.ts';
import type { Working } from '#transports/cli/worker.ts';
import { checkArtifacts } from './artifacts.ts';
import { startBackground } from './background.ts';
import { browsersOf } from './browsing.ts';
import { openEngine } from './engine.ts';
import { noticesToLog, openLog } from './log.ts';
import { describePlace, openStore } from './store.ts';

/** `quern worker`: runs the jobs that services on the same PostgreSQL queue, and serves nothing itself. */
export async function startJobWorker({ config, artifacts }: Loaded): Promise<Working> {
  if (config.QUERN_DATABASE_URL === undefined) {
    throw new OperatorError(
      'QUERN_DATABASE_URL: is needed by quern worker; on the embedded database quern serve runs the jobs',
    );
  }
  if (config.QUERN_JOB_SLOTS === 0) throw new OperatorError('QUERN_JOB_SLOTS 0: a worker needs at least 1');
  await checkArtifacts({ config, artifacts });
  const { log, flush } = openLog(config);
  const store = await openStore({ config, artifacts }, noticesToLog(log));
  const id = newId('hld', store.clock.now());
  const engine = await openEngine(config, store, {
    processId: id,
    own: () => [],
    artifacts,
    findBrowsers: () => browsersOf(config),
    report: (message, facts) => log.warn(facts, message),
  });
  const upkeep = await engine.upkeep();
  const background = startBackground(engine, config.QUERN_JOB_SLOTS, { id, isAlone: false });
  collectGarbage();
  return {
    place: describePlace(config),
    slots: config.QUERN_JOB_SLOTS,
    async drain() {
      await background.drainJobs();
      await background.close();
      await upkeep.close();
      await engine.close();
      await store.db.close();
      flush();
    },
  };
}
