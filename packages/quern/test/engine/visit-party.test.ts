import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getOperation } from '../support/engine/queue.ts';
import { brings, SITE, withGate } from './gate.ts';

for (const [name, input] of [
  ['fetch', { url: SITE }],
  ['crawl', { urls: [SITE] }],
] as const) {
  test(`the visits of a ${name} are attributed to its tenant, with the weight of its plan`, async () =>
    withGate({ tierVisits: { http: brings() }, limits: { turn_weight: 3 } }, async (gate) => {
      assert.equal((await gate.ask(getOperation(name), input)).code, 'ok');
      const parties = gate.visits.map(({ party }) => party);
      assert.ok(parties.length > 0);
      for (const party of parties) assert.deepEqual(party, { tenant: gate.tenant, weight: 3 });
    }));
}
