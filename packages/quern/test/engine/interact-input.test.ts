import { buildInputChecker, describeInput } from '#engine/call/validation.ts';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';
import { createFairQueue } from '#kernel/fair-queue.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { allOperations } from '#compose/registry.ts';
import { buildRedactor, buildSecrets } from '#features/interact/secrets.ts';
import { ServiceError } from '#kernel/errors.ts';
import { interact } from '#features/interact/operation.ts';
import { SITE, withGate } from './gate.ts';
import { getOperation, runClaimed } from '../support/engine/queue.ts';

const click = { type: 'click', target: '#mill' };
const nest = (times: number, actions: readonly object[]) => ({ type: 'repeat', times, actions });
const deep = (levels: number): object => (levels === 0 ? click : nest(1, [deep(levels - 1)]));

/** The result of a session with the given number of credits. */
/** A model that is never called. */
const model = {
  contextTokens: 16_000,
  complete: async () => Promise.reject(new Error('asked')),
  turns: createFairQueue({ places: 1, spare: 0, clock: SYSTEM_CLOCK }),
};

async function costs(input: object, credits: number): Promise<string> {
  let code = '';
  await withGate({ model, limits: { credits_per_month: credits, daily_cap: null } }, async (gate) => {
    ({ code } = await gate.ask(interact, { url: SITE, ...input }));
  });
  return code;
}

/** Input in addition to the URL, and the expected error message. */
const BAD: readonly (readonly [object, RegExp])[] = [
  [{}, /actions: send exactly one of prompt and actions/],
  [{ prompt: 'go', actions: [click] }, /actions: send exactly one of prompt and actions/],
  [{ prompt: 'go', proxy: 'auto' }, /proxy: auto is only allowed with actions/],
  [{ prompt: 'go', max_steps: 61 }, /max_steps: must be at most 60 with prompt/],
  [{ actions: [] }, /actions/],
  [{ actions: [{ type: 'fly' }] }, /actions\.0\.type: must be one of goto, click, .* repeat, if/],
  [{ actions: [{ ...click, speed: 3 }] }, /actions\.0\.speed: unknown member/],
  [{ actions: [{ type: 'click' }] }, /actions\.0\.target/],
  [{ actions: [{ type: 'click', target: 'a[' }] }, /actions\.0\.target/],
  [
    { actions: [{ type: 'click', target: { css: 'a', text: 'b' } }] },
    /actions\.0\.target: needs exactly one of css, xpath/,
  ],
  [{ actions: [{ type: 'click', target: { css: 'a', name: 'b' } }] }, /name is allowed only with role/],
  [{ actions: [{ type: 'click', target: { xpath: '//a >> //b' } }] }, /actions\.0\.target/],
  [{ actions: [{ type: 'wait', ms: 30_001 }] }, /actions\.0\.ms/],
  [{ actions: [{ type: 'wait', ms: 1, text: 'x' }] }, /needs exactly one of for, url, text, ms/],
  [{ actions: [{ type: 'switch' }] }, /needs exactly one of tab, frame/],
  [{ actions: [{ type: 'select', target: 'a' }] }, /needs exactly one of value, label, index/],
  [{ actions: [nest(101, [click])] }, /actions\.0\.times/],
  [{ actions: [nest(20, [nest(11, [click])])] }, /actions: must contain at most 200 actions/],
  [{ actions: [deep(6)] }, /actions nest at most 5 deep/],
  [{ actions: [nest(2, [{ type: 'fly' }])] }, /actions\.0\.actions\.0/],
  [{ actions: [{ type: 'upload', target: 'a', name: 'x', content_base64: 'A'.repeat(6_990_512) }] }, /at most 5 MiB/],
  [{ actions: [{ type: 'upload', target: 'a', name: '../x', content_base64: '' }] }, /must be a file name/],
  [{ actions: [{ type: 'upload', target: 'a', name: 'x', content_base64: '?' }] }, /content_base64/],
  [{ actions: [{ type: 'goto', url: 'file:///etc/passwd' }] }, /^actions\.0\.url: /],
  [{ actions: [{ type: 'goto', url: 'view-source:http://mill.example/' }] }, /^actions\.0\.url: /],
  [{ actions: [{ type: 'goto', url: 'chrome://version' }] }, /^actions\.0\.url: /],
  [{ actions: [{ type: 'goto', url: 'devtools://devtools/bundled/inspector.html' }] }, /^actions\.0\.url: /],
  [{ actions: [{ type: 'goto', url: 'http://127.0.0.1:9222/' }] }, /^actions\.0\.url: .*QUERN_ALLOW_TARGETS/],
  [
    { actions: [nest(1, [{ type: 'goto', url: 'https://example.org/' }])], allowed_domains: ['mill.example'] },
    /^actions\.0\.actions\.0\.url: example\.org is not in allowed_domains/,
  ],
  [{ actions: [click], allowed_domains: ['example.org'] }, /url: mill\.example is not in allowed_domains/],
  [{ actions: [click], allowed_domains: ['*.example'] }, /allowed_domains\.0: must be a host name/],
  [
    { actions: [{ type: 'type', target: 'a', text: '{{word}}' }] },
    /variables: word is used in typed text but not defined/,
  ],
  [{ actions: [{ type: 'pdf', name: '__proto__ ' }] }, /must be a name/],
  [{ actions: [click], output: ['json'] }, /extract: is required for output json/],
  [{ actions: [click], proxy: 'basic', use_proxy: true }, /use_proxy/],
];

test('invalid input of a session is rejected with the parameter name, and costs nothing', async () =>
  withGate({}, async (gate) => {
    for (const [input, said] of BAD) {
      const { error } = await gate.ask(interact, { url: SITE, ...input });
      assert.equal(error?.code, 'invalid_request', JSON.stringify(input).slice(0, 200));
      assert.match(error.message, said);
    }
    assert.deepEqual(await gate.spent(), [0, 0]);
  }));

test('an error message contains the parameter name only once', () => {
  const wrong = [null, -1, '', {}, [{}], [{ type: 'fly' }], [nest(2, [{ type: 'fly' }])], { schema: 4 }, { kind: 'x' }];
  for (const operation of allOperations) {
    const { example } = operation;
    const checkInput = buildInputChecker(operation);
    const { properties = {} } = z.toJSONSchema(describeInput(operation), { io: 'input', unrepresentable: 'any' });
    const given = z.record(z.string(), z.unknown()).parse(example);
    for (const value of Object.keys(properties).flatMap((name) => wrong.map((one) => ({ ...given, [name]: one })))) {
      try {
        checkInput(value);
      } catch (error) {
        assert.ok(error instanceof ServiceError);
        assert.doesNotMatch(error.message, /(?:^|[ .])(\w+): \1:/);
      }
    }
  }
});

test('missing features of the instance or the plan are named in the error', async () => {
  await withGate({}, async (gate) => {
    const prompted = await gate.ask(interact, { url: SITE, prompt: 'find the price of rye' });
    assert.deepEqual(
      [prompted.code, prompted.error?.message.includes('QUERN_MODEL_URL')],
      ['backend_unavailable', true],
    );
    const acted = await gate.ask(interact, { url: SITE, actions: [click] });
    assert.deepEqual([acted.code, acted.error?.message.includes('QUERN_CHROMIUM')], ['backend_unavailable', true]);
  });
  await withGate({ plan: 'free' }, async (gate) => {
    for (const proxy of ['auto', 'stealth']) {
      assert.equal((await gate.ask(interact, { url: SITE, actions: [click], proxy })).code, 'plan_upgrade_required');
    }
  });
});

test('a job without a browser fails immediately, or waits if one is being installed', async () => {
  const all = [
    ['interact', { url: SITE, actions: [click] }],
    ['fetch', { url: SITE, output: ['pdf'] }],
    ['crawl', { url: SITE, fetch: { wait_ms: 10 } }],
  ] as const;
  for (const browserState of ['as it is', 'is awaited'] as const) {
    await withGate({ browserState }, async (gate) => {
      for (const [kind, input] of all) {
        await gate.ask(getOperation('jobs.submit'), { kind, input });
        const [claimed] = await gate.queue.leases.claim('w1', 1);
        assert.ok(claimed);
        assert.equal(await runClaimed(gate, claimed), 'backend_unavailable');
        const { record } = await gate.queue.jobs.read(gate.tenant, claimed.row.id);
        assert.equal(record.status, browserState === 'as it is' ? 'failed' : 'queued', kind);
        if (browserState === 'as it is') assert.match(record.error?.message ?? '', /QUERN_CHROMIUM/);
      }
    });
  }
});

test('a session reserves its cost before it begins: stealth costs more only with prompt', async () => {
  assert.equal(await costs({ actions: [click], proxy: 'stealth' }, 24), 'credits_exhausted');
  assert.equal(await costs({ actions: [click], proxy: 'stealth' }, 25), 'backend_unavailable');
  assert.equal(await costs({ prompt: 'go', proxy: 'stealth' }, 89), 'credits_exhausted');
  assert.equal(await costs({ prompt: 'go', proxy: 'stealth' }, 90), 'backend_unavailable');
});

test('a value that cannot be URL-encoded is masked and redacted too', () => {
  const variables = { word: 'open\uD800sesame' };
  assert.equal(buildSecrets(variables).mask('it is open\uD800sesame'), 'it is {{word}}');
  assert.equal(buildRedactor(variables)('it is open%EF%BF%BDsesame'), 'it is {{word}}');
});
