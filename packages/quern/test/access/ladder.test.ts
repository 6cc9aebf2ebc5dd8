import assert from 'node:assert/strict';
import test from 'node:test';
import { createBreakers } from '#access/tiers/circuit-breaker.ts';
import { buildFailure, TierUnsupported, buildUnreachable, DNS_TIMEOUT } from '#access/failure.ts';
import { createHostMemory } from '#access/tiers/host-memory.ts';
import { escalate, type EscalationOptions } from '#access/tiers/ladder.ts';
import type { Attempt, ChallengeCookies, Page, PageRequest, Tier, Visit } from '#access/page.ts';
import { ServiceError } from '#kernel/errors.ts';
import { classifyTiers, type FakeTiers } from '../support/tiers.ts';
import { captureFailure } from '#testkit/visitor.ts';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';
import { clockAt } from '../support/clock.ts';

const ASKED = new URL('https://shop.test/stones/7');
const BASIC: readonly Tier[] = ['http', 'browser'];
const AUTO: readonly Tier[] = ['http', 'browser', 'proxy', 'proxy_browser'];
const STEALTH: readonly Tier[] = ['proxy_browser'];

type Sketch = {
  readonly status?: number;
  readonly body?: string;
  readonly headers?: Record<string, string>;
  readonly url?: string;
};

function buildPage({ status = 200, body = 'page', headers = {}, url = ASKED.href }: Sketch = {}): Page {
  const bytes = new Uint8Array(Buffer.from(body));
  return { url, status, headers, contentType: 'text/html', body: bytes, wireBytes: bytes.byteLength, warnings: [] };
}

function gives(sketch: Sketch = {}): Visit {
  return () => Promise.resolve(buildPage(sketch));
}

function fails(failure: Error): Visit {
  return () => Promise.reject(failure);
}

/** Waits for the signal, as a silent target does. */
function waits(_: PageRequest, signal: AbortSignal): Promise<Page> {
  const { promise, reject } = Promise.withResolvers<Page>();
  signal.addEventListener('abort', () => reject(buildFailure('timeout', 'slow')), { once: true });
  return promise;
}

function refuses(): Promise<never> {
  return Promise.reject(new ServiceError('credits_exhausted', 'the next tier needs 65 credits'));
}

const REQUEST: PageRequest = { url: ASKED, headers: {}, cookies: [] };
const requestBy = (tenant: string, url = ASKED.href): PageRequest => ({
  ...REQUEST,
  url: new URL(url),
  party: { tenant, weight: 1 },
});
const blocks = gives({ status: 403 });
const hangs: Visit = () => Promise.reject(buildFailure('timeout', 'slow', { reason: 'no_answer' }));

/** An escalation over fake tierVisits, with the attempts and the announced tiers. */
function climbing(tierVisits: FakeTiers, options: Partial<EscalationOptions> = {}) {
  const attempts: Attempt[] = [];
  const announced: Tier[] = [];
  const result = escalate({
    tiers: AUTO,
    tierVisits: classifyTiers(tierVisits),
    breakers: createBreakers({ clock: clockAt(() => 0) }),
    memory: createHostMemory({ clock: clockAt(() => 0) }).of('tenant', 'proxy_browser'),
    isSufficient: null,
    request: REQUEST,
    timeoutMs: 60_000,
    startedAt: 0,
    clock: clockAt(() => 0),
    random: () => 0,
    signal: new AbortController().signal,
    proxiesInPlan: true,
    beforeTier: async (tier) => void announced.push(tier),
    attempts,
    ...options,
  });
  return { result, attempts, announced };
}

/** An app shell that a browser would fill. */
const SHELL = '<html><body><div id="root"></div><script src="/app.js"></script></body></html>';
const FULL = `<html><body><p>${'The mill grinds rye. '.repeat(20)}</p><script src="/app.js"></script></body></html>`;
const isShell = gives({ body: SHELL });
const breaks: Visit = () => Promise.reject(buildFailure('render_failed', 'the browser crashed'));

const listCodes = ({ page }: { readonly page: Page }) => page.warnings.map((one) => one.code);

const walked = (attempts: readonly Attempt[]) => attempts.map((attempt) => `${attempt.tier} ${attempt.outcome}`);

test('a slow DNS resolution is a timeout, and no other tier is tried', async () => {
  const { result, announced, attempts } = climbing({
    http: fails(buildFailure('timeout', 'the name shop.test was not resolved in time', { reason: DNS_TIMEOUT })),
    browser: gives({ body: FULL }),
    proxy: gives({ body: FULL }),
  });
  const { code, status, message } = await captureFailure(() => result);
  assert.deepEqual([code, status, announced, attempts.length], ['timeout', 504, [], 1]);
  assert.match(message, /^the name shop\.test was not resolved in time; use a larger timeout_ms$/);
});

test('each visit receives its remaining time', async () => {
  let now = 0;
  const told: (number | undefined)[] = [];
  const counts =
    (page: Sketch): Visit =>
    async ({ leftMs }) => {
      told.push(leftMs?.());
      now += 1_500;
      told.push(leftMs?.());
      return buildPage(page);
    };
  const tierVisits = { http: counts({ body: SHELL }), browser: counts({ body: FULL }) };
  await climbing(tierVisits, { clock: clockAt(() => now), timeoutMs: 20_000, tiers: BASIC }).result;
  assert.deepEqual(told, [5_000, 3_500, 17_800, 16_300]);
});

/** A clock whose timers are a hundred times shorter. */
const HURRIED = {
  ...clockAt(() => 0),
  after: (ms: number, work: () => void) => SYSTEM_CLOCK.after(ms / 100, work),
};
const waitsForMachine: Visit = async ({ runUntimed }, signal) => {
  await runUntimed?.(async () => SYSTEM_CLOCK.sleep(200));
  if (signal.aborted) throw buildFailure('timeout', 'slow', { reason: 'slow_body' });
  return buildPage();
};
const waitsForBoth: Visit = async (request, signal) => {
  await request.runUntimed?.(async () => SYSTEM_CLOCK.sleep(20));
  return waits(request, signal);
};

test('waiting for local resources does not use the time of a visit, and no other tier is tried', async () => {
  const { result, attempts } = climbing(
    { http: waitsForMachine, browser: gives({ body: FULL }) },
    { clock: HURRIED, timeoutMs: 20_000 },
  );
  assert.equal((await result).tier, 'http');
  assert.deepEqual(walked(attempts), ['http ok']);
});

test('the time of a visit continues after such a wait', async () => {
  const { result, attempts } = climbing(
    { http: waitsForBoth, browser: gives({ body: FULL }) },
    { clock: HURRIED, timeoutMs: 20_000 },
  );
  assert.equal((await result).tier, 'browser');
  assert.deepEqual(walked(attempts), ['http timeout', 'browser ok']);
});

test('the first usable page ends the escalation', async () => {
  const { result, attempts, announced } = climbing({ http: gives(), browser: gives() });
  const { page, tier } = await result;
  assert.equal(tier, 'http');
  assert.deepEqual(page.warnings, []);
  assert.deepEqual(attempts, [{ tier: 'http', outcome: 'ok', status_code: 200, duration_ms: 0, bytes: 4 }]);
  assert.deepEqual(announced, []);
});

const ROUTES: readonly (readonly [title: string, first: Visit, expected: readonly string[]])[] = [
  [
    'an unnamed block goes through every tier',
    blocks,
    ['http blocked', 'browser blocked', 'proxy blocked', 'proxy_browser blocked'],
  ],
  [
    'a timeout goes through every tier',
    hangs,
    ['http timeout', 'browser timeout', 'proxy timeout', 'proxy_browser timeout'],
  ],
  [
    'a vendor’s block skips the datacenter proxy',
    gives({ status: 403, headers: { server: 'AkamaiGHost' } }),
    ['http blocked', 'browser blocked', 'proxy_browser blocked'],
  ],
  [
    'a challenge skips the datacenter proxy',
    gives({ status: 403, headers: { 'cf-mitigated': 'challenge' } }),
    ['http challenge', 'browser challenge', 'proxy_browser challenge'],
  ],
  [
    'a rate limit escalates to the proxies',
    gives({ status: 429 }),
    ['http rate_limited', 'proxy rate_limited', 'proxy_browser rate_limited'],
  ],
  ['an unreachable target is tried once', fails(buildUnreachable()), ['http unreachable']],
  ['a refused certificate is tried once', fails(buildFailure('tls_error', 'no')), ['http tls_error']],
  [
    'a malformed response escalates to the browser',
    fails(buildFailure('unusable', 'no', { reason: 'protocol' })),
    ['http unusable', 'browser unusable'],
  ],
  [
    'a response with conflicting lengths is tried once',
    fails(buildFailure('unusable', 'no', { reason: 'lengths' })),
    ['http unusable'],
  ],
  [
    'endless redirects are tried once',
    fails(buildFailure('unusable', 'no', { reason: 'redirects' })),
    ['http unusable'],
  ],
  ['a page that is too large is tried once', fails(buildFailure('too_large', 'no')), ['http too_large']],
];

for (const [title, visit, expected] of ROUTES) {
  test(title, async () => {
    const { result, attempts, announced } = climbing({
      http: visit,
      browser: visit,
      proxy: visit,
      proxy_browser: visit,
    });
    await captureFailure(() => result);
    assert.deepEqual(walked(attempts), expected);
    assert.deepEqual(
      announced,
      expected.slice(1).map((line) => line.split(' ')[0]),
    );
  });
}

test('an error of the gate before a more expensive tier ends the escalation, with the attempts so far', async () => {
  const { result, attempts } = climbing({ http: blocks, proxy_browser: gives() }, { beforeTier: refuses });
  assert.equal((await captureFailure(() => result)).code, 'credits_exhausted');
  assert.deepEqual(walked(attempts), ['http blocked']);
});

test('a stronger tier that gets through serves the page', async () => {
  const { result, attempts } = climbing({ http: blocks, browser: hangs, proxy: gives() });
  assert.equal((await result).tier, 'proxy');
  assert.deepEqual(walked(attempts), ['http blocked', 'browser timeout', 'proxy ok']);
});

test('errors of the target with a body are answers, each with its warning', async () => {
  const cases: readonly (readonly [Sketch, string])[] = [
    [{ status: 404 }, 'target_error'],
    [{ status: 410, body: '' }, 'target_error'],
    [{ status: 400 }, 'target_error'],
    [{ status: 401, headers: { 'www-authenticate': 'Basic' } }, 'auth_required'],
    [{ status: 451, body: '' }, 'geo_or_legal'],
    [{ url: 'https://shop.test/' }, 'redirected_home'],
    [{ url: 'https://shop.test/en/' }, 'redirected_home'],
  ];
  for (const [sketch, warning] of cases) {
    const { page } = await climbing({ http: gives(sketch) }).result;
    assert.deepEqual(
      page.warnings.map((one) => one.code),
      [warning],
    );
  }
  const { page } = await climbing({ http: gives({ url: 'https://shop.test/stones/' }) }).result;
  assert.deepEqual(page.warnings, []);
});

test('a server error is retried once; with a body it is an answer, without one it is unreachable', async () => {
  const withBody = climbing({ http: gives({ status: 500 }) });
  const without = climbing({ http: gives({ status: 502, body: '' }) });
  const statuses = [503, 200];
  const recovers = climbing({ http: () => Promise.resolve(buildPage({ status: statuses.shift() ?? 0 })) });
  const [answer, error, recovered] = await Promise.all([
    withBody.result,
    captureFailure(() => without.result),
    recovers.result,
  ]);
  assert.deepEqual(
    answer.page.warnings.map((one) => one.code),
    ['target_error'],
  );
  assert.deepEqual(walked(withBody.attempts), ['http http_error', 'http http_error']);
  assert.deepEqual([error.code, error.message], ['target_unreachable', 'the target answered 502 without content']);
  assert.equal(recovered.page.status, 200);
});

test('the first answer is used if the retry gives none', async () => {
  let n = 0;
  const visit: Visit = () =>
    (n += 1) === 1 ? Promise.resolve(buildPage({ status: 500, body: 'sorry' })) : Promise.reject(buildUnreachable());
  const { result, attempts } = climbing({ http: visit });
  assert.equal((await result).page.status, 500);
  assert.deepEqual(walked(attempts), ['http http_error', 'http unreachable']);
});

test('a rate limit remains a block if the retry times out', async () => {
  const answers = [Promise.resolve(buildPage({ status: 429, headers: { 'retry-after': '0' } }))];
  const visit: Visit = (...call) => answers.shift() ?? hangs(...call);
  const { result, attempts } = climbing({ http: visit });
  assert.equal((await captureFailure(() => result)).code, 'target_blocked');
  assert.deepEqual(walked(attempts), ['http rate_limited', 'http timeout']);
});

test('a short Retry-After is respected once, and a long one is not', async () => {
  for (const [seconds, tries] of [
    ['0', 2],
    ['6', 1],
    ['soon', 1],
  ] as const) {
    const { result, attempts } = climbing({ http: gives({ status: 429, headers: { 'retry-after': seconds } }) });
    assert.equal((await captureFailure(() => result)).code, 'target_blocked');
    assert.equal(attempts.length, tries, seconds);
  }
});

const HINT = /use proxy stealth or a larger timeout_ms/;

/** Free knows only `basic`; the strongest tier is reached when there is time for it. */
const TIMEOUTS: readonly (readonly [
  plan: string,
  proxy: string,
  tiers: readonly Tier[],
  timeoutMs: number,
  hint: boolean,
])[] = [
  ['Free', 'basic', BASIC, 10_000, false],
  ['Free', 'basic with ample time', BASIC, 30_000, false],
  ['paid', 'basic', BASIC, 10_000, false],
  ['paid', 'basic with ample time', BASIC, 90_000, false],
  ['paid', 'auto, strongest not reached', AUTO, 10_000, true],
  ['paid', 'auto, strongest reached', AUTO, 60_000, false],
  ['paid', 'stealth', STEALTH, 10_000, false],
  ['paid', 'stealth with ample time', STEALTH, 60_000, false],
];

for (const [plan, proxy, tiers, timeoutMs, hint] of TIMEOUTS) {
  test(`timeouts of all tiers on ${plan}, ${proxy}, are reported ${hint ? 'with' : 'without'} the hint`, async () => {
    let now = 0;
    const slow: Visit = () => {
      now += timeoutMs / 3;
      return Promise.reject(buildFailure('timeout', 'slow'));
    };
    const tierVisits = { http: slow, browser: slow, proxy: slow, proxy_browser: slow };
    const { result } = climbing(tierVisits, {
      tiers,
      timeoutMs,
      clock: clockAt(() => (tiers === AUTO && timeoutMs === 60_000 ? 0 : now)),
      proxiesInPlan: plan === 'paid',
    });
    const error = await captureFailure(() => result);
    assert.equal(error.code, 'timeout');
    assert.match(error.message, /larger timeout_ms/);
    assert.equal(HINT.test(error.message), hint);
  });
}

test('an instance without the strongest tier says so with the hint', async () => {
  const error = await captureFailure(() => climbing({ http: hangs }).result);
  assert.match(error.message, HINT);
  assert.match(error.message, /no tier browser \(set QUERN_CHROMIUM\), proxy \(set QUERN_PROXIES_DATACENTER\)/);
  assert.match(error.message, /proxy_browser \(set QUERN_PROXIES_RESIDENTIAL\)/);
});

test('a block combined with a timeout is a block', async () => {
  for (const tierVisits of [
    { http: blocks, browser: hangs },
    { http: hangs, browser: blocks },
  ]) {
    assert.equal((await captureFailure(() => climbing(tierVisits, { tiers: BASIC }).result)).code, 'target_blocked');
  }
});

test('a timeout combined with an unreachable target has the outcome of the last attempt', async () => {
  const error = await captureFailure(() => climbing({ http: hangs, browser: fails(buildUnreachable()) }).result);
  assert.equal(error.code, 'target_unreachable');
});

/** A page that broke off, by time or by its target. */
function breaksOff(outcome: 'timeout' | 'unusable', text: string): Visit {
  return async ({ url }) => {
    const warnings = [{ code: 'truncated', message: 'cut' }] as const;
    const partial = { ...buildPage({ url: url.href, body: text, headers: { 'content-type': 'text/html' } }), warnings };
    throw buildFailure(outcome, 'broke off', { partial, ...(outcome === 'unusable' ? { reason: 'protocol' } : {}) });
  };
}

test('a partial page is served only if no tier gets the whole page', async () => {
  const half = `<p>${'Rye and wheat. '.repeat(40)}</p>`;
  for (const outcome of ['timeout', 'unusable'] as const) {
    const http = breaksOff(outcome, half);
    for (const tierVisits of [{ http }, { http, browser: hangs }, { http, browser: fails(buildUnreachable()) }]) {
      const { page, tier } = await climbing(tierVisits, { tiers: BASIC }).result;
      assert.deepEqual([tier, page.warnings.map(({ code }) => code)], ['http', ['truncated']]);
      assert.equal(Buffer.from(page.body).toString(), half);
    }
    const { tier } = await climbing({ http, browser: gives() }, { tiers: BASIC }).result;
    assert.equal(tier, 'browser');
    const error = await captureFailure(() => climbing({ http, browser: blocks }, { tiers: BASIC }).result);
    assert.equal(error.code, 'target_blocked');
  }
});

test('a malformed response remains one, whatever a browser makes of it', async () => {
  const malformed = fails(buildFailure('unusable', 'no', { reason: 'protocol' }));
  for (const browser of [fails(buildUnreachable()), hangs]) {
    const { result, attempts } = climbing({ http: malformed, browser }, { tiers: BASIC });
    assert.equal((await captureFailure(() => result)).code, 'unusable_response');
    assert.equal(attempts.length, 2);
  }
});

test('every kind of block on the Free plan suggests a proxy tier', async () => {
  for (const visit of [
    blocks,
    gives({ status: 429 }),
    gives({ status: 403, headers: { 'cf-mitigated': 'challenge' } }),
  ]) {
    const error = await captureFailure(() => climbing({ http: visit }, { tiers: BASIC, proxiesInPlan: false }).result);
    assert.deepEqual([error.code, error.status, error.retryable], ['free_plan_proxy_required', 402, false]);
  }
});

test('a block is retryable only if some tier of this instance was not tried', async () => {
  const cases: readonly (readonly [FakeTiers, readonly Tier[], boolean])[] = [
    [{ http: blocks }, BASIC, false],
    [{ http: blocks }, AUTO, false],
    [{ http: blocks, proxy_browser: blocks }, BASIC, true],
    [{ http: blocks, proxy_browser: blocks }, AUTO, false],
  ];
  for (const [tierVisits, tiers, retryable] of cases) {
    const error = await captureFailure(() => climbing(tierVisits, { tiers }).result);
    assert.deepEqual([error.code, error.retryable], ['target_blocked', retryable]);
  }
});

test('stealth on an instance without that tier is backend_unavailable', async () => {
  const { result, attempts } = climbing({ http: gives() }, { tiers: STEALTH });
  const error = await captureFailure(() => result);
  assert.deepEqual([error.code, error.status], ['backend_unavailable', 503]);
  assert.match(error.message, /this instance has no tier proxy_browser/);
  assert.deepEqual(attempts, []);
});

const isUnable = fails(
  new ServiceError('backend_unavailable', 'country de: no proxy takes it', { cause: new TierUnsupported() }),
);

test('a tier that cannot serve the request is skipped, and does not count as an attempt', async () => {
  const PROXIES: readonly Tier[] = ['proxy', 'proxy_browser'];
  const { result, attempts, announced } = climbing({ proxy: isUnable, proxy_browser: gives() }, { tiers: PROXIES });
  assert.equal((await result).tier, 'proxy_browser');
  assert.deepEqual([walked(attempts), announced], [['proxy_browser ok'], ['proxy_browser']]);
});

test('if no tier can serve the request, the error has its reason and names the missing setting', async () => {
  for (const [tiers, message] of [
    [['proxy'], 'country de: no proxy takes it'],
    [
      ['proxy', 'proxy_browser'],
      'country de: no proxy takes it; this instance has no tier proxy_browser (set QUERN_PROXIES_RESIDENTIAL)',
    ],
  ] as const) {
    const error = await captureFailure(() => climbing({ proxy: isUnable }, { tiers }).result);
    assert.deepEqual([error.code, error.message], ['backend_unavailable', message]);
  }
});

test('an attempt ends with its share of the time', async () => {
  const clock = SYSTEM_CLOCK;
  const error = await captureFailure(
    () => climbing({ http: waits }, { timeoutMs: 350, clock, startedAt: clock.monotonic() }).result,
  );
  assert.equal(error.code, 'timeout');
});

test('an attempt that ended in time is reported even if the call time is up by then', async () => {
  const call = new AbortController();
  const late: Visit = () => {
    call.abort(new DOMException('time is up', 'TimeoutError'));
    return Promise.reject(buildFailure('timeout', 'slow'));
  };
  const { attempts, result } = climbing({ http: late }, { signal: call.signal });
  const error = await captureFailure(async () => result);
  assert.equal(error.code, 'timeout');
  assert.match(error.message, /^every access attempt timed out/);
  assert.deepEqual(
    attempts.map(({ outcome }) => outcome),
    ['timeout'],
  );
});

test('a disconnected caller ends the escalation with its own reason', async () => {
  const gone = new AbortController();
  const { result } = climbing({ http: waits }, { signal: gone.signal });
  gone.abort(new Error('gone'));
  await assert.rejects(result, /gone/);
});

test('an error that is not an outcome is not hidden', async () => {
  await assert.rejects(climbing({ http: fails(new TypeError('a bug')), browser: gives() }).result, /a bug/);
});

test('an app shell is passed to the browser', async () => {
  const asked: PageRequest[] = [];
  const browser: Visit = (request) => {
    asked.push(request);
    return Promise.resolve(buildPage({ body: FULL }));
  };
  const { result, attempts } = climbing({ http: isShell, browser, proxy: blocks, proxy_browser: blocks });
  const climbed = await result;
  assert.deepEqual([climbed.tier, listCodes(climbed)], ['browser', []]);
  assert.deepEqual(walked(attempts), ['http js_required', 'browser ok']);
  assert.equal(asked[0]?.previousOutcome, 'js_required');
  assert.equal(Buffer.from(asked[0]?.arrived?.body ?? []).toString(), SHELL);
});

test('after a block the browser starts without the blocked page', async () => {
  const asked: PageRequest[] = [];
  const browser: Visit = (request) => {
    asked.push(request);
    return Promise.resolve(buildPage());
  };
  await climbing({ http: blocks, browser }).result;
  assert.deepEqual([asked[0]?.previousOutcome, asked[0]?.arrived], ['blocked', undefined]);
});

test('an app shell that already has the requested content starts no browser', async () => {
  const asked: string[] = [];
  const suffices = (page: Page) => {
    asked.push(page.url);
    return Promise.resolve(true);
  };
  const climbed = await climbing({ http: isShell, browser: fails(new Error('not needed')) }, { isSufficient: suffices })
    .result;
  assert.deepEqual([climbed.tier, listCodes(climbed), asked], ['http', [], [ASKED.href]]);
});

test('an app shell without the requested content escalates', async () => {
  const browser = gives({ body: FULL });
  const { result } = climbing({ http: isShell, browser }, { isSufficient: () => Promise.resolve(false) });
  assert.equal((await result).tier, 'browser');
});

/** The outcomes after an app shell, and the warnings of its page. */
const MEAGRE: readonly (readonly [
  title: string,
  tierVisits: FakeTiers,
  warnings: readonly string[],
  walk: readonly string[],
])[] = [
  ['no browser', {}, ['thin_content', 'tier_unavailable'], []],
  ['a browser that timed out', { browser: hangs }, ['thin_content', 'partial_ladder'], ['browser timeout']],
  ['a browser that failed', { browser: breaks }, ['thin_content', 'partial_ladder'], ['browser render_failed']],
  [
    'blocks by every later tier',
    { browser: blocks, proxy: blocks, proxy_browser: blocks },
    ['thin_content', 'partial_ladder'],
    ['browser blocked', 'proxy blocked', 'proxy_browser blocked'],
  ],
];

for (const [title, tierVisits, warnings, walk] of MEAGRE) {
  test(`an app shell and ${title}: the shell is served, with its warnings`, async () => {
    const { result, attempts } = climbing({ http: isShell, ...tierVisits });
    const climbed = await result;
    assert.deepEqual([climbed.tier, listCodes(climbed)], ['http', warnings]);
    assert.deepEqual(walked(attempts), ['http js_required', ...walk]);
  });
}

test('the warning about a missing tier names its setting', async () => {
  const { page } = await climbing({ http: isShell }, { tiers: BASIC }).result;
  assert.match(page.warnings[1]?.message ?? '', /no tier browser \(set QUERN_CHROMIUM\)$/);
});

test('a rendered page with little text is served, and no more expensive tier is tried', async () => {
  const browser = gives({ body: SHELL.replace('<div', '<p>Four words of bread</p><div') });
  const { result, attempts } = climbing({ http: isShell, browser, proxy: blocks, proxy_browser: blocks });
  const climbed = await result;
  assert.deepEqual([climbed.tier, listCodes(climbed)], ['browser', ['thin_content']]);
  assert.deepEqual(walked(attempts), ['http js_required', 'browser thin']);
});

test('the available page is served if the next tier cannot be paid', async () => {
  const { result } = climbing(
    { http: isShell, browser: blocks, proxy: gives(), proxy_browser: gives() },
    {
      beforeTier: (tier) => (tier === 'browser' ? Promise.resolve() : refuses()),
    },
  );
  const climbed = await result;
  assert.deepEqual([climbed.tier, listCodes(climbed)], ['http', ['thin_content', 'partial_ladder']]);
});

test('a small page without scripts is served normally', async () => {
  const climbed = await climbing({ http: gives({ body: '<p>Closed today</p>' }), browser: blocks }).result;
  assert.deepEqual([climbed.tier, listCodes(climbed)], ['http', []]);
});

test('a failed proxy does not end an escalation that began with a block', async () => {
  const proxy = fails(buildFailure('proxy_error', 'the proxy is dead'));
  const { result, attempts } = climbing({ http: blocks, proxy, proxy_browser: gives() });
  assert.equal((await result).tier, 'proxy_browser');
  assert.deepEqual(walked(attempts), ['http blocked', 'proxy proxy_error', 'proxy_browser ok']);
});

test('if the last failure is internal, the error is backend_unavailable', async () => {
  const proxy = fails(buildFailure('proxy_error', 'the proxy is dead'));
  for (const [tierVisits, tiers] of [
    [{ http: blocks, proxy }, AUTO],
    [{ proxy_browser: proxy }, STEALTH],
    [{ http: blocks, browser: breaks }, BASIC],
  ] as const) {
    const error = await captureFailure(() => climbing(tierVisits, { tiers }).result);
    assert.deepEqual([error.code, error.retryable], ['backend_unavailable', true]);
  }
});

test('a failed rendering is retried once', async () => {
  const bodies = ['<div id="__next"></div>', FULL];
  const browser: Visit = () => Promise.resolve(buildPage({ body: bodies.shift() ?? '' }));
  const { result, attempts } = climbing({ http: blocks, browser });
  assert.equal((await result).tier, 'browser');
  assert.deepEqual(walked(attempts), ['http blocked', 'browser thin', 'browser ok']);
});

test('a page that its framework left empty is served, and hundreds of them do not disable the browser', async () => {
  const breakers = createBreakers({ clock: clockAt(() => 0) });
  for (let call = 0; call < 120; call += 1) {
    const browser = gives({ body: '<div id="__next"></div><script>1</script>' });
    const request = requestBy(call % 2 === 0 ? 'mill' : 'inn');
    const { result, attempts } = climbing({ browser }, { breakers, request });
    const climbed = await result;
    assert.deepEqual([climbed.tier, listCodes(climbed)], ['browser', ['thin_content']]);
    assert.deepEqual(walked(attempts), ['browser thin', 'browser thin']);
  }
  const { result } = climbing({ browser: gives({ body: FULL }) }, { breakers, request: requestBy('smithy') });
  assert.equal((await result).tier, 'browser');
});

test('the text before scripts is served if the framework then clears the page', async () => {
  const shell = SHELL.replace('<div', '<p>Four words of bread</p><div');
  const browser = gives({ body: '<div id="__next"></div><script>1</script>' });
  const climbed = await climbing({ http: gives({ body: shell }), browser }).result;
  assert.deepEqual([climbed.tier, listCodes(climbed)], ['http', ['thin_content', 'partial_ladder']]);
});

test('pages of one tenant that crash the browser disable it only for that tenant', async () => {
  const breakers = createBreakers({ clock: clockAt(() => 0) });
  const crash = fails(buildFailure('render_failed', 'the browser failed on this page', { reason: 'crash' }));
  for (let call = 0; call < 120; call += 1) {
    const request = requestBy('mill', `http://shop${call % 5}.test/`);
    await captureFailure(() => climbing({ browser: crash }, { breakers, request, tiers: BASIC }).result);
  }
  const again = climbing(
    { browser: gives() },
    { breakers, request: requestBy('mill', 'http://a.test/'), tiers: BASIC },
  );
  assert.match((await captureFailure(() => again.result)).message, /tier browser is currently failing/);
  const other = climbing({ browser: gives() }, { breakers, request: requestBy('inn', 'http://a.test/'), tiers: BASIC });
  assert.equal((await other.result).tier, 'browser');
});

test('a Retry-After date is relative to the clock of the target', async () => {
  const headers = { date: 'Sun, 22 Nov 2026 12:00:00 GMT', 'retry-after': 'Sun, 22 Nov 2026 12:00:00 GMT' };
  const soon = climbing({ http: gives({ status: 429, headers }) });
  const late = climbing({
    http: gives({ status: 429, headers: { ...headers, 'retry-after': 'Sun, 22 Nov 2026 13:00:00 GMT' } }),
  });
  await Promise.all([captureFailure(() => soon.result), captureFailure(() => late.result)]);
  assert.deepEqual([soon.attempts.length, late.attempts.length], [2, 1]);
});

test('a repeatedly failing tier is skipped, and the message says so', async () => {
  const breakers = createBreakers({ clock: clockAt(() => 0) });
  for (let call = 0; call < 50; call++) {
    const spent = { tier: 'browser', tenant: `tenant ${call % 2}`, host: 'mill.test' } as const;
    assert.ok(breakers.admits(spent));
    breakers.report(spent, 'render_failed');
  }
  const shell = await climbing({ http: isShell, browser: gives() }, { breakers }).result;
  assert.deepEqual([shell.tier, listCodes(shell)], ['http', ['thin_content', 'tier_unavailable']]);
  const { result, attempts } = climbing({ http: blocks, browser: gives() }, { breakers, tiers: BASIC });
  assert.match((await captureFailure(() => result)).message, /tier browser is currently failing/);
  assert.deepEqual(walked(attempts), ['http blocked']);
});

/** A memory of the host, and the clock that it reads. */
function remembering(highest: Tier = 'proxy_browser') {
  let now = 0;
  const memory = createHostMemory({ clock: clockAt(() => now) }).of('tenant', highest);
  return { memory, pass: (minutes: number) => (now += minutes * 60_000) };
}

test('a host that blocked is requested by the tier that succeeded, until that is long ago', async () => {
  const tierVisits = { http: blocks, browser: blocks, proxy: gives(), proxy_browser: gives() };
  const { memory, pass } = remembering();
  const first = climbing(tierVisits, { memory });
  await first.result;
  pass(359);
  const second = climbing(tierVisits, { memory });
  await second.result;
  pass(1);
  const third = climbing(tierVisits, { memory });
  await third.result;
  const all = ['http blocked', 'browser blocked', 'proxy ok'];
  assert.deepEqual(
    [first, second, third].map(({ attempts }) => walked(attempts)),
    [all, ['proxy ok'], all],
  );
  assert.deepEqual(second.announced, ['proxy']);
});

test('cookies that a browser earned at a host are sent by HTTP until they are rejected', async () => {
  const PASS: ChallengeCookies = {
    cookies: [{ name: 'pass', value: 'rye', domain: 'shop.test', hostOnly: true, path: '/', secure: true }],
    headers: {},
  };
  const memory = createHostMemory({ clock: clockAt(() => 0) }).of('tenant', 'proxy_browser');
  let takes = true;
  const tierVisits: FakeTiers = {
    http: async ({ challengeCookies }) => buildPage({ status: takes && challengeCookies === PASS ? 200 : 403 }),
    async browser({ storeChallengeCookies }) {
      storeChallengeCookies?.(PASS);
      return buildPage();
    },
  };
  const walk = async () => {
    const { result, attempts } = climbing(tierVisits, { memory, tiers: BASIC });
    await result;
    return walked(attempts);
  };
  assert.deepEqual(await walk(), ['http blocked', 'browser ok']);
  assert.deepEqual(await walk(), ['http ok']);
  takes = false;
  assert.deepEqual(await walk(), ['http blocked', 'browser ok']);
  assert.deepEqual(await walk(), ['browser ok']);
});

test('a remembered start tier that fails is forgotten', async () => {
  const { memory } = remembering();
  await climbing({ http: blocks, proxy: gives() }, { memory }).result;
  const second = climbing({ http: gives(), proxy: blocks }, { memory });
  await captureFailure(() => second.result);
  const third = climbing({ http: gives(), proxy: blocks }, { memory });
  assert.equal((await third.result).tier, 'http');
  assert.deepEqual(walked(second.attempts), ['proxy blocked']);
});

test('a remembered start tier never exceeds what the request allows', async () => {
  const { memory } = remembering();
  await climbing({ http: blocks, proxy: gives() }, { memory }).result;
  const { result, attempts } = climbing({ http: blocks, browser: gives() }, { memory, tiers: BASIC });
  await result;
  assert.deepEqual(walked(attempts), ['http blocked', 'browser ok']);
});

test('a crawl starts at most at the browser, and uses a paid tier only after the page was blocked', async () => {
  const { memory } = remembering('browser');
  const tierVisits = { http: blocks, browser: blocks, proxy: gives() };
  await climbing(tierVisits, { memory }).result;
  const { result, attempts } = climbing(tierVisits, { memory });
  await result;
  assert.deepEqual(walked(attempts), ['browser blocked', 'proxy ok']);
});

test('a page that needs scripts does not change the start tier of its host', async () => {
  const { memory } = remembering();
  await climbing({ http: isShell, browser: gives({ body: FULL }) }, { memory }).result;
  assert.equal(memory.findStart(ASKED), null);
});
