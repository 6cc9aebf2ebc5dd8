import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getPath, toArray } from '#extract/values/raw.ts';
import { listRecordings } from '#testkit/sites/corpus.ts';
import { SKIP_RECORDED, readAnswer, findReading, findRecord, findRefusal } from '#testkit/sites/recorded-pages.ts';

const skip = SKIP_RECORDED;
const WEB = 'https://www.youtube.com';

test('parses channel, times and counts of a recorded watch page', { skip }, () => {
  const video = getPath(findRecord('video.videos', 'ms_youtube-video.html'), 'video');
  assert.partialDeepStrictEqual(video, {
    id: 'hwMkbaS_M_c',
    url: `${WEB}/watch?v=hwMkbaS_M_c`,
    channel: { id: 'UCzcRQ3vRNr6fJ1A9rqFn7QA', name: 'ONE Media', handle: '@OneMedia.', subscriber_count: 4_690_000 },
    published_at: '2017-04-14T16:02:38.000Z',
    duration_ms: 142_000,
    view_count: 1_077_715,
    category: 'Film & Animation',
    is_live: false,
    is_unlisted: false,
    is_family_safe: true,
    availability: 'public',
  });
  assert.equal(toArray(getPath(video, 'tags')).length, 10);
  assert.equal(toArray(getPath(video, 'thumbnails')).length > 0, true);
});

test('a recorded player response gives the same fields as the watch page', { skip }, () => {
  const video = getPath(findRecord('video.videos', 'np_cclicensed_7.json'), 'video');
  assert.partialDeepStrictEqual(video, {
    id: 'M4gD1WSo5mA',
    title: 'William Fisher, CopyrightX: Lecture 3.2, The Subject Matter of Copyright: Drama and choreography',
    channel: { id: 'UCuLGmD72gJDBwmLw06X58SA', name: 'The Berkman Klein Center for Internet & Society' },
    published_at: '2015-01-28T05:14:36.000Z',
    duration_ms: 721_000,
    view_count: 12_916,
    like_count: 72,
    category: 'Education',
    is_unlisted: false,
    is_family_safe: true,
  });
  assert.equal(toArray(getPath(video, 'available_countries')).includes('DE'), true);
});

test('parses the recorded search results in order', { skip }, () => {
  const { results, estimated_results: total } = findRecord('video.search', 'np_videos_2.json');
  assert.equal(total, 430_195_562);
  assert.equal(toArray(results).length, 20);
  const [first, second] = toArray(results);
  assert.partialDeepStrictEqual(first, {
    type: 'video',
    id: 'Z8KYabgkMbw',
    url: `${WEB}/watch?v=Z8KYabgkMbw`,
    title: 'Blind Test TOUT GENRE | 140 extraits',
    channel: { id: 'UCuEBTg6pcG7s3PpPGRtFKQA', name: 'Blind Test & Chill', handle: '@BlindTest-Chill' },
    duration_ms: 2_840_000,
    duration_text: '47:20',
    view_count: 390_201,
    view_count_text: '390,201 views',
    published_text: '9 months ago',
    is_live: false,
    is_upcoming: false,
    badges: [],
    counts_approximate: false,
  });
  assert.match(String(getPath(first, 'description')), /^Bienvenue sur ce Blind Test Tout Genre! /);
  assert.equal(getPath(second, 'id'), '0YWt4Ai8q_g');
});

test('a recorded second page omits results of the first page', { skip }, () => {
  const first = findReading('video.search', 'np_videos_2.json');
  const second = findReading('video.search', 'np_videos_3.json');
  assert.ok(first.verdict.kind === 'record' && first.verdict.next !== null);
  const input = { search: 'test' };
  const alone = toArray(getPath(second.verdict, 'record', 'results')).map((one) => getPath(one, 'id'));
  const [repeated] = alone;
  const cursor = `\n${String(repeated)}\nEpcDEgR0ZXN0`;
  const verdict = readAnswer('video.search', input, {
    body: second.read.body,
    url: `${WEB}/youtubei/v1/search`,
    cursor,
  });
  assert.deepEqual(
    toArray(getPath(verdict, 'record', 'results')).map((one) => getPath(one, 'id')),
    alone.slice(1),
  );
});

const buildTitledPage = (id: string): object => ({
  videoRenderer: { videoId: id, title: { runs: [{ text: 'Windmill' }] } },
});

test('accepts the second page of a search whose words the site corrected', () => {
  const body = JSON.stringify({
    header: { searchHeaderRenderer: { chip: { searchEndpoint: { query: 'windmill' } } } },
    onResponseReceivedCommands: [
      {
        appendContinuationItemsAction: {
          continuationItems: [{ itemSectionRenderer: { contents: [buildTitledPage('millwind_02')] } }],
        },
      },
    ],
  });
  const url = `${WEB}/youtubei/v1/search`;
  const input = { search: 'windmil' };
  assert.partialDeepStrictEqual(
    readAnswer('video.search', input, { body, url, cursor: 'windmill\nmillwind_01\ndG9rZW4' }),
    {
      kind: 'record',
      record: { corrected_query: 'windmill', results: [{ id: 'millwind_02' }] },
    },
  );
  assert.equal(readAnswer('video.search', input, { body, url, cursor: '\nmillwind_01\ndG9rZW4' }).kind, 'unusable');
});

test('parses recorded subtitles', { skip }, () => {
  const record = findRecord('video.subtitles', 'youtube_ww1_nl_en.innertube.json.static');
  assert.partialDeepStrictEqual(record, {
    video_id: 'F1xioXWb8CY',
    language_code: 'en',
    language_name: 'English',
    origin: 'uploader_provided',
    is_translated: false,
    segments: [
      { start_ms: 0, duration_ms: 1540, text: 'Hey, this is just a test' },
      { start_ms: 1540, duration_ms: 4160 },
      { start_ms: 5700, duration_ms: 3239, text: 'just something shorter, I made up for testing' },
    ],
    available: [
      { language_code: 'en', language_name: 'English', origin: 'uploader_provided', is_translatable: true },
      {
        language_code: 'en',
        language_name: 'English (auto-generated)',
        origin: 'auto_generated',
        is_translatable: true,
      },
    ],
  });
  assert.match(String(record['text']), /this is not the original transcript/);
});

test('distinguishes recorded refusals', { skip }, () => {
  const [blocked] = listRecordings('video/subtitles').filter(({ file }) => file.startsWith('youtube_request_blocked'));
  const [consent] = listRecordings('video/subtitles').filter(({ file }) => file.startsWith('youtube_consent_page'));
  assert.ok(blocked !== undefined && consent !== undefined);
  const url = `${WEB}/youtubei/v1/player`;
  const input = { video_id: 'GJLlxj_dtq8' };
  assert.equal(readAnswer('video.videos', input, { body: blocked.body, url, source: 'player' }).kind, 'blocked');
  assert.equal(
    readAnswer('video.videos', input, { body: consent.body, url: `${WEB}/watch?v=GJLlxj_dtq8` }).kind,
    'consent',
  );
  assert.equal(findReading('video.videos', 'np_notavailable_invalidid.json').verdict.kind, 'not_found');
});

test('rejects a truncated recording', { skip }, () => {
  for (const [id, file] of [
    ['video.videos', 'ms_youtube-video.html'],
    ['video.videos', 'ytdl_rental_watch.html'],
    ['video.search', 'ytsr_firstpage_01.html'],
  ] as const) {
    const { read, input, order } = findReading(id, file);
    for (const part of [0.1, 0.5, 0.9, 0.99]) {
      const body = read.body.slice(0, Math.floor(read.body.length * part));
      assert.equal(readAnswer(id, input, { body, url: order.page.url }).kind, 'unusable', `${file} at ${part}`);
    }
  }
});

test('accepts each kind of video address, and rejects others with their kind', () => {
  for (const path of [
    '/watch?v=hwMkbaS_M_c',
    '/shorts/hwMkbaS_M_c',
    '/embed/hwMkbaS_M_c',
    '/live/hwMkbaS_M_c',
    '/v/hwMkbaS_M_c',
  ])
    assert.equal(findRefusal('video.videos', { video_id: `${WEB}${path}` }), null, path);
  assert.equal(findRefusal('video.videos', { video_id: 'https://youtu.be/hwMkbaS_M_c?t=3' }), null);
  for (const [path, kind] of [
    ['/@OneMedia.', 'a channel'],
    ['/channel/UCzcRQ3vRNr6fJ1A9rqFn7QA', 'a channel'],
    ['/playlist?list=PL0123456789', 'a playlist'],
    ['/clip/UgkxAbCd', 'a clip'],
    ['/post/UgkxAbCd', 'a post'],
    ['/results?search_query=mill', 'a search'],
  ] as const)
    for (const id of ['video.videos', 'video.subtitles'] as const)
      assert.equal(
        findRefusal(id, { video_id: `${WEB}${path}` }),
        `video_id: is the address of ${kind}, not of a video`,
        path,
      );
});
