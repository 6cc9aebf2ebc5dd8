import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toArray } from '#extract/values/raw.ts';
import {
  assertFields,
  findReading,
  findRecord,
  findRefusal,
  readInstead,
  readRecorded,
  SKIP_RECORDED,
} from '#testkit/sites/recorded-pages.ts';

test('parses a recorded song of a compilation from the lookup', { skip: SKIP_RECORDED }, () => {
  assertFields(findRecord('musiccatalog.track', 'lookup-255636575-gb.json')['track'], {
    id: '255636631',
    name: 'Freak Me',
    url: 'https://music.apple.com/gb/album/freak-me/255636575?i=255636631',
    artist_name: 'Another Level',
    track_number: 1,
    disc_number: 1,
    duration_ms: 296400,
    explicit: false,
    price: 0.99,
    currency: 'GBP',
    streamable: true,
    'album.id': '255636575',
    'album.name': 'Hits of the 90s',
    genres: ['Pop'],
    release_date: '1998-04-27',
  });
});

test('parses a recorded song of an EP from the lookup', { skip: SKIP_RECORDED }, () => {
  assertFields(findRecord('musiccatalog.track', 'itunes-lookup-id-1728639278-country-us.json')['track'], {
    id: '1728639279',
    name: 'INSIDE-OUTSIDE (Intro)',
    artist_name: 'Dreamcatcher',
    duration_ms: 83720,
    price: 1.29,
    'album.name': 'Nightmare·Escape The ERA - EP',
    genres: ['K-Pop'],
    release_date: '2018-05-10',
  });
});

test('parses a recorded search for songs in order', { skip: SKIP_RECORDED }, () => {
  const { results } = findRecord('musiccatalog.search', 'songs.json');
  assert.equal(toArray(results).length, 25);
  assertFields(results, {
    '0.type': 'song',
    '0.id': '1076032491',
    '0.name': 'Drive',
    '0.url': 'https://music.apple.com/us/album/drive/1076032488?i=1076032491',
    '0.artist_name': 'Joe Bonamassa',
    '0.track_number': 3,
    '0.duration_ms': 347360,
    '0.price': 1.29,
    '0.currency': 'USD',
    '0.album.id': '1076032488',
    '0.album.name': 'Blues of Desperation',
    '0.genres': ['Blues'],
    '0.release_date': '2016-03-25',
    '1.name': 'The Trouble With Love (feat. Joe Bonamassa)',
    '24.name': 'The River',
  });
});

test('rejects pages of other kinds instead of an album or a song', { skip: SKIP_RECORDED }, () => {
  const album = findReading('musiccatalog.album', 'warc-extracts-covers-for-release-with-video-cover.html');
  const podcast = readRecorded('musiccatalog/podcast', 'page-podcasts.apple.com.html');
  const other = readRecorded('musiccatalog/album', 'page-music.apple.com.html');
  const gone = readRecorded('musiccatalog/album', 'warc-throws-on-non-existent-apple-music-release.html');
  assert.equal(readInstead(album, { body: podcast }).kind, 'unusable', 'a podcast');
  assert.equal(readInstead(album, { body: other }).kind, 'unusable', 'another album');
  assert.equal(readInstead(album, { body: gone }).kind, 'not_found', 'an unknown number');
  assert.equal(readInstead(album, { body: gone.slice(0, 9000) }).kind, 'unusable', 'a cut page of an unknown number');
  assert.equal(
    readInstead(album, { body: other, url: 'https://music.apple.com/us/artist/x/12' }).kind,
    'not_found',
    'led to an artist',
  );
  const song = findReading('musiccatalog.track', 'lookup-255636575-gb.json');
  const songs = readRecorded('musiccatalog/album', 'itunes-lookup-id-1728639278-country-us.json');
  assert.notEqual(readInstead(song, { body: songs }).kind, 'record', 'other songs');
  const search = findReading('musiccatalog.search', 'songs.json');
  const apps = readRecorded('app-store/search', 'mac-slack.json');
  assert.equal(readInstead(search, { body: apps }).kind, 'unusable', 'apps in the place of songs');
});

/** Builds the page of the embedded player from recorded data. */
function buildPlayerPage(json: string): string {
  return `<!doctype html><script id="__NEXT_DATA__" type="application/json">${json.replaceAll('<', '\\u003c')}</script>`;
}

test('rejects pages of other kinds instead of a streamed entity', { skip: SKIP_RECORDED }, () => {
  const album = findReading('musicstream.album', 'embed-album.json');
  const track = findReading('musicstream.track', 'embed-nextjs.html');
  const episode = readRecorded('musicstream/track', 'page-audio-provider.html');
  for (const [wanted, body, what] of [
    [album, readRecorded('musicstream/artist', 'embed-artist.json'), 'an artist in the place of an album'],
    [album, readRecorded('musicstream/episode', 'embed-episode.json'), 'an episode in the place of an album'],
    [track, readRecorded('musicstream/episode', 'embed-episode.json'), 'an episode in the place of a track'],
  ] as const)
    assert.notEqual(
      readInstead(wanted, { body: body.startsWith('<') ? body : buildPlayerPage(body) }).kind,
      'record',
      what,
    );
  const page = findReading('musicstream.album', 'page-album.html');
  assert.notEqual(readInstead(page, { body: episode }).kind, 'record', 'the page of an episode');
});

test('rejects the addresses of other kinds of pages, and names the kind', () => {
  const id = '5Lj94YpHLkmjM7JZ8wuURl';
  for (const [endpoint, base, taken, refused] of [
    [
      'musiccatalog.album',
      'https://music.apple.com/us',
      '/album/x/12',
      ['/artist/x/12', '/song/x/12', '/playlist/x/pl.abc', '/music-video/x/12', '/search?term=a', '/curator/x/1'],
    ],
    [
      'musiccatalog.artist',
      'https://music.apple.com/us',
      '/artist/x/12',
      ['/album/x/12', '/song/x/12', '/search?term=a'],
    ],
    [
      'musiccatalog.track',
      'https://music.apple.com/us',
      '/album/x/12?i=13',
      ['/album/x/12', '/artist/x/12', '/music-video/x/1'],
    ],
    [
      'musicstream.album',
      'https://open.spotify.com',
      `/album/${id}`,
      [`/track/${id}`, `/artist/${id}`, `/playlist/${id}`, `/show/${id}`, `/episode/${id}`, '/user/x', '/search/x'],
    ],
    ['musicstream.track', 'https://open.spotify.com', `/track/${id}`, [`/album/${id}`, `/episode/${id}`]],
    ['musicstream.artist', 'https://open.spotify.com', `/artist/${id}`, [`/album/${id}`, '/user/x']],
    ['musicstream.playlist', 'https://open.spotify.com', `/playlist/${id}`, [`/album/${id}`, `/show/${id}`]],
    ['musicstream.podcast', 'https://open.spotify.com', `/show/${id}`, [`/episode/${id}`, `/album/${id}`]],
  ] as const) {
    assert.equal(findRefusal(endpoint, { url: `${base}${taken}` }), null, `${endpoint} ${taken}`);
    for (const path of refused)
      assert.match(
        findRefusal(endpoint, { url: `${base}${path}` }) ?? 'taken',
        /^url: is the address of .+, not of an? \w+$/,
        path,
      );
  }
});
