import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { getPath, toArray } from '#extract/values/raw.ts';
import { SKIP_RECORDED, readAnswer, findRecord, findRefusal } from '#testkit/sites/recorded-pages.ts';

const skip = SKIP_RECORDED;
const WEB = 'https://www.tiktok.com';

test('parses the exact counts of a recorded profile', { skip }, () => {
  assert.partialDeepStrictEqual(findRecord('shortvideo.profile', 'ms_tiktok_profile.html'), {
    profile: {
      id: '6781206617314018309',
      username: 'illojuan',
      name: 'IlloJuan',
      url: `${WEB}/@illojuan`,
      description: 'Timing, saludos desde Almería',
      website: 'https://twitch.tv/illojuan',
      verified: true,
      is_private: false,
      language: 'es',
      followers: 783_427,
      following: 0,
      like_count: 3_922_256,
      video_count: 19,
      created_at: '2020-01-12T23:49:23.000Z',
    },
  });
});

test('parses sound and counts of a recorded video', { skip }, () => {
  const video = getPath(findRecord('shortvideo.video', 'ms_tiktok_video.html'), 'video');
  assert.partialDeepStrictEqual(video, {
    id: '7571863205253778710',
    url: `${WEB}/@illojuan/video/7571863205253778710`,
    type: 'video',
    author: { username: 'illojuan', name: 'IlloJuan', verified: true },
    created_at: '2025-11-12T15:36:28.000Z',
    duration_ms: 64_000,
    width: 576,
    height: 1024,
    music: {
      id: '7571863209596881686',
      title: 'original sound - IlloJuan',
      author: 'IlloJuan',
      duration_ms: 64_000,
      is_original: true,
    },
    view_count: 192_100,
    like_count: 25_500,
    comment_count: 146,
    share_count: 2156,
    save_count: 1311,
    language: 'es',
    country: 'ES',
    is_ad: false,
  });
  assert.deepEqual(toArray(getPath(video, 'images')), []);
});

test('parses a recorded excerpt of comments', { skip }, () => {
  const file = 'scrapfly_parsed_tiktok-scraper_comments.json';
  const path = join(process.env['QUERN_CORPUS'] ?? '', 'sites/short-video/comments', file);
  const excerpt = toArray(JSON.parse(readFileSync(path, 'utf8')));
  const text = JSON.stringify({ status_code: 0, has_more: 0, comments: excerpt });
  const url = `${WEB}/@_/video/7198206283571285294`;
  const captures = [{ name: 'comments', text }];
  const verdict = readAnswer('shortvideo.comments', { url }, { body: buildTagPage({}), url, captures });
  const comments = toArray(getPath(verdict, 'record', 'comments'));
  assert.equal(comments.length, 20);
  assert.partialDeepStrictEqual(comments.slice(0, 2), [
    {
      id: '7198708872234664710',
      video_id: '7198206283571285294',
      text: 'Why do u have them',
      created_at: '2023-02-11T01:47:18.000Z',
      language: 'en',
      like_count: 3252,
      reply_count: 10,
      is_pinned: false,
    },
    { id: '7199638782328587010', created_at: '2023-02-13T13:55:59.000Z', like_count: 111, reply_count: 2 },
  ]);
  const other = `${WEB}/@_/video/7198206283571285295`;
  assert.equal(
    readAnswer('shortvideo.comments', { url: other }, { body: buildTagPage({}), url: other, captures }).kind,
    'unusable',
  );
});

const TAG = `${WEB}/tag/nosuchtag`;
const EMPTY_ANSWER = { name: 'videos', text: '{"statusCode":0,"itemList":[],"hasMore":false}' };

function buildTagPage(scope: object, shown = ''): string {
  const data = JSON.stringify({ __DEFAULT_SCOPE__: scope });
  return `<!doctype html><html><body><div id="app">${shown}</div><script id="__UNIVERSAL_DATA_FOR_REHYDRATION__" type="application/json">${data}</script></body></html>`;
}

test('an unknown hashtag is not found, whichever way the site reports it', () => {
  const input = { hashtag: 'nosuchtag' };
  const pages = [
    { body: buildTagPage({ 'webapp.challenge-detail': { statusCode: 10_202 } }) },
    { body: buildTagPage({ 'webapp.challenge-detail': { statusCode: 0, challengeInfo: {} } }) },
    {
      body: buildTagPage({ 'webapp.challenge-detail': { statusCode: 0, challengeInfo: {} } }),
      captures: [EMPTY_ANSWER],
    },
    { body: buildTagPage({}), captures: [{ name: 'detail', text: '{"statusCode":10205}' }] },
    { body: buildTagPage({}, '<h2>Couldn’t find this hashtag</h2>') },
  ];
  for (const page of pages)
    assert.deepEqual(readAnswer('shortvideo.hashtag', input, { ...page, url: TAG }), {
      kind: 'not_found',
      reason: 'there is no such hashtag',
      isFinal: true,
    });
});

test('a known hashtag without videos is empty, or unusable if its list was not loaded', () => {
  const known = { statusCode: 0, challengeInfo: { challenge: { id: '88', title: 'nosuchtag' } } };
  const body = buildTagPage({ 'webapp.challenge-detail': known });
  const input = { hashtag: 'nosuchtag' };
  assert.partialDeepStrictEqual(readAnswer('shortvideo.hashtag', input, { body, url: TAG, captures: [EMPTY_ANSWER] }), {
    kind: 'record',
    record: { videos: [] },
  });
  assert.equal(readAnswer('shortvideo.hashtag', input, { body, url: TAG }).kind, 'unusable');
  assert.equal(readAnswer('shortvideo.hashtag', input, { body: buildTagPage({}), url: TAG }).kind, 'unusable');
});

test('accepts each kind of supported address, and rejects others with their kind', () => {
  const read = [
    ['shortvideo.video', '/@miller/video/7571863205253778710'],
    ['shortvideo.video', '/@miller/photo/7571863205253778710'],
    ['shortvideo.video', '/v/7571863205253778710.html'],
    ['shortvideo.comments', '/@miller/video/7571863205253778710'],
    ['shortvideo.profile', '/@miller'],
    ['shortvideo.videos', '/@miller'],
    ['shortvideo.hashtag', '/tag/flour'],
  ] as const;
  for (const [id, path] of read) assert.equal(findRefusal(id, { url: `${WEB}${path}` }), null, `${id} ${path}`);
  for (const [id, wanted] of [
    ['shortvideo.video', 'a video'],
    ['shortvideo.profile', 'a profile'],
    ['shortvideo.hashtag', 'a hashtag'],
  ] as const)
    for (const [path, kind] of [
      ['/@miller', 'a profile'],
      ['/tag/flour', 'a hashtag'],
      ['/music/the-wheel-7571863209596881686', 'a sound'],
      ['/discover/flour', 'a search'],
      ['/t/ZTAbCdEfG/', 'what somebody shares'],
    ] as const)
      if (kind !== wanted)
        assert.equal(findRefusal(id, { url: `${WEB}${path}` }), `url: is the address of ${kind}, not of ${wanted}`);
});
