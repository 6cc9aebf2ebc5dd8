import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { loadPlans } from '#engine/identity/plans.ts';
import { STORE_KINDS } from '#store/db.ts';
import { listAttacks } from '../support/hostile/attacks.ts';
import { measure, type Seen, startAttack } from '../support/hostile/measuring.ts';
import { withStage } from '../support/hostile/stage.ts';
import { listDeeds } from '../support/hostile/victims.ts';

/** Seconds of each measurement; `ATTACK=nested` selects the attacks whose name contains that. */
const SECONDS = Number(process.env['SECONDS'] ?? 60);
const ATTACK = process.env['ATTACK'] ?? '';
const ATTACKERS = (process.env['ATTACKERS'] ?? 'free,pro').split(',').map((name) => (name === 'pro' ? 'pro' : 'free'));
/** How long an attack runs before it is measured. */
const TAKES_HOLD_MS = 3000;
/** Crawls are slow until the response time of a host is known; an earlier baseline would have less load. */
const WARM_UP_SECONDS = 30;
const MAX_SLOWDOWN = 3;
const MAX_FAILED = 0.01;

suite('a victim next to a hostile tenant', () => {
  for (const kind of STORE_KINDS)
    test(`${kind}: its calls take at most ${MAX_SLOWDOWN} times as long, and 99 of 100 succeed`, async (t) => {
      await withStage(kind, { QUERN_CHROMIUM: '' }, async ({ service, sites, addTenant, suspend }) => {
        const deeds = listDeeds(sites);
        const victim = await addTenant('victim');
        await measure(deeds, victim, WARM_UP_SECONDS);
        const faults: string[] = [];
        for (const plan of ATTACKERS) {
          const lines = Math.min(loadPlans(null)[plan].concurrent_requests ?? 64, 64);
          for (const attack of listAttacks({ own: sites.attacker, shared: sites.shared })) {
            if (!attack.name.includes(ATTACK)) continue;
            // Measured again for each attack, because the speed of a machine changes within minutes.
            const quiet = await measure(deeds, victim, SECONDS);
            const attacker = await addTenant(plan);
            const attacking = startAttack(attack, attacker, lines);
            await new Promise((resolve) => setTimeout(resolve, TAKES_HOLD_MS));
            const beside = await measure(deeds, victim, SECONDS);
            t.diagnostic(`${plan}, ${attack.name}: ${describe(quiet, beside)}`);
            faults.push(...findFaults(quiet, beside).map((fault) => `${plan}, ${attack.name}: ${fault}`));
            attacking.stop();
            await attacking.ended;
            await suspend(attacker);
            assert.equal((await service.call('/readyz')).status, 200);
          }
        }
        assert.deepEqual(faults, []);
      });
    });
});

type Measured = ReadonlyMap<string, Seen>;

function describe(quiet: Measured, beside: Measured): string {
  return [...beside]
    .map(([name, { calls, failed, p95Ms }]) => {
      const before = quiet.get(name)?.p95Ms ?? Number.NaN;
      const ratio = (p95Ms / before).toFixed(1);
      return `${name} ${Math.round(before)} -> ${Math.round(p95Ms)} ms (${ratio}), ${failed} of ${calls} failed`;
    })
    .join('; ');
}

function findFaults(quiet: Measured, beside: Measured): readonly string[] {
  return [...beside].flatMap(([name, { calls, failed, p95Ms }]) => {
    const slowdown = p95Ms / (quiet.get(name)?.p95Ms ?? Number.NaN);
    return [
      ...(slowdown <= MAX_SLOWDOWN ? [] : [`${name} takes ${slowdown.toFixed(1)} times as long`]),
      ...(failed <= calls * MAX_FAILED ? [] : [`${failed} of ${calls} of ${name} failed`]),
    ];
  });
}
