import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { after, before, suite, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { listAt, textAt } from '#support/members.ts';
import { startHttpServer } from '#testkit/servers.ts';
import { openWorld, type World } from '#support/world.ts';

const FORBIDS = 'User-agent: *\nDisallow: /shut\n\nUser-agent: Quern\nDisallow: /closed';
const KIB = 1024;

type Says = (response: ServerResponse, url: string) => void;

/** Sites that differ in their response for robots.txt; each has its own origin. */
const SITES = {
  forbidding: (response) => void response.end(FORBIDS),
  silent: (response) => void response.writeHead(404).end('none'),
  failing: (response) => void response.writeHead(503).end('away'),
  moved: (response, url) =>
    void (url === '/robots.txt' ? response.writeHead(301, { location: '/rules/1' }).end() : response.end(FORBIDS)),
  circling: (response) => void response.writeHead(302, { location: '/rules/again' }).end(),
  lost: (response) => void response.writeHead(302).end(),
  // The rule after the comment is within the bytes that are read, the one after the padding is not.
  huge: (response) =>
    void response.end(
      `User-agent: *\n${'# mill\n'.repeat(50 * KIB)}Disallow: /closed\n${'# rye\n'.repeat(50 * KIB)}Disallow: /late`,
    ),
  slow: (response) => void wait(20_000, null, { ref: false }).then(() => response.end(FORBIDS)),
} as const satisfies Readonly<Record<string, Says>>;

type SiteName = keyof typeof SITES;

let world: World;
const origins = new Map<string, string>();
const asked: string[] = [];
const closing = new AsyncDisposableStack();

function isAboutRobots(url: string): boolean {
  return url === '/robots.txt' || url.startsWith('/rules/');
}

function getOrigin(name: SiteName): string {
  return origins.get(name) ?? '';
}

async function open(name: string, says: Says): Promise<void> {
  const site = await startHttpServer(({ url = '/' }, response) => {
    asked.push(`${name} ${url}`);
    if (isAboutRobots(url)) return says(response, url);
    const to = new URL(url, 'http://mill.example').searchParams.get('to');
    if (to !== null) return void response.writeHead(302, { location: to }).end();
    return void response.writeHead(200, { 'content-type': 'text/html' }).end(`<h1>${url}</h1>`);
  });
  closing.use(site);
  origins.set(name, site.origin);
}

before(async () => {
  for (const [name, says] of Object.entries(SITES)) await open(name, says);
  const allowed = [...origins.values()].map((origin) => new URL(origin).host);
  world = await openWorld({ QUERN_ALLOW_TARGETS: allowed.join(',') });
});
after(async () => {
  await world.close();
  await closing.disposeAsync();
});

const POLITE = { respect_robots: true };

suite('respect_robots: true', () => {
  test('a URL that robots.txt forbids fails as target_blocked, costs nothing and is not requested', async () => {
    const url = `${getOrigin('forbidding')}/closed/a?b`;
    const { status, headers, body } = await world.fetch(url, POLITE);
    assert.deepEqual([status, textAt(body, 'error.code')], [502, 'target_blocked']);
    assert.match(textAt(body, 'error.message'), /robots\.txt of 127\.0\.0\.1:\d+ forbids Quern/);
    assert.deepEqual(body['diagnostics'], { outcome: 'failed', retryable: false, blocked: true });
    assert.equal(headers.get('x-credits-used'), '0');
    assert.ok(!asked.includes('forbidding /closed/a?b'));
  });

  test('URLs that are allowed, or forbidden only to other crawlers, are fetched', async () => {
    for (const path of ['/shut', '/']) {
      assert.equal((await world.fetch(getOrigin('forbidding') + path, POLITE)).status, 200);
    }
  });

  test('without respect_robots, or with false, robots.txt is not requested', async () => {
    const earlier = asked.length;
    for (const options of [{}, { respect_robots: false }]) {
      assert.equal((await world.fetch(`${getOrigin('forbidding')}/closed`, options)).status, 200);
    }
    assert.deepEqual(asked.slice(earlier), ['forbidding /closed', 'forbidding /closed']);
  });

  test('fetches and crawls share one request for the robots.txt of a site', async () => {
    const origin = getOrigin('forbidding');
    const { body } = await world.call('/v1/crawl', { url: `${origin}/closed`, delay_ms: 0 });
    assert.equal(textAt(body, 'stop_reason'), 'robots');
    await world.fetch(`${origin}/`, POLITE);
    assert.equal(asked.filter((one) => one === 'forbidding /robots.txt').length, 1);
  });

  test('a site without robots.txt, or with a robots.txt redirect that leads nowhere, allows everything', async () => {
    for (const name of ['silent', 'circling', 'lost'] as const) {
      assert.equal((await world.fetch(`${getOrigin(name)}/closed`, POLITE)).status, 200, name);
    }
  });

  test('a robots.txt that returns a server error temporarily forbids everything', async () => {
    const { status, body } = await world.fetch(`${getOrigin('failing')}/`, POLITE);
    assert.deepEqual([status, textAt(body, 'error.code')], [502, 'target_unreachable']);
    assert.deepEqual(body['diagnostics'], { outcome: 'failed', retryable: true });
    assert.match(textAt(body, 'error.message'), /^http:\/\/127\.0\.0\.1:\d+\/robots\.txt answered 503/);
    assert.equal(asked.filter((one) => one === 'failing /robots.txt').length, 2);
  });

  test('a redirect of robots.txt is followed', async () => {
    assert.equal((await world.fetch(`${getOrigin('moved')}/closed`, POLITE)).status, 502);
    assert.equal((await world.fetch(`${getOrigin('moved')}/`, POLITE)).status, 200);
  });

  test('only the first 500 KiB of robots.txt are read', async () => {
    assert.equal((await world.fetch(`${getOrigin('huge')}/closed`, POLITE)).status, 502);
    assert.equal((await world.fetch(`${getOrigin('huge')}/late`, POLITE)).status, 200);
  });

  test('a slow robots.txt counts toward the timeout of the call', async () => {
    const { status, body } = await world.fetch(`${getOrigin('slow')}/`, { ...POLITE, timeout_ms: 2500 });
    assert.deepEqual([status, textAt(body, 'error.code')], [504, 'timeout']);
    assert.match(textAt(body, 'error.message'), /robots\.txt/);
    assert.ok(!asked.includes('slow /'));
  });

  test('a redirect is followed only if the robots.txt of its target site allows it', async () => {
    const forbidden = `${getOrigin('forbidding')}/closed`;
    const { status, body } = await world.fetch(`${getOrigin('silent')}/?to=${forbidden}/gate`, POLITE);
    assert.deepEqual([status, textAt(body, 'error.code')], [502, 'target_blocked']);
    assert.ok(!asked.includes('forbidding /closed/gate'));
    const home = await world.fetch(`${getOrigin('silent')}/?to=${getOrigin('forbidding')}/`, POLITE);
    assert.deepEqual([home.status, home.body['final_url']], [200, `${getOrigin('forbidding')}/`]);
    assert.equal((await world.fetch(`${getOrigin('silent')}/?to=${forbidden}/gate`)).status, 200);
  });

  test('a crawl skips a redirect whose target robots.txt forbids', async () => {
    const origin = getOrigin('forbidding');
    const { body } = await world.call('/v1/crawl', { urls: [`${origin}/?to=/closed/x`, `${origin}/y`], delay_ms: 0 });
    assert.equal(listAt(body, 'pages').length, 1);
    assert.ok(!asked.includes('forbidding /closed/x'));
  });

  test('robots.txt also applies to cached pages', async () => {
    const url = `${getOrigin('forbidding')}/closed/cached`;
    assert.equal((await world.fetch(url)).status, 200);
    assert.equal((await world.fetch(url, { ...POLITE, max_age_ms: 60_000 })).status, 502);
  });
});
