import { suite, test } from 'node:test';
import { SILENCES, takeOver } from '#e2e/take-over.ts';

suite('jobs of a process that is silent for 40 s', { concurrency: SILENCES.length }, () => {
  for (const silence of SILENCES) {
    test(`${silence}: another worker takes the jobs over, and each is charged once`, async (t) => {
      const tookMs = await takeOver(silence, 'real');
      t.diagnostic(`${silence}: begun again after ${(tookMs / 1000).toFixed(1)} s`);
    });
  }
});
