import type { TestContext } from 'node:test';
import { startUpkeep, type UpkeepParts } from '#engine/upkeep/upkeep.ts';
import type { Gate } from '../engine/gate.ts';

/** Runs the rounds of one minute; returns the reports. */
export async function oneMinute(
  t: Pick<TestContext, 'mock'>,
  gate: Omit<Gate, 'processes'> & Pick<UpkeepParts, 'processes'>,
  more: Pick<UpkeepParts, 'quota' | 'dataDir'>,
): Promise<readonly unknown[]> {
  const failures: unknown[] = [];
  t.mock.timers.enable({ apis: ['setInterval'] });
  const ended = Promise.withResolvers<void>();
  const upkeep = await startUpkeep({
    ...gate,
    ...more,
    rounds: [...gate.rounds, { name: 'end', run: async () => ended.resolve() }],
    jobRetention: gate.queue.retention,
    report: (error) => failures.push(error),
  });
  t.mock.timers.tick(60_000);
  await ended.promise;
  await upkeep.close();
  t.mock.timers.reset();
  return failures;
}
