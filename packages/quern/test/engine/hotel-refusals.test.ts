import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadPlans } from '#engine/identity/plans.ts';
import { CHANNELS, HOUSE, openHotels, STAY, createSiteMonitorCalls } from '../support/engine/hotels.ts';
import { createMonitorCalls, runAll } from '../support/engine/monitoring.ts';
import { getOperation } from '../support/engine/queue.ts';
import { SITE, withGate } from './gate.ts';

const A = { ...HOUSE['hotel-a'], ...STAY };
const B = { ...HOUSE['hotel-b'], ...STAY };
const BOTH = { channels: CHANNELS, ...STAY };
const [ON_B, ON_A] = CHANNELS;
const ABS = { abs: 1 };

/** Invalid input of a new hotel monitor, with the expected error, at noon of 2026-11-21 in UTC. */
const REFUSED: readonly (readonly [what: string, site: string, body: object, why: RegExp])[] = [
  ['both channels and property_id', 'hotel-b', { ...B, channels: CHANNELS }, /^property_id: /],
  ['both channels and url', 'hotel-a', { ...A, channels: CHANNELS }, /^url: /],
  ['neither on hotel-b', 'hotel-b', STAY, /^property_id: is required/],
  ['neither on hotel-a', 'hotel-a', STAY, /^url: is required/],
  ['url on hotel-b', 'hotel-b', A, /^url: unknown member/],
  ['property_id on hotel-a', 'hotel-a', B, /^property_id: unknown member/],
  ['the URL of another site', 'hotel-a', { ...A, url: 'https://elsewhere.example/a/hotel/b.html' }, /^url: /],
  ['one channel', 'hotel-b', { ...STAY, channels: [ON_B] }, /^channels: /],
  ['five channels', 'hotel-b', { ...STAY, channels: [ON_B, ON_A, ON_B, ON_A, ON_B] }, /^channels: /],
  ['a provider twice', 'hotel-b', { ...STAY, channels: [ON_B, ON_B] }, /^channels\.1\.provider: is named twice/],
  ['an unknown provider', 'hotel-a', { ...STAY, channels: [ON_B, { ...ON_A, provider: 'hotel-c' }] }, /^channels\.1/],
  [
    'a channel of another site',
    'hotel-a',
    { ...STAY, channels: [ON_B, { ...ON_A, property_id: 'x' }] },
    /^channels\.1/,
  ],
  ['parity_threshold on a single one', 'hotel-b', { ...B, watch: { parity_threshold: ABS } }, /^watch\.parity_thr/],
  ['plain thresholds on channels', 'hotel-b', { ...BOTH, watch: { thresholds: ABS } }, /^watch\.thresholds: /],
  ['thresholds by site on a single one', 'hotel-b', { ...B, watch: { thresholds: { 'hotel-b': ABS } } }, /^watch\.thr/],
  [
    'a threshold of an unknown channel',
    'hotel-a',
    { ...BOTH, watch: { thresholds: { 'hotel-c': ABS } } },
    /thresholds\.hotel-c/,
  ],
  ['an empty threshold', 'hotel-b', { ...BOTH, watch: { parity_threshold: {} } }, /needs abs or pct/],
  ['a negative threshold', 'hotel-b', { ...B, watch: { thresholds: { pct: -1 } } }, /^watch\.thresholds/],
  ['fields to watch', 'hotel-b', { ...B, watch: { fields: ['price'] } }, /^watch\.fields: unknown member/],
  ['an extract schema', 'hotel-b', { ...B, extract: { price: 'money' } }, /^extract: unknown member/],
  ['no dates', 'hotel-b', { property_id: 'x' }, /check_in: is missing; check_out: is missing/],
  ['an invalid date', 'hotel-b', { ...B, check_in: '2027-02-30' }, /^check_in: /],
  ['no nights', 'hotel-b', { ...B, check_out: STAY.check_in }, /^check_out: /],
  ['31 nights', 'hotel-b', { ...B, check_out: '2027-04-01' }, /^check_out: /],
  [
    'an arrival date that has passed in every time zone',
    'hotel-a',
    { ...A, check_in: '2026-11-20', check_out: '2026-11-22' },
    /is in the past/,
  ],
  [
    '501 days ahead',
    'hotel-b',
    { ...B, check_in: '2028-04-06', check_out: '2028-04-07' },
    /^check_in: must be at most 500/,
  ],
  ['no adults', 'hotel-b', { ...B, adults: 0 }, /^adults: /],
  ['31 adults', 'hotel-b', { ...B, adults: 31 }, /^adults: /],
  ['a child of 18', 'hotel-b', { ...B, children: [18] }, /^children/],
  ['nine rooms', 'hotel-b', { ...B, adults: 9, rooms: 9 }, /^rooms: /],
  ['a room without an adult', 'hotel-b', { ...B, adults: 2, rooms: 3 }, /^rooms: needs an adult/],
  ['a currency in lower case', 'hotel-b', { ...B, currency: 'eur' }, /^currency: /],
  ['a cron expression with six fields', 'hotel-b', { ...B, cron: '0 0 * * * *' }, /^cron: /],
  ['an unknown time zone', 'hotel-b', { ...B, timezone: 'Mars/Olympus' }, /^timezone: /],
  ['more runs than the plan allows', 'hotel-b', { ...B, cron: '* * * * *' }, /^cron: plan starter/],
  ['no product', 'launches', {}, /slug/],
  ['two products', 'launches', { slug: 'a', id: '1' }, /only one/],
  ['thresholds by field of a launch', 'launches', { slug: 'a', watch: { thresholds: { x: ABS } } }, /^watch\.thr/],
  ['a parity threshold of a launch', 'launches', { slug: 'a', watch: { parity_threshold: ABS } }, /^watch\.parity/],
];

for (const [what, site, body, why] of REFUSED)
  test(`a new monitor under ${site} with ${what} is refused`, async () => {
    await withGate(openHotels().options, async (gate) => {
      const { code, error } = await createSiteMonitorCalls(gate, site).ask('create', { ...body });
      assert.equal(code, 'invalid_request');
      assert.match(error?.message ?? '', why);
      assert.equal((await gate.db.query('select id from monitors')).length, 0);
    });
  });

test('fields that cannot be changed are rejected under every prefix, even if they change nothing', async () => {
  await withGate(openHotels().options, async (gate) => {
    const [a, b, general] = [
      createSiteMonitorCalls(gate, 'hotel-a'),
      createSiteMonitorCalls(gate, 'hotel-b'),
      createMonitorCalls(gate),
    ];
    const [single, both] = [await a.made(A), await b.made(BOTH)];
    for (const [id, change] of [
      [single, { url: A.url }],
      [single, { property_id: 'x' }],
      [both, { channels: CHANNELS }],
      [single, { channels: CHANNELS }],
      [single, { watch: { parity_threshold: ABS } }],
      [both, { watch: { thresholds: ABS } }],
      [single, { check_out: STAY.check_in }],
      [single, { check_in: null }],
      [single, { adults: 1, rooms: 2 }],
      [single, { extract: {} }],
    ] as const)
      for (const one of [a, b])
        assert.equal((await one.ask('update', { id, ...change })).code, 'invalid_request', JSON.stringify(change));
    for (const change of [
      { check_in: '2027-03-02' },
      { url: A.url },
      { extract: {} },
      { metadata: {} },
      { timeout_ms: 5000 },
    ])
      assert.equal((await general.ask('update', { id: single, ...change })).code, 'invalid_request');
    const { answer } = await general.ask('update', {
      id: single,
      name: 'N',
      cron: '@daily',
      active: false,
      watch: { thresholds: ABS },
    });
    assert.equal(answer?.status, 200);
  });
});

test('a monitor of another kind, or a missing one, is not found under a prefix', async () => {
  await withGate(openHotels().options, async (gate) => {
    const page = await createMonitorCalls(gate).made();
    const hotel = await createSiteMonitorCalls(gate, 'hotel-b').made(B);
    for (const [site, id] of [
      ['hotel-a', page],
      ['hotel-b', page],
      ['launches', hotel],
      ['launches', page],
      ['hotel-a', 'mon_none'],
    ] as const)
      for (const word of ['show', 'update', 'trigger', 'runs', 'runs.latest', 'changes', 'changes.latest', 'delete'])
        assert.equal((await createSiteMonitorCalls(gate, site).ask(word, { id })).code, 'not_found', `${site} ${word}`);
    assert.deepEqual((await createSiteMonitorCalls(gate, 'launches').body('list', {}))['data'], []);
    const shown = await createSiteMonitorCalls(gate, 'hotel-a').body('list', {});
    assert.match(JSON.stringify(shown['data']), new RegExp(`^\\[\\{"id":"${hotel}"[^]*\\}\\]$`));
    assert.ok(!JSON.stringify(shown).includes(SITE));
  });
});

const VERBS = [
  'create',
  'list',
  'show',
  'update',
  'delete',
  'trigger',
  'runs',
  'runs.latest',
  'changes',
  'changes.latest',
];

test('below plan starter preset operations are refused; general ones can still switch off and delete', async () => {
  await withGate(openHotels().options, async (gate) => {
    const id = await createSiteMonitorCalls(gate, 'hotel-b').made(B);
    await runAll(gate);
    const caller = { tenant: gate.tenant, keyId: 'key_1', plan: loadPlans(null).free };
    const { signal } = new AbortController();
    const ask = { caller, requestId: 'req_1', signal, idempotencyKey: null, lastEventId: null, lease: null };
    for (const site of ['hotel-a', 'hotel-b', 'launches'])
      for (const verb of VERBS)
        for (const raw of [{ id }, { nonsense: true }])
          await assert.rejects(
            gate.perform(getOperation(`${site}.monitors.${verb}`), raw, ask),
            { code: 'plan_upgrade_required' },
            `${site} ${verb}`,
          );
    const general = async (word: string, raw: object) =>
      gate.perform(getOperation(`monitors.${word}`), { id, ...raw }, ask);
    assert.equal((await general('show', {})).body['kind'], 'hotel');
    await assert.rejects(general('update', { name: 'x' }), { code: 'plan_upgrade_required' });
    await assert.rejects(general('trigger', {}), { code: 'plan_upgrade_required' });
    assert.equal((await general('update', { active: false })).body['active'], false);
    assert.equal((await general('delete', {})).status, 204);
  });
});
