import assert from 'node:assert/strict';
import test from 'node:test';
import { classify } from '#access/classify/classifier.ts';
import type { Page } from '#access/page.ts';

type Answer = {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly url?: string;
  readonly bytes?: number;
};

const ASKED = new URL('https://shop.test/stones/7');

function judged({ status, headers = {}, url = ASKED.href, bytes = 500 }: Answer) {
  const page: Page = {
    url,
    status,
    headers,
    contentType: 'text/html',
    body: new Uint8Array(bytes),
    wireBytes: bytes,
    warnings: [],
  };
  return classifyPage(page, ASKED);
}

/** The verdict without its counts. */
function classifyPage(page: Page, requested: URL) {
  const { outcome, reason } = classify(page, { requested, rendered: false });
  return reason === undefined ? { outcome } : { outcome, reason };
}

/** The evidence, its verdict, and a similar page with a different verdict. */
const ROWS: readonly (readonly [title: string, is: Answer, expected: ReturnType<typeof classifyPage>, not: Answer])[] =
  [
    [
      'a Cloudflare challenge',
      { status: 403, headers: { 'cf-mitigated': 'challenge' } },
      { outcome: 'challenge', reason: 'cloudflare' },
      { status: 200, headers: { server: 'cloudflare', 'cf-ray': '8-FRA' } },
    ],
    [
      'a Cloudflare block',
      { status: 403, headers: { 'cf-mitigated': 'block' } },
      { outcome: 'blocked', reason: 'cloudflare' },
      { status: 200, headers: { 'cf-mitigated': 'none' } },
    ],
    [
      'a refresh in a header',
      { status: 200, headers: { refresh: '1; url=/stones' } },
      { outcome: 'js_required' },
      { status: 200, headers: { refresh: '300; url=/stones' } },
    ],
    [
      'an AWS challenge',
      { status: 202, headers: { 'x-amzn-waf-action': 'challenge' }, bytes: 0 },
      { outcome: 'challenge', reason: 'aws_waf' },
      { status: 202, bytes: 0 },
    ],
    [
      'an AWS captcha',
      { status: 405, headers: { 'x-amzn-waf-action': 'captcha' } },
      { outcome: 'challenge', reason: 'aws_waf' },
      { status: 405 },
    ],
    [
      'Kasada',
      { status: 429, headers: { 'x-kpsdk-ct': 'abc' } },
      { outcome: 'challenge', reason: 'kasada' },
      { status: 200, headers: { 'x-kpsdk-ct': 'abc' } },
    ],
    [
      'Kasada’s start header',
      { status: 403, headers: { 'x-kpsdk-st': '1' } },
      { outcome: 'challenge', reason: 'kasada' },
      { status: 200, headers: { 'x-kpsdk-st': '1' } },
    ],
    ['too many requests', { status: 429 }, { outcome: 'rate_limited' }, { status: 420 }],
    [
      'DataDome',
      { status: 403, headers: { 'x-datadome': 'protected' } },
      { outcome: 'blocked', reason: 'datadome' },
      { status: 200, headers: { 'x-datadome': 'protected' } },
    ],
    [
      'DataDome’s second header',
      { status: 403, headers: { 'x-dd-b': '1' } },
      { outcome: 'blocked', reason: 'datadome' },
      { status: 200, headers: { 'x-dd-b': '1' } },
    ],
    [
      'DataDome’s cookie',
      { status: 403, headers: { 'set-cookie': 'a=1; Path=/, datadome=xyz; Path=/' } },
      { outcome: 'blocked', reason: 'datadome' },
      { status: 200, headers: { 'set-cookie': 'datadome=xyz' } },
    ],
    [
      'Akamai',
      { status: 403, headers: { server: 'AkamaiGHost' } },
      { outcome: 'blocked', reason: 'akamai' },
      { status: 200, headers: { server: 'AkamaiGHost', 'set-cookie': '_abck=1' } },
    ],
    [
      'Imperva',
      { status: 503, headers: { 'x-iinfo': '1-2-3' } },
      { outcome: 'blocked', reason: 'imperva' },
      { status: 503, headers: { 'x-iinfo': '1-2-3' }, bytes: 20_000 },
    ],
    [
      'Imperva’s CDN header',
      { status: 403, headers: { 'x-cdn': 'Imperva' } },
      { outcome: 'blocked', reason: 'imperva' },
      { status: 200, headers: { 'x-cdn': 'Imperva', 'set-cookie': 'incap_ses_1=2' } },
    ],
    [
      'Sucuri',
      { status: 403, headers: { 'x-sucuri-id': '1' } },
      { outcome: 'blocked', reason: 'sucuri' },
      { status: 200, headers: { 'x-sucuri-id': '1' } },
    ],
    [
      'a Sucuri block',
      { status: 403, headers: { 'x-sucuri-block': 'BRF' } },
      { outcome: 'blocked', reason: 'sucuri' },
      { status: 404, headers: { 'x-sucuri-block': 'BRF' } },
    ],
    [
      'a Vercel challenge',
      { status: 429, headers: { 'x-vercel-mitigated': 'challenge' } },
      { outcome: 'challenge', reason: 'vercel' },
      { status: 200, headers: { 'x-vercel-mitigated': 'challenge' } },
    ],
    [
      'a redirect to a login',
      { status: 200, url: 'https://shop.test/login?next=%2Fstones%2F7' },
      { outcome: 'auth_required' },
      { status: 200, url: 'https://shop.test/articles/login-pages' },
    ],
    ['status 999', { status: 999 }, { outcome: 'blocked' }, { status: 599 }],
    ['a bare 403', { status: 403 }, { outcome: 'blocked' }, { status: 400 }],
    [
      'a login',
      { status: 401, headers: { 'www-authenticate': 'Basic' } },
      { outcome: 'auth_required' },
      { status: 401 },
    ],
    ['a legal block', { status: 451 }, { outcome: 'geo_or_legal' }, { status: 450 }],
    ['a missing page', { status: 404 }, { outcome: 'not_found' }, { status: 406 }],
    ['a page with status 410', { status: 410 }, { outcome: 'not_found' }, { status: 409 }],
    [
      'Cloudflare’s challenge path',
      { status: 200, url: 'https://shop.test/cdn-cgi/challenge-platform/h/b' },
      { outcome: 'challenge', reason: 'cloudflare' },
      { status: 200, url: 'https://shop.test/cdn-cgi/image/1' },
    ],
    [
      'Radware',
      { status: 200, url: 'https://validate.perfdrive.com/x' },
      { outcome: 'challenge', reason: 'radware' },
      { status: 200, url: 'https://perfdrive.com/x' },
    ],
    [
      'a waiting room',
      { status: 200, url: 'https://shop.queue-it.net/?c=1' },
      { outcome: 'challenge', reason: 'queue_it' },
      { status: 200, url: 'https://shop.test/queue-it.net/' },
    ],
    [
      'Google’s sorry page',
      { status: 200, url: 'https://www.google.test/sorry/index?x=1' },
      { outcome: 'challenge', reason: 'google' },
      { status: 200, url: 'https://shop.test/sorry-we-are-closed' },
    ],
    [
      'Alibaba',
      { status: 200, url: 'https://shop.test/_____tmd_____/punish?x=1' },
      { outcome: 'challenge', reason: 'alibaba' },
      { status: 200, url: 'https://shop.test/punish' },
    ],
    [
      'DataDome’s captcha host',
      { status: 200, url: 'https://geo.captcha-delivery.com/captcha/' },
      { outcome: 'challenge', reason: 'datadome' },
      { status: 200, url: 'https://captcha-delivery.example/' },
    ],
    [
      'Amazon’s captcha page',
      { status: 200, url: 'https://shop.test/errors/validateCaptcha' },
      { outcome: 'challenge', reason: 'amazon' },
      { status: 200, url: 'https://shop.test/errors/404' },
    ],
    [
      'a captcha path',
      { status: 200, url: 'https://shop.test/px/captcha/?a=1' },
      { outcome: 'challenge', reason: 'captcha' },
      { status: 200, url: 'https://shop.test/articles/captcha/' },
    ],
    ['a server error', { status: 503, headers: { 'retry-after': '60' } }, { outcome: 'http_error' }, { status: 304 }],
    [
      'a dead origin behind Cloudflare',
      { status: 522, headers: { server: 'cloudflare' } },
      { outcome: 'http_error' },
      { status: 200, headers: { server: 'cloudflare' } },
    ],
    ['a page', { status: 200 }, { outcome: 'ok' }, { status: 500 }],
  ];

for (const [title, is, expected, not] of ROWS) {
  test(`${title} is distinguished from what resembles it`, () => {
    assert.deepEqual(judged(is), expected);
    assert.notDeepEqual(judged(not), expected);
  });
}

test('a page requested by the URL of a captcha is not a redirect to one', () => {
  const asked = new URL('https://shop.test/captcha/');
  const page: Page = {
    url: asked.href,
    status: 200,
    headers: {},
    contentType: '',
    body: new Uint8Array(9),
    wireBytes: 9,
    warnings: [],
  };
  assert.deepEqual(classifyPage(page, asked), { outcome: 'ok' });
});
