import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createChallengeCookieStore } from '#access/tiers/host-memory.ts';
import { DEFAULT_RENDER_OPTIONS, type ChallengeCookies, type PageRequest } from '#access/page.ts';
import { driveClock } from '#support/clock.ts';

const PASS: ChallengeCookies = { cookies: [buildCookie('rye')], headers: { 'user-agent': 'Mill/1' } };
const ASKED: PageRequest = { url: new URL('https://shop.test/stones/7'), headers: {}, cookies: [] };

function buildCookie(value: string) {
  return { name: 'pass', value, domain: 'shop.test', hostOnly: true, path: '/', secure: true };
}

function open() {
  const clock = driveClock();
  const clearances = createChallengeCookieStore({ clock });
  return { clock, clearances, mine: clearances.of('mine') };
}

test('challenge cookies are sent for half an hour, to the same host, by the same tenant and device', async () => {
  const { clock, clearances, mine } = open();
  mine.store(ASKED, PASS);
  assert.deepEqual(mine.find({ ...ASKED, url: new URL('https://shop.test/other') }), PASS);
  for (const other of [
    { ...ASKED, url: new URL('https://www.shop.test/stones/7') },
    { ...ASKED, url: new URL('https://shop.test:8443/stones/7') },
    { ...ASKED, browser: { ...DEFAULT_RENDER_OPTIONS, device: 'mobile' as const } },
  ])
    assert.equal(mine.find(other), null);
  assert.equal(clearances.of('yours').find(ASKED), null);
  await clock.advance(29 * 60_000);
  assert.deepEqual(mine.find(ASKED), PASS);
  await clock.advance(60_000);
  assert.equal(mine.find(ASKED), null);
});

test('a visit with its own headers or cookies neither stores nor sends challenge cookies', () => {
  const { mine } = open();
  for (const own of [
    { ...ASKED, headers: { authorization: 'Bearer x' } },
    { ...ASKED, cookies: [{ name: 'session', value: 'x' }] },
  ]) {
    mine.store(own, PASS);
    assert.equal(mine.find(ASKED), null);
  }
  mine.store(ASKED, PASS);
  assert.equal(mine.find({ ...ASKED, cookies: [{ name: 'session', value: 'x' }] }), null);
});

test('cookies that a host rejected are not earned again within their lifetime', async () => {
  const { clock, mine } = open();
  mine.store(ASKED, PASS);
  mine.refuse(ASKED);
  mine.store(ASKED, PASS);
  assert.equal(mine.find(ASKED), null);
  await clock.advance(30 * 60_000);
  mine.store(ASKED, PASS);
  assert.deepEqual(mine.find(ASKED), PASS);
});

test('empty, numerous or large cookies are not stored, and neither are those of too many hosts', () => {
  const { mine } = open();
  for (const cookies of [[], Array.from({ length: 51 }, () => buildCookie('x')), [buildCookie('x'.repeat(8_192))]]) {
    mine.store(ASKED, { ...PASS, cookies });
    assert.equal(mine.find(ASKED), null);
  }
  mine.store(ASKED, PASS);
  for (let n = 0; n < 1_000; n += 1) mine.store({ ...ASKED, url: new URL(`https://${n}.test/`) }, PASS);
  assert.equal(mine.find(ASKED), null);
});
