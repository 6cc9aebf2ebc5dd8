import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { bindWork } from '#engine/call/bound-operation.ts';
import { declareWork } from '#engine/call/operation.ts';
import { InvariantError } from '#extract/invariant-error.ts';
import { withGate } from './gate.ts';

const DECLARATION = {
  id: 'mill.grind',
  route: 'POST /v1/mill/grind',
  summary: 'Grind',
  plan: 'free',
  price: { base: 2, cacheHit: 2, perTier: false },
  errors: [],
  input: z.strictObject({ sacks: z.int().default(1) }),
  output: z.object({ sacks: z.array(z.int()) }),
  example: {},
} as const;

function bind(changes: Partial<Parameters<typeof declareWork>[0]>) {
  return bindWork(declareWork({ ...DECLARATION, ...changes }), {
    admit: () => ({ timeoutMs: 1000, tiers: [], cheapest: 2, maxCredits: null }),
    run: async () => ({ tier: 'http', body: {} }),
  });
}

test('a wrong declaration is refused when it is bound', () => {
  assert.equal(bind({}).operation.id, 'mill.grind');
  for (const [changes, says] of [
    [{ id: 'Mill grind' }, /^Mill grind: is not an id/],
    [{ route: 'POST /mill' }, /^mill\.grind: POST \/mill is not a route/],
    [{ route: 'GET /v1/mill/{sack}' }, /^mill\.grind: sack is in the route but is no parameter/],
    [{ price: { base: Number.NaN, cacheHit: 1, perTier: false } }, /^mill\.grind: has no price/],
    [{ canQueue: true }, /^mill\.grind: canQueue/],
    [{ list: 'sacks', output: z.strictObject({ sacks: z.array(z.int()) }) }, /^mill\.grind: .*next_cursor/],
  ] as const) {
    assert.throws(
      () => bind(changes),
      (error) => error instanceof InvariantError && says.test(error.message),
    );
  }
});

test('two operations with one id or one route are refused', async () => {
  for (const [second, says] of [
    [bind({ route: 'POST /v1/mill/again' }), /two operations have this id/],
    [bind({ id: 'mill.again' }), /two operations have the route/],
  ] as const) {
    const opened = withGate({ more: [bind({}), second] }, async () => {});
    await assert.rejects(opened, (error) => error instanceof InvariantError && says.test(error.message));
  }
});

test('the input schema of an operation is built at its first call', () => {
  let built = 0;
  const operation = {
    ...declareWork(DECLARATION),
    get input() {
      built += 1;
      return DECLARATION.input;
    },
  };
  const { accept } = bindWork(operation, {
    admit: () => ({ timeoutMs: 1000, tiers: [], cheapest: 2, maxCredits: null }),
    run: async () => ({ tier: 'http', body: { sacks: [] } }),
  });
  assert.equal(built, 0);
  accept({});
  accept({ sacks: 2 });
  assert.equal(built, 1);
  assert.throws(() => accept({ sacks: 'two' }), /^ServiceError: sacks: /);
});
