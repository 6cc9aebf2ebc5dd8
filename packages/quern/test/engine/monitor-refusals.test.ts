import assert from 'node:assert/strict';
import { test } from 'node:test';
import { routedOperations } from '#compose/registry.ts';
import { call, startService } from '../transports/service.ts';
import { SITE, withGate } from './gate.ts';
import { PRICE } from '../support/engine/monitoring.ts';

type Raw = Readonly<Record<string, unknown>>;
type Refused = readonly [what: string, body: Raw, message: RegExp];

/** Sends bodies to the routes of monitors over HTTP, with the real gate behind them. */
async function withMonitors(
  work: (send: (method: string, path: string, body: Raw) => Promise<string>) => Promise<void>,
) {
  await withGate({}, async (gate) => {
    const caller = { tenant: gate.tenant, keyId: 'key_1', plan: gate.plan };
    await using service = await startService({
      operations: routedOperations,
      findCaller: async () => caller,
      perform: async (operation, raw, ask) => gate.perform(operation, raw, { ...ask, caller }),
    });
    await work(async (method, path, body) => {
      const answer = await call(`${service.url}${path}`, { method, body: JSON.stringify(body) });
      return answer.status < 300 ? answer.text : `${answer.status} ${answer.body.error?.message ?? ''}`;
    });
  });
}

const UNWORKABLE: readonly Refused[] = [
  ['six fields', { cron: '* * * * * *' }, /^cron: expected five fields/],
  ['a day that does not exist', { cron: '0 0 31 2 *' }, /^cron: never fires/],
  ['an unknown time zone', { timezone: 'Mars/Base' }, /^timezone: must be an IANA name/],
  ['a path as a time zone', { timezone: '../../etc/localtime' }, /^timezone: must be an IANA name/],
  ['10 KiB of cron', { cron: '*'.repeat(10_240) }, /^cron: .* at most 100 characters/],
  ['ticks that are too close for the plan', { cron: '* * * * *' }, /^cron: plan starter allows one run per 5 min/],
  ['a private target', { url: 'http://10.0.0.1/' }, /QUERN_ALLOW_TARGETS/],
  ['no page', { url: undefined }, /^url: is required/],
  ['both forms', { target: { operation: 'fetch', input: {} } }, /^url: must be part of target\.input/],
  [
    'an unknown operation',
    { ...targeted('fetsh'), url: undefined },
    /^target\.operation: fetsh is not known; the nearest is fetch/,
  ],
  ['free work as a target', { ...targeted('usage'), url: undefined }, /^target\.operation: usage is not known/],
  [
    'a parameter that its target does not accept',
    { target: { operation: 'fetch', input: { ulr: SITE } }, extract: undefined, url: undefined },
    /^target\.input\.url: is missing; target\.input\.ulr: unknown member/,
  ],
  ['an invalid webhook', { webhook: 7 }, /^webhook: must be a URL or an object with a url/],
  [
    'a threshold of an unknown field',
    { watch: { thresholds: { prize: { pct: 1 } } } },
    /^watch\.thresholds\.prize: unknown field/,
  ],
  ['a webhook without TLS', { webhook: 'http://hooks.example/x' }, /^webhook\.url: must be https/],
  ['members of the record', { id: 'mon_1', credits: 0 }, /^id: unknown member/],
  ['a prototype', JSON.parse('{"__proto__": {"active": false}}'), /__proto__ cannot be the name of a member/],
  ['metadata beyond 4 KiB', { metadata: { a: 'x'.repeat(4096) } }, /^metadata: must be at most/],

  ['a time zone that is not a string', { timezone: 1 }, /timezone: /],
  ['an unknown member of watch', { watch: { fild: [] } }, /watch\.fild: unknown member/],
  ['a pattern with a look-behind', { watch: { ignore_patterns: ['ok', '(?<=a)b'] } }, /watch\.ignore_patterns\.1: /],
  ['a threshold below zero', { watch: { thresholds: { price: { pct: -1 } } } }, /watch\.thresholds\.price\.pct: /],
  [
    'a threshold with an unknown member',
    { watch: { thresholds: { price: { rel: 1 } } } },
    /watch\.thresholds\.price: unknown member rel/,
  ],
  ['a digest by the minute', { watch: { digest: { interval_minutes: 1 } } }, /watch\.digest\.interval_minutes: /],
  ['a digest at an invalid time', { watch: { digest: { interval_minutes: 60, at: '25:00' } } }, /watch\.digest\.at: /],
  ['a webhook with a private address', { webhook: 'https://10.0.0.1/' }, /webhook\.url: /],
  ['a webhook without its URL', { webhook: { events: null } }, /webhook\.url: /],
  ['a connection header', hooked({ headers: { Host: 'x' } }), /webhook\.headers\.Host: this header/],
  [
    'a header with a line break',
    hooked({ headers: { 'X-A': 'b\r\nHost: c' } }),
    /webhook\.headers\.X-A: holds characters/,
  ],
  ['a secret that is too short', hooked({ secret: 'whsec_AAAA' }), /webhook\.secret: must be whsec_/],
  ['an event of jobs', hooked({ events: ['job.failed'] }), /webhook\.events\.0: /],
  ['a misspelt member of the webhook', hooked({ header: {} }), /webhook\.header: unknown member/],
];

function hooked(more: Raw): Raw {
  return { webhook: { url: 'https://hooks.example/', ...more } };
}

function targeted(operation: string): Raw {
  return { target: { operation, input: { url: SITE } }, extract: undefined };
}

test('invalid monitors are rejected over HTTP with the path of the field', async () => {
  await withMonitors(async (send) => {
    for (const [what, body, message] of UNWORKABLE) {
      const said = await send('POST', '/v1/monitors', { ...PRICE, ...body });
      assert.match(said, /^400 /, what);
      assert.match(said.slice(4), message, what);
    }
  });
});

test('a PATCH cannot set record fields or prototypes, and is validated like a whole monitor', async () => {
  await withMonitors(async (send) => {
    const [id = ''] = /mon_\w+/.exec(await send('POST', '/v1/monitors', PRICE)) ?? [];
    const changes: readonly (readonly [Raw, RegExp])[] = [
      [JSON.parse('{"__proto__": {"active": false}}'), /__proto__ cannot be the name of a member/],
      [{ kind: 'hotel' }, /kind: unknown member/],
      [{ tenant_id: 'ten_2' }, /tenant_id: unknown member/],
      [{ created_at: '2020-01-01T00:00:00Z' }, /created_at: unknown member/],
      [{ credits: 1 }, /credits: unknown member/],
      [{ cron: '61 * * * *' }, /^400 cron: minute: 61 is not within/],
      [{ watch: { confirm_runs: 0 } }, /watch\.confirm_runs: /],
      [{ webhook: { headers: { cookie: 'a' } } }, /webhook\.headers\.cookie: /],
    ];
    for (const [body, message] of changes) {
      const said = await send('PATCH', `/v1/monitors/${id}`, body);
      assert.match(said, /^400 /, JSON.stringify(body));
      assert.match(said, message);
    }
    assert.match(await send('PATCH', `/v1/monitors/${id}`, { id: 'mon_2' }), /^400 id: /);
  });
});
