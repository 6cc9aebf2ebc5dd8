import { flushCompileCache } from 'node:module';
import type { Endpoint } from '#access/guard/rules.ts';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';
import { collectGarbage } from '#kernel/memory-budget.ts';
import type { LoadedConfig } from '#kernel/config.ts';
import { OperatorError } from '#kernel/errors.ts';
import { newId } from '#kernel/ids.ts';
import type { StartContext, RunningWorker } from '#transports/cli/serve.ts';
import { createHealthServer } from '#transports/http/health.ts';
import { TIMEOUTS } from '#transports/http/server-parts.ts';
import { checkArtifacts } from './artifacts.ts';
import { startBackground, listen, buildReadinessCheck } from './background.ts';
import { findConfiguredBrowsers } from './browsers.ts';
import { openEngine } from './engine.ts';
import { logNotices, openLog } from './log.ts';
import { openObserver } from './observer.ts';
import { createStartRetry } from './start-retry.ts';
import { describePlace, openWritable } from './store.ts';

/** `quern worker`: runs the jobs that services on the same PostgreSQL queue, and serves only its health and metrics. */
export async function startWorkerProcess(
  { config, artifacts, settings }: LoadedConfig,
  starting: StartContext,
): Promise<RunningWorker> {
  if (config.QUERN_DATABASE_URL === undefined) {
    throw new OperatorError(
      'QUERN_DATABASE_URL: is needed by quern worker; on the embedded database quern serve runs the jobs',
    );
  }
  if (config.QUERN_JOB_SLOTS === 0) throw new OperatorError('QUERN_JOB_SLOTS 0: a worker needs at least 1');
  const patiently = createStartRetry(config, starting);
  await patiently(async () => checkArtifacts({ config, artifacts }));
  const { log, flush } = await openLog(config);
  const observer = openObserver(log);
  const store = await openWritable({ config, artifacts }, logNotices(log), patiently);
  const id = newId('hld', store.storeClock.now());
  const own: Endpoint[] = [];
  const engine = await openEngine(config, store, {
    processId: id,
    own: () => own,
    observe: observer.observe,
    artifacts,
    settings,
    findBrowsers: () => findConfiguredBrowsers(config),
    report: (message, facts) => log.warn(facts, message),
    reportText: (message, facts) => log.debug(facts, message),
  });
  const upkeep = await engine.upkeep();
  const background = startBackground(engine, config.QUERN_JOB_SLOTS, { id, isAlone: false });
  const draining = new AbortController();
  const server = await createHealthServer({
    findObstacles: buildReadinessCheck({
      processes: engine.processes,
      isAlive: background.isAlive,
      room: store.room,
    }),
    draining: draining.signal,
    metricsToken: config.QUERN_METRICS_TOKEN ?? null,
    timeouts: TIMEOUTS,
    newRequestId: () => newId('req', store.storeClock.now()),
    log,
    metrics: [...engine.metrics, ...background.metrics, ...observer.metrics],
    clock: SYSTEM_CLOCK,
  });
  const origin = await listen(server, { config, setting: 'QUERN_WORKER_PORT' });
  own.push({ host: config.QUERN_HOST, port: Number(new URL(origin).port) });
  flushCompileCache();
  collectGarbage(); // Last, because storing the code leaves free memory.
  return {
    origin,
    place: describePlace(config),
    slots: config.QUERN_JOB_SLOTS,
    async drain() {
      draining.abort();
      await background.drainJobs();
      await background.close();
      await upkeep.close();
      await engine.close();
      await server.close();
      await store.db.close();
      flush();
    },
  };
}
