import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getPath, toArray } from '#extract/values/raw.ts';
import {
  SKIP_RECORDED,
  findEndpoint,
  readAnswer,
  findReading,
  findRecord,
  findRefusal,
} from '#testkit/sites/recorded-pages.ts';

const skip = SKIP_RECORDED;
const WEB = 'https://www.pinterest.com';

test('parses the recorded pins of a search with their pictures, boards and times', { skip }, () => {
  const results = toArray(findRecord('pinboard.search', 'BaseSearchResource-obj2.js')['results']);
  const [first] = results;
  assert.partialDeepStrictEqual(first, {
    id: '1125968647761564',
    url: `${WEB}/pin/1125968647761564/`,
    title: 'How to Make a Narcissist Miserable: 12 Things They Hate - Kim Saeed: Narcissistic Abuse Recovery Pro',
    link: 'https://kimsaeed.com/2020/08/12/how-to-make-a-narcissist-miserable-12-things-they-hate/',
    domain: 'kimsaeed.com',
    created_at: '2021-04-04T05:43:58.000Z',
    dominant_color: '#d5b38d',
    is_video: false,
    is_promoted: false,
    image_url: 'https://i.pinimg.com/originals/25/04/2f/25042f03473dbb11189c28f71c6d15da.jpg',
    video: null,
    carousel: null,
    pinner: { id: '1126106065277505', followers: 246 },
    board: { name: 'Juicing' },
    stats: { reactions: 664 },
  });
  assert.partialDeepStrictEqual(
    toArray(getPath(first, 'images')).find((one) => getPath(one, 'size') === 'orig'),
    { width: 1000, height: 1500 },
  );
  assert.equal(new Set(results.map((one) => getPath(one, 'id'))).size, results.length);
});

test('rejects a recorded answer that is truncated or of another list', { skip }, () => {
  const { read, order } = findReading('pinboard.search', 'BaseSearchResource-obj2.js');
  const body = read.body.slice(0, Math.floor(read.body.length / 2));
  assert.equal(readAnswer('pinboard.search', { search: 'pins' }, { body, url: order.page.url }).kind, 'unusable');
  assert.equal(
    readAnswer('pinboard.pins', { username: 'miller', type: 'saved' }, { body: read.body, url: order.page.url }).kind,
    'unusable',
  );
});

test('the pins of an account are complete without times, because its lists have none', () => {
  assert.equal(findEndpoint('pinboard.pins').expected.includes('pins.created_at'), false);
});

test('accepts each kind of supported address, and rejects others with their kind', () => {
  for (const path of ['/miller/', '/miller/_created/', '/miller/_saved/'])
    for (const id of ['pinboard.profile', 'pinboard.pins'] as const)
      assert.equal(findRefusal(id, { url: `${WEB}${path}` }), null, path);
  for (const path of ['/pin/1125968647761564/', '/pin/the-mill--1125968647761564/'])
    assert.equal(findRefusal('pinboard.pin', { url: `${WEB}${path}` }), null, path);
  assert.equal(findRefusal('pinboard.pin', { url: 'https://pin.it/AbCdEfG' }), null);
  for (const [path, kind] of [
    ['/pin/1125968647761564/', 'a pin'],
    ['/miller/bread/', 'a board'],
    ['/search/pins/?q=mill', 'a search'],
    ['/ideas/bread/123456789/', 'a topic'],
  ] as const)
    for (const [id, wanted] of [
      ['pinboard.profile', 'an account'],
      ['pinboard.pin', 'a pin'],
    ] as const)
      if (kind !== wanted)
        assert.equal(
          findRefusal(id, { url: `${WEB}${path}` }),
          `url: is the address of ${kind}, not of ${wanted}`,
          path,
        );
});
