import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openModelSession } from '#engine/call/model.ts';
import { loadPlans } from '#engine/identity/plans.ts';
import type { Question } from '#llm/complete.ts';
import { withModel } from '../support/model.ts';

const ANY_TIME = new AbortController().signal;

test('a tenant that saturates the model does not block other tenants', async () => {
  const held = Promise.withResolvers<void>();
  const filled = Promise.withResolvers<void>();
  let waiting = 0;
  await withModel(
    async ({ said }) => {
      if (said.includes('slow')) {
        waiting += 1;
        if (waiting === 8) filled.resolve();
        await held.promise;
      }
      return { text: 'Flour.' };
    },
    async ({ model }) => {
      const sessionOf = (tenant: string) =>
        openModelSession({
          model,
          billing: { raise: async () => undefined },
          account: { key: tenant, tenant, plan: loadPlans(null).free },
          maxCredits: null,
          signal: ANY_TIME,
          createNonce: () => 'mark',
          countTokens: () => undefined,
        });
      const ask = async (tenant: string, text: string) => {
        const question: Question = { system: '', messages: [{ role: 'user', text }], tools: [], maxTokens: 50 };
        return sessionOf(tenant).complete(question, ANY_TIME);
      };
      const slow = Array.from({ length: 12 }, async () => ask('ten_1', 'slow'));
      await filled.promise;
      assert.equal((await ask('ten_2', 'What is ground?')).text, 'Flour.');
      assert.deepEqual([waiting, model.turns.getCounts().waiting], [8, 4]);
      held.resolve();
      assert.equal((await Promise.all(slow)).length, 12);
      assert.deepEqual(model.turns.getCounts(), { taken: 0, waiting: 0 });
    },
  );
});
