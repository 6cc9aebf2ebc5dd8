import assert from 'node:assert/strict';
import { z } from 'zod';
import { JobStopped } from '#engine/jobs/lease.ts';
import { PRICES } from '#engine/credits/prices.ts';
import { interact } from '#features/interact/operation.ts';
import { browserTest } from '../../support/rendered.ts';
import { sessionSiteFor, threeAtOnce } from '../../support/sessions.ts';
import { type Gate, type GateOptions, withGate } from '../gate.ts';
import { DEEDS, PAGES } from '../../support/engine/interact-pages.ts';
import { checkBooks, runClaimed } from '../../support/engine/queue.ts';

const Body = z.looseObject({
  completed: z.boolean(),
  failed_step: z.int().optional(),
  final_url: z.string(),
  steps: z.array(
    z.looseObject({
      type: z.string(),
      status: z.string(),
      url: z.string(),
      error: z.looseObject({ code: z.string(), message: z.string() }).optional(),
      screenshot: z.looseObject({ id: z.string() }).optional(),
    }),
  ),
  extracted: z.record(z.string(), z.unknown()),
});

const siteNow = sessionSiteFor(PAGES);

type Raw = Readonly<Record<string, unknown>>;

async function withSessions(options: GateOptions, work: (gate: Gate) => Promise<void>): Promise<void> {
  const { openClimb, allow } = siteNow();
  await withGate({ openClimb, allow, ...options }, work);
}

const raw = (path: string, actions: readonly Raw[], more: Raw = {}): Raw => ({
  url: new URL(path, siteNow().origin).href,
  proxy: 'basic',
  actions,
  ...more,
});

async function act(gate: Gate, path: string, actions: readonly Raw[], more: Raw = {}) {
  const { answer, error } = await gate.ask(interact, raw(path, actions, more));
  if (answer === null) throw error ?? new Error('no answer');
  return Body.parse(answer.body);
}

browserTest('a form is filled in, and each action is a step of the answer', async () =>
  withSessions({}, async (gate) => {
    const body = await act(
      gate,
      '/form',
      [
        { type: 'type', target: { label: 'Name' }, text: 'Ann' },
        { type: 'type', target: { css: '[name=name]' }, text: ' Miller', clear: false },
        { type: 'select', target: 'select', value: 'oat' },
        { type: 'check', target: '#fine' },
        { type: 'upload', target: '#sack', name: 'sack.txt', content_base64: Buffer.from('flour').toString('base64') },
        { type: 'wait', text: 'flour' },
        { type: 'evaluate', name: 'sacks', script: 'document.querySelector("#sacks").textContent' },
        { type: 'dialog', accept: true, text: 'Bo' },
        { type: 'click', target: '#ask' },
        { type: 'extract', name: 'said', fields: { who: { selector: '#said', type: 'string' } } },
        { type: 'extract', name: 'lost', fields: { miller: { selector: '#miller', type: 'string' } } },
        { type: 'click', target: { role: 'button', name: 'Send' } },
        { type: 'content', name: 'page', output: 'markdown' },
      ],
      { output: ['text', 'metadata', 'screenshot'] },
    );
    assert.deepEqual(
      body.steps.filter(({ status }) => status !== 'ok'),
      [],
    );
    assert.equal(body.completed, true);
    assert.match(body.final_url, /\/sent\?name=Ann\+Miller&word=&grain=oat&fine=on$/);
    assert.deepEqual([body.extracted['sacks'], body.extracted['said']], ['sack.txt flour', { who: 'Bo' }]);
    assert.deepEqual(body['warnings'], [{ code: 'fields_not_found', message: 'lost: not found: miller' }]);
    assert.match(String(body.extracted['page']), /^# Sent/);
    assert.match(String(body['text']), /Sent/);
    assert.deepEqual(await gate.spent(), [25, 0]);
    assert.deepEqual(body['usage'], { credits: 25, base: 25, surcharge: 0, tier: 'browser' });
  }),
);

browserTest('a page with an empty root element is read after its script has filled it', async () =>
  withSessions({}, async (gate) => {
    const content = { type: 'content', name: 'page', output: 'markdown' };
    const now = await act(gate, '/empty', [content]);
    assert.match(String(now.extracted['page']), /^# Grain/);
    const last = await act(gate, '/empty', [{ type: 'wait', ms: 1 }], { output: ['text'] });
    assert.match(String(last['text']), /Grain/);
  }),
);

browserTest('actions can repeat, branch and work in frames, and a repeated name becomes a list', async () =>
  withSessions({}, async (gate) => {
    const body = await act(gate, '/form', [
      { type: 'repeat', while: '#more', actions: [{ type: 'click', target: '#more' }] },
      {
        type: 'if',
        exists: '#more',
        // oxlint-disable-next-line unicorn/no-thenable -- the API name; nothing awaits it
        then: [{ type: 'click', target: '#nothing' }],
        else: [{ type: 'evaluate', name: 'n', script: '1' }],
      },
      {
        type: 'repeat',
        times: 2,
        actions: [
          { type: 'click', target: { css: '.grain', nth: 0 } },
          { type: 'evaluate', name: 'n', script: 'document.querySelector(".grain").textContent' },
        ],
      },
      { type: 'click', target: { role: 'button', name: 'pour', frame: '#inn' } },
      { type: 'switch', frame: '#inn' },
      { type: 'evaluate', name: 'inn', script: 'document.querySelector("button").textContent' },
      { type: 'switch', frame: 'main' },
      { type: 'click', target: '#nothing', optional: true, timeout_ms: 300 },
      { type: 'scroll', to: 'end' },
      { type: 'pdf', name: 'paper' },
    ]);
    assert.equal(body.completed, true, JSON.stringify(body.steps.at(-1)));
    assert.deepEqual(
      body.steps.slice(0, 3).map(({ type }) => type),
      ['click', 'click', 'click'],
    );
    assert.deepEqual(body.extracted['n'], [1, 'rye!', 'rye!!']);
    assert.equal(body.extracted['inn'], 'poured');
    assert.equal(body.steps.find(({ status }) => status === 'skipped')?.error?.message, 'the target matches nothing');
    assert.equal(
      z.looseObject({ content_type: z.string() }).parse(body.extracted['paper']).content_type,
      'application/pdf',
    );
  }),
);

browserTest('actions continue in a tab that a click opened, and can return to the first', async () =>
  withSessions({}, async (gate) => {
    const body = await act(gate, '/form', [
      { type: 'click', target: '#tab' },
      { type: 'switch', tab: 'last' },
      { type: 'evaluate', name: 'tab', script: 'Promise.resolve({ path: location.pathname })' },
      { type: 'switch', tab: 0 },
      { type: 'evaluate', name: 'first', script: 'location.pathname' },
    ]);
    assert.equal(body.completed, true, JSON.stringify(body.steps.at(-1)));
    assert.deepEqual([body.extracted['tab'], body.extracted['first']], [{ path: '/inn' }, '/form']);
  }),
);

browserTest('each action works in a browser, with every form of target', async () =>
  withSessions({}, async (gate) => {
    const actions = DEEDS.flatMap(([deed, script]) => [deed, { type: 'evaluate', name: 'came', script }].flat());
    const told = JSON.stringify(actions).replace('LATE', new URL('/late', siteNow().origin).href);
    const body = await act(gate, '/tools', z.array(z.record(z.string(), z.unknown())).parse(JSON.parse(told)));
    assert.equal(body.completed, true, JSON.stringify(body.steps.at(-1)));
    assert.deepEqual(
      body.extracted['came'],
      DEEDS.map(([, , came]) => came),
    );
  }),
);

browserTest('a failed action ends the session with its reason and a screenshot', async () =>
  withSessions({}, async (gate) => {
    const failures = [
      [{ type: 'click', target: '.nothing', timeout_ms: 300 }, 'the target matches nothing'],
      [{ type: 'click', target: '.grain', timeout_ms: 2000 }, 'the target matches 2 elements: choose one with nth'],
      [{ type: 'click', target: '#off', timeout_ms: 500 }, 'the element is disabled'],
      [{ type: 'press', key: 'Nokey' }, 'unknown key'],
      [
        { type: 'evaluate', name: 'x', script: 'nobody.there' },
        'the script failed: ReferenceError: nobody is not defined',
      ],
      [
        { type: 'switch', tab: 7, timeout_ms: 300 },
        `there is no tab 7: the session has tab 0 (${siteNow().origin}/form)`,
      ],
    ] as const;
    const skipped = failures.map(([action]) => ({ ...action, optional: true }));
    const body = await act(gate, '/form', [...skipped, failures[0][0], { type: 'reload' }]);
    const last = failures.length;
    assert.deepEqual([body.completed, body.failed_step, body.steps.length], [false, last, last + 1]);
    assert.deepEqual(
      body.steps.map(({ status, error }) => [status, error?.message]),
      [...failures.map(([, message]) => ['skipped', message]), ['failed', failures[0][1]]],
    );
    const { id = '' } = body.steps[last]?.screenshot ?? {};
    assert.equal((await gate.artifacts.find(gate.tenant, id)).contentType, 'image/png');
  }),
);

browserTest('exceeding a session limit ends the session even at an optional action', async () =>
  withSessions({}, async (gate) => {
    const pause = { type: 'wait', ms: 1, optional: true };
    const rounds = { type: 'repeat', times: 20, actions: [{ type: 'repeat', times: 5, actions: [pause] }] };
    const body = await act(gate, '/', [rounds], { max_steps: 2 });
    assert.deepEqual(
      body.steps.map(({ status }) => status),
      ['ok', 'ok', 'failed'],
    );
    assert.deepEqual([body.completed, body.failed_step], [false, 2]);
    assert.match(body.steps.at(-1)?.error?.message ?? '', /max_steps \(2\) reached/);
  }),
);

browserTest('a session stays within its allowed domains, whatever its pages try', async () =>
  withSessions({}, async (gate) => {
    const { hits, asked } = siteNow();
    const body = await act(gate, '/leads-off', [
      { type: 'click', target: 'b' },
      { type: 'wait', ms: 300, optional: true },
      { type: 'click', target: '#off' },
    ]);
    assert.deepEqual(body.steps.at(-1)?.error?.code, 'invalid_request');
    assert.match(body.final_url, /leads-off/);
    assert.deepEqual(hits(), []);
    const earlier = asked().length;
    const url = `http://mill.test:${siteNow().port}/leads-off`;
    await act(gate, '/', [{ type: 'wait', ms: 200 }], { url, allowed_domains: ['mill.test'] });
    assert.deepEqual(
      asked()
        .slice(earlier)
        .filter((one) => !one.includes('favicon')),
      ['GET /leads-off'],
    );
  }),
);

browserTest('a blocked first page returns the error for its plan and proxy', async () => {
  await withSessions({}, async (gate) => {
    const { proxy: _, ...auto } = raw('/blocked', [{ type: 'reload' }]);
    const all = [
      [raw('/blocked', [{ type: 'reload' }]), 'proxy_required'],
      [auto, 'target_blocked'],
      [raw('/challenge', [{ type: 'reload' }]), 'proxy_required'],
      [{ ...auto, proxy: 'stealth' }, 'backend_unavailable'],
      [raw('/clears', [{ type: 'reload' }]), 'proxy_required'],
    ] as const;
    await threeAtOnce(all, async ([input, code]) => assert.equal((await gate.ask(interact, input)).code, code));
    assert.deepEqual(await gate.spent(), [0, 0]);
    const { proxy: __, ...waiting } = raw('/clears', [{ type: 'reload' }]);
    assert.equal((await gate.ask(interact, waiting)).code, 'ok');
  });
  await withSessions({ plan: 'free' }, async (gate) => {
    for (const path of ['/blocked', '/clears']) {
      const { proxy: _, ...input } = raw(path, [{ type: 'reload' }]);
      assert.equal((await gate.ask(interact, input)).code, 'free_plan_proxy_required');
    }
  });
});

browserTest('a session job reports each step, and is not restarted after its first action', async () =>
  withSessions({}, async (gate) => {
    const variables = { word: 'open sesame' };
    const actions = [
      { type: 'type', target: { label: 'Word' }, text: '{{word}}' },
      { type: 'click', target: { role: 'button', name: 'Send' } },
      { type: 'wait', for: 'load' },
    ];
    const { answer } = await gate.ask(interact, raw('/form', actions, { variables, timeout_ms: 100_000 }));
    assert.equal(answer?.status, 202);
    const [claimed] = await gate.queue.leases.claim('w1', 1);
    assert.ok(claimed);
    assert.equal(await runClaimed(gate, claimed), 'ok');
    const { record } = await gate.queue.jobs.read(gate.tenant, claimed.row.id);
    assert.deepEqual([record.status, record.progress], ['completed', { discovered: 3, completed: 3, failed: 0 }]);
    const result = await gate.ask(gate.operations.find(({ id }) => id === 'jobs.result') ?? interact, {
      id: claimed.row.id,
    });
    const body = Body.parse(result.answer?.body);
    assert.deepEqual(
      body.steps.map(({ type }) => type),
      ['type', 'click', 'wait'],
    );
    assert.match(body.final_url, /word=\{\{word\}\}/);
    await checkBooks(gate);

    await gate.ask(interact, raw('/form', [{ type: 'wait', ms: 1 }], { timeout_ms: 100_000 }));
    const [second] = await gate.queue.leases.claim('w1', 1);
    assert.ok(second);
    const lease = gate.queue.leases.buildLease(second, gate.plan, new AbortController().signal);
    await lease.reportProgress([], { begun: 1, completed: 0, failed: 0 });
    await gate.queue.leases.recover('w1', async () => gate.plan);
    const lost = await gate.queue.jobs.read(gate.tenant, second.row.id);
    assert.deepEqual([lost.record.status, lost.record.attempt], ['failed', 1]);
  }),
);

browserTest('a worker stopped before the first action hands over its session; after it, the session fails', async () =>
  withSessions({}, async (gate) => {
    const { jobs, leases } = gate.queue;
    const run = async (signal?: AbortSignal) => {
      const [claimed] = await leases.claim('w1', 1);
      assert.ok(claimed);
      const code = await runClaimed(gate, claimed, signal);
      const { record } = await jobs.read(gate.tenant, claimed.row.id);
      return [code, record.status, record.attempt, record.error?.message ?? null] as const;
    };
    const stopped = new JobStopped('drained');
    const stop = new AbortController();
    siteNow().hold('/inn', () => stop.abort(stopped));
    await gate.ask(interact, raw('/inn', [{ type: 'wait', ms: 1 }], { timeout_ms: 100_000 }));
    assert.deepEqual((await run(stop.signal)).slice(1), ['queued', 0, null]);
    assert.deepEqual(await run(), ['ok', 'completed', 1, null]);
    const later = new AbortController();
    siteNow().hold('/sent', () => later.abort(stopped));
    const toSent = { type: 'goto', url: new URL('/sent', siteNow().origin).href };
    await gate.ask(interact, raw('/inn', [toSent, { type: 'wait', ms: 1 }], { timeout_ms: 100_000 }));
    const [, status, attempt, message] = await run(later.signal);
    assert.deepEqual([status, attempt], ['failed', 1]);
    assert.match(message ?? '', /stopped after its first action/);
    await checkBooks(gate);
  }),
);

browserTest('a session that has acted is charged, however it ends', async () => {
  const reads = { type: 'evaluate', name: 'read', script: `history.replaceState(null, '', '#' + document.title); 1` };
  const toSent = { type: 'goto', url: new URL('/sent', siteNow().origin).href };
  const { base } = PRICES.interact;
  await withSessions({}, async (gate) => {
    const leave = new AbortController();
    siteNow().hold('/sent', () => leave.abort(new Error('gone')));
    const { code } = await gate.ask(interact, raw('/inn', [reads, toSent]), { signal: leave.signal });
    assert.equal(code, 'timeout');
    assert.deepEqual(await gate.spent(), [base, 0]);
    await checkBooks(gate);
  });
  await withSessions({}, async (gate) => {
    const cancel = new AbortController();
    siteNow().hold('/sent', () => cancel.abort(new JobStopped('cancelled')));
    await gate.ask(interact, raw('/inn', [reads, toSent], { timeout_ms: 100_000 }));
    const [claimed] = await gate.queue.leases.claim('w1', 1);
    assert.ok(claimed);
    await runClaimed(gate, claimed, cancel.signal);
    assert.deepEqual(await gate.spent(), [base, 0]);
    await checkBooks(gate);
  });
  await withSessions({}, async (gate) => {
    const body = await act(gate, '/inn', [reads, { type: 'wait', ms: 1 }]);
    assert.ok(body.steps.every(({ url }) => !url.includes('#')));
    assert.deepEqual(await gate.spent(), [base, 0]);
    await checkBooks(gate);
    const throws = { type: 'evaluate', name: 'read', script: 'throw new Error(document.title)' };
    await act(gate, '/inn', [throws]);
    assert.deepEqual(await gate.spent(), [2 * base, 0]);
  });
});

browserTest('values of variables never appear in plain text in steps, errors or rows', async () =>
  withSessions({}, async (gate) => {
    const variables = { word: 'open sesame' };
    const body = await act(
      gate,
      '/form',
      [
        { type: 'type', target: { label: 'Word' }, text: '{{word}}' },
        {
          type: 'evaluate',
          name: 'n',
          script: '(() => { throw new Error(document.querySelector("[type=password]").value) })()',
          optional: true,
        },
        { type: 'click', target: { role: 'button', name: 'Send' } },
        { type: 'type', target: '#nothing', text: '{{word}}', timeout_ms: 300 },
      ],
      { variables },
    );
    assert.ok(
      siteNow()
        .asked()
        .some((one) => one.includes('word=open+sesame')),
    );
    assert.doesNotMatch(JSON.stringify(body), /sesame/);
    assert.match(body.steps[1]?.error?.message ?? '', /\{\{word\}\}/);
    for (const table of ['jobs', 'requests']) {
      assert.doesNotMatch(JSON.stringify(await gate.db.query(`select * from ${table}`)), /sesame/);
    }
  }),
);
