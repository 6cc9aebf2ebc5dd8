import assert from 'node:assert/strict';
import test from 'node:test';
import { adaptProfile, DESKTOP_PROFILE, identifyProfile } from '#access/http/browser-headers.ts';

const getField = (profile: typeof DESKTOP_PROFILE, field: string): string =>
  profile.find(([name]) => name === field)?.[1] ?? '';

test('a mobile profile has the same headers in the same order, and identifies as mobile', () => {
  const phone = adaptProfile(DESKTOP_PROFILE, { device: 'mobile', locale: null });
  assert.deepEqual(
    phone.map(([name]) => name),
    DESKTOP_PROFILE.map(([name]) => name),
  );
  assert.equal(getField(phone, 'sec-ch-ua-mobile'), '?1');
  assert.equal(getField(phone, 'sec-ch-ua-platform'), '"Android"');
  assert.match(getField(phone, 'User-Agent'), /\(Linux; Android 10; K\).*Chrome\/\d+\.0\.0\.0 Mobile Safari\//);
  assert.equal(getField(phone, 'Accept-Language'), getField(DESKTOP_PROFILE, 'Accept-Language'));
});

test('a locale is sent with its base language, and no other header changes', () => {
  const other = adaptProfile(DESKTOP_PROFILE, { device: 'desktop', locale: 'de-AT' });
  assert.equal(getField(other, 'Accept-Language'), 'de-AT,de;q=0.9');
  assert.equal(getField(adaptProfile(DESKTOP_PROFILE, { device: 'desktop', locale: 'de' }), 'Accept-Language'), 'de');
  const changed = other.filter(([, value], at) => value !== DESKTOP_PROFILE[at]?.[1]).map(([name]) => name);
  assert.deepEqual(changed, ['Accept-Language']);
  assert.equal(adaptProfile(DESKTOP_PROFILE, undefined), DESKTOP_PROFILE);
});

test('an identified crawler identifies itself on mobile too', () => {
  const crawler = identifyProfile(DESKTOP_PROFILE, { userAgent: null, mark: 'Quern/1.0' });
  assert.match(
    getField(adaptProfile(crawler, { device: 'mobile', locale: null }), 'User-Agent'),
    /Android.*Quern\/1\.0$/,
  );
  const own = identifyProfile(DESKTOP_PROFILE, { userAgent: 'Mill', mark: '' });
  assert.equal(getField(adaptProfile(own, { device: 'mobile', locale: null }), 'User-Agent'), 'Mill');
});
