import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { listAttacks } from '#support/hostile/attacks.ts';
import { measure, startAttack } from '#support/hostile/measuring.ts';
import { withStage } from '#support/hostile/stage.ts';
import { listDeeds } from '#support/hostile/victims.ts';
import { browserTest } from '#support/rendered.ts';
import { TESTED_STORES } from '#support/store.ts';

/** A short form of `packages/quern/test/long/hostile-tenants.long.ts`, which tries all attacks and compares times. */
const ATTACKS = ['heavy selectors', 'crawls of the shared site by browser'];
const LINES = 20;
const TAKES_HOLD_MS = 1500;
const SECONDS = 4;

for (const kind of TESTED_STORES)
  browserTest(`${kind}: every call of a tenant gets its result while another tenant is hostile`, async () =>
    withStage(kind, { QUERN_CHROMIUM: '' }, async ({ sites, addTenant }) => {
      const deeds = listDeeds(sites);
      const victim = await addTenant('victim');
      // Threads and browsers start now: on a busy machine, that takes longer than a call waits for its pages.
      await measure(deeds, victim, 1);
      for (const attack of listAttacks({ own: sites.attacker, shared: sites.shared })) {
        if (!ATTACKS.includes(attack.name)) continue;
        const attacking = startAttack(attack, await addTenant('pro'), LINES);
        await wait(TAKES_HOLD_MS);
        for (const [name, { calls, failed }] of await measure(deeds, victim, SECONDS)) {
          assert.ok(calls > 0);
          assert.equal(failed, 0, `${name} beside ${attack.name}: ${failed} of ${calls} failed`);
        }
        attacking.stop();
      }
    }),
  );
