import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getPath, toArray } from '#extract/values/raw.ts';
import { SKIP_RECORDED, readAnswer, findReading, findRecord, findRefusal } from '#testkit/sites/recorded-pages.ts';

const skip = SKIP_RECORDED;
const WEB = 'https://rumble.com';

test('parses a recorded channel with its videos', { skip }, () => {
  const { channel, videos } = findRecord('video-alt.channel.videos', 'bnp_channelTest_0.json');
  assert.deepEqual(channel, {
    slug: 'GovRonDeSantis',
    name: 'Ron DeSantis',
    url: `${WEB}/c/GovRonDeSantis`,
    verified: true,
    follower_count: 265_000,
    follower_count_text: '265K Followers',
    avatar_url: 'https://hugh.cdn.rumble.cloud/s/z8/7/o/2/c/7o2ca.baa-GovRonDeSantis-rvyagm.jpeg',
    banner_url: 'https://hugh.cdn.rumble.cloud/s/z8/7/o/2/c/7o2ca.caa.1-GovRonDeSantis-rvyatl.jpeg',
    description: null,
  });
  assert.equal(toArray(videos).length, 25);
  assert.partialDeepStrictEqual(toArray(videos)[0], {
    type: 'video',
    id: 'v54v7p6',
    title: 'Governor DeSantis Announces Infrastructure and Workforce Training Grants in the Panhandle',
    channel: { slug: 'GovRonDeSantis', verified: true },
    thumbnail_url: 'https://hugh.cdn.rumble.cloud/s/s8/1/6/c/F/G/6cFGs.oq1b.2-small-Governor-DeSantis-Announces.jpg',
    duration_ms: 2_735_000,
    duration_text: '45:35',
    view_count: 10_745,
    published_at: '2024-07-01T13:36:10.000Z',
    published_text: '3 days ago',
    is_live: false,
  });
  const { verdict } = findReading('video-alt.channel.videos', 'bnp_channelTest_0.json');
  assert.equal(verdict.kind === 'record' && verdict.next, '2');
});

test('parses the recorded search results in order', { skip }, () => {
  const file = 'bnp_OnlyOnePageResults_generated_mock_0.json';
  assert.partialDeepStrictEqual(findRecord('video-alt.search', file), {
    results: [
      {
        type: 'video',
        id: 'vn6fnj',
        url: `${WEB}/vn6fnj-ghost-towns-underwater.html`,
        title: 'Ghost Towns Underwater',
        channel: { slug: 'c-371655', name: 'Lost History', url: `${WEB}/c/c-371655`, verified: false },
        thumbnail_url: 'https://sp.rmbl.ws/s8/6/_/U/G/u/_UGuc.oq1b.jpg',
        duration_ms: 283_000,
        duration_text: '4:43',
        view_count: 5,
        published_at: '2021-10-01T04:19:00.000Z',
        published_text: '1 year ago',
      },
      {
        id: 'v1myv88',
        title: 'Roar! The Year of the Tigert Tigers - Animal Songs for Kids - JunyTony_Cut',
        duration_ms: 9000,
        view_count: null,
      },
    ],
  });
  const { verdict } = findReading('video-alt.search', file);
  assert.equal(verdict.kind === 'record' && verdict.next, null);
});

test('parses counts, tags and player of a recorded broadcast', { skip }, () => {
  const video = getPath(findRecord('video-alt.video', 'bnp_streamExtractorLiveStream_generated_mock_0.json'), 'video');
  assert.partialDeepStrictEqual(video, {
    id: 'v3e90sa',
    url: `${WEB}/v3e90sa-america-1st-news-and-politics-live-tv-maga-media.html`,
    title: 'America 1st News & Politics Live TV | MAGA Media',
    channel: { slug: 'PatriotNews4u', name: 'Patriot News Outlet Live', url: `${WEB}/c/PatriotNews4u`, verified: true },
    view_count: 96_839,
    like_count: 331,
    dislike_count: 14,
    published_at: '2023-09-03T14:00:00.000Z',
    uploaded_at: '2023-09-02T23:01:40.000Z',
    embed_id: 'v3bnmgo',
    embed_url: `${WEB}/embed/v3bnmgo/`,
    video_numeric_id: '200976504',
    category: 'News',
  });
  assert.equal(toArray(getPath(video, 'tags')).includes('America First'), true);
});

test('parses the recorded data of the player', { skip }, () => {
  assert.partialDeepStrictEqual(findRecord('video-alt.video', 'bnp_streamExtractor_generated_mock_1.json'), {
    video: {
      title: 'The Truth Behind Arizona’s Paper Ballots; Jovan Pulitzer’s BOMBSHELL Paper Analysis Report 6/27/22',
      channel: { slug: 'RSBN', name: 'Right Side Broadcasting Network' },
      duration_ms: 12_948_000,
      published_at: '2022-06-28T05:36:31.000Z',
      embed_id: 'v17n34y',
      video_numeric_id: '73300642',
      width: 1920,
      height: 1080,
      quality_text: '1080p',
      subtitles: [],
      is_live: false,
      streams_available: true,
    },
  });
});

test('the recorded page of a channel is not accepted as search results', { skip }, () => {
  const { read } = findReading('video-alt.channel.videos', 'bnp_channelTest_0.json');
  const url = `${WEB}/search/video?q=desantis`;
  const verdict = readAnswer('video-alt.search', { search: 'desantis' }, { body: read.body, url });
  assert.deepEqual(verdict, {
    kind: 'unusable',
    reason: 'no results of a search: /c/GovRonDeSantis',
    isRefusal: false,
  });
});

test('rejects a truncated recording', { skip }, () => {
  for (const [id, file] of [
    ['video-alt.search', 'bnp_MultiplePagesResults_generated_mock_0.json'],
    ['video-alt.channel.videos', 'bnp_channelTest_0.json'],
    ['video-alt.video', 'bnp_streamExtractorLiveStream_generated_mock_0.json'],
  ] as const) {
    const { read, input, order } = findReading(id, file);
    for (const part of [0.3, 0.5, 0.9, 0.99]) {
      const body = read.body.slice(0, Math.floor(read.body.length * part));
      assert.equal(readAnswer(id, input, { body, url: order.page.url }).kind, 'unusable', `${file} at ${part}`);
    }
  }
});

test('decodes HTML entities in a title', () => {
  const told = {
    title: 'Flour &amp; water: the miller&#39;s &quot;secret&quot;',
    author: { name: 'Stone &amp; Sons', url: `${WEB}/c/stone` },
    evt: { v: '/l/view...17n34y.1' },
    l: '/v1a992g-flour.html',
  };
  const input = { url: `${WEB}/embed/v17n34y/` };
  const url = `${WEB}/embedJS/u3/?request=video&ver=2&v=v17n34y`;
  assert.partialDeepStrictEqual(readAnswer('video-alt.video', input, { body: JSON.stringify(told), url }), {
    kind: 'more',
    without: {
      record: { video: { title: 'Flour & water: the miller\'s "secret"', channel: { name: 'Stone & Sons' } } },
    },
  });
  const entry =
    '<li class="video-listing-entry"><a class="video-item--a" href="/v1abc-mill.html"></a>' +
    '<h3 class="video-item--title">Flour &amp;amp; water</h3></li>';
  const body = `<!doctype html><html><title>Search results for: mill</title><ol>${entry}</ol></html>`;
  assert.partialDeepStrictEqual(
    readAnswer('video-alt.search', { search: 'mill' }, { body, url: `${WEB}/search/video?q=mill` }),
    { kind: 'record', record: { results: [{ title: 'Flour & water' }] } },
  );
});

test('accepts each kind of supported address, and rejects others with their kind', () => {
  for (const path of ['/v54v7p6-mill.html', '/v54v7p6', '/shorts/v54v7p6', '/embed/v17n34y/'])
    assert.equal(findRefusal('video-alt.video', { url: `${WEB}${path}` }), null, path);
  for (const path of ['/c/RSBN', '/user/miller', '/c/RSBN/shorts'])
    assert.equal(findRefusal('video-alt.channel.videos', { url: `${WEB}${path}` }), null, path);
  for (const [path, kind] of [
    ['/c/RSBN', 'a channel'],
    ['/playlists/aBcD', 'a playlist'],
    ['/search/video?q=mill', 'a search'],
    ['/category/news', 'a list of videos'],
  ] as const)
    assert.equal(
      findRefusal('video-alt.video', { url: `${WEB}${path}` }),
      `url: is the address of ${kind}, not of a video`,
    );
  for (const [path, kind] of [
    ['/v54v7p6-mill.html', 'a video'],
    ['/shorts/v54v7p6', 'a short'],
    ['/embed/v17n34y/', 'an embedded player'],
    ['/playlists/aBcD', 'a playlist'],
  ] as const)
    assert.equal(
      findRefusal('video-alt.channel.videos', { url: `${WEB}${path}` }),
      `url: is the address of ${kind}, not of a channel`,
    );
});
