import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseJsLiteral } from '#extract/json/literal.ts';
import { getPath, toArray } from '#extract/values/raw.ts';
import { listRecordings } from '#testkit/sites/corpus.ts';
import { SKIP_RECORDED, findEndpoint, readAnswer, findReading, findRecord } from '#testkit/sites/recorded-pages.ts';

const skip = SKIP_RECORDED;
const WEB = 'https://www.facebook.com';
const NASA = {
  id: '100044561550831',
  name: 'NASA - National Aeronautics and Space Administration',
  url: `${WEB}/NASA`,
  username: 'NASA',
};

test('parses all fields of a recorded page of an organisation', { skip }, () => {
  assert.partialDeepStrictEqual(findRecord('socialnet.page', 'page-2026-07.html'), {
    page: {
      id: '54971236771',
      username: 'NASA',
      name: NASA.name,
      url: NASA.url,
      category: 'Government organization',
      description: "Explore the universe and discover our home planet. \nThere's space for everybody. ✨",
      verified: true,
      likes: 28_660_812,
      followers: 28_000_000,
      talking_about: 78_461,
      were_here: null,
      email: 'public-inquiries@hq.nasa.gov',
      website: 'https://www.nasa.gov/nasa-app/',
      links: ['https://www.nasa.gov/'],
      phone: null,
      counts_approximate: true,
    },
  });
});

test('parses the newest post of a recorded page and its counts', { skip }, () => {
  assert.partialDeepStrictEqual(findRecord('socialnet.posts', 'page-2026-07.html'), {
    posts: [
      {
        id: '1587860636042640',
        url: `${WEB}/NASA/posts/pfbid02nHshyUHVP3E31ZwC7J8s5cqncL8PRg88aXG6RU5JDkqXGQywc9Ei85fWBq458aSMl`,
        author: NASA,
        created_at: '2026-07-27T21:35:22.000Z',
        type: 'photo',
        images: [{ width: 1080, height: 1350 }],
        video: null,
        shared_post: null,
        stats: { reactions: 12_368, comments: 512, shares: 1013, views: null },
        pinned: false,
        counts_approximate: false,
      },
    ],
  });
});

test('parses author, picture and counts of a recorded post', { skip }, () => {
  const post = getPath(findRecord('socialnet.post', 'post-2026-07.html'), 'post');
  assert.partialDeepStrictEqual(post, {
    id: '1587860636042640',
    url: `${WEB}/NASA/posts/pfbid02nHshyUHVP3E31ZwC7J8s5cqncL8PRg88aXG6RU5JDkqXGQywc9Ei85fWBq458aSMl`,
    author: NASA,
    created_at: '2026-07-27T21:35:22.000Z',
    type: 'photo',
    images: [{ width: 1080, height: 1350 }],
    link: null,
    stats: { reactions: 12_369, comments: 512, shares: 1013 },
    group: null,
    counts_approximate: false,
  });
  assert.match(
    String(getPath(post, 'text')),
    /^We've finished fueling up our Nancy Grace Roman Space Telescope, .*3RWg5e8$/s,
  );
  assert.equal(toArray(getPath(post, 'top_comments')).length, 10);
});

test('parses a recorded photo with its post', { skip }, () => {
  const post = getPath(findRecord('socialnet.post', 'photo-2026-07.html'), 'post');
  assert.partialDeepStrictEqual(post, {
    id: '1587860609375976',
    url: `${WEB}/photo/?fbid=1587860609375976`,
    author: NASA,
    created_at: '2026-07-27T21:35:22.000Z',
    type: 'photo',
    images: [{ width: 1638, height: 2048 }],
    video: null,
    stats: { reactions: 12_369, comments: 512, shares: 1013, views: null },
    counts_approximate: false,
  });
  assert.match(String(getPath(post, 'text')), /^We've finished fueling up/);
  assert.equal(toArray(getPath(post, 'top_comments')).length, 6);
});

test('parses the recorded photos of a page in order', { skip }, () => {
  const photos = toArray(getPath(findRecord('socialnet.photos', 'photos-2026-07.html'), 'photos'));
  assert.deepEqual(
    photos.slice(0, 4).map((one) => [getPath(one, 'id'), getPath(one, 'width'), getPath(one, 'height')]),
    [
      ['1587860609375976', 1638, 2048],
      ['1587644152730955', 2047, 1012],
      ['1586655189496518', 1884, 1054],
      ['1585138822981488', 2048, 2048],
    ],
  );
  assert.equal(photos.length, 8);
  assert.equal(getPath(photos, 0, 'url'), `${WEB}/photo/?fbid=1587860609375976`);
  assert.equal(getPath(photos, 0, 'set_id'), 'pb.100044561550831.-2207520000');
  assert.match(String(getPath(photos, 2, 'alt')), /^An aerial view of a spacecraft about to land on Earth;/);
  assert.equal(getPath(photos, 7, 'id'), '1578224920339545');
});

test('parses recorded events with their times and places', { skip }, () => {
  assert.partialDeepStrictEqual(findRecord('socialnet.event', 'event-2023-page-venue.html'), {
    event: {
      id: '602005831971873',
      name: 'Pitbull',
      url: `${WEB}/events/602005831971873/`,
      time_text: 'Friday, July 7, 2023 at 7:30 PM MDT',
      start_time: '2023-07-08T01:30:00.000Z',
      is_online: false,
      is_canceled: false,
      location_name: 'Scotiabank Saddledome',
      description: null,
      stats: { interested: null, going: null },
    },
  });
  assert.partialDeepStrictEqual(findRecord('socialnet.event', 'event-2023-online-enddate.html'), {
    event: {
      id: '858256975309867',
      name: 'Incredible Edibles: Food Gardening Made Easy (online)',
      time_text: 'Tuesday, April 4, 2023 at 6:30 PM – 8:00 PM PDT',
      start_time: '2023-04-05T01:30:00.000Z',
      is_online: true,
      location_name: null,
    },
  });
});

test('parses a recorded marketplace listing with its vehicle', { skip }, () => {
  const file = 'auto_with_about_and_description_listing.stripped.html';
  const item = getPath(findRecord('socialnet.marketplace.item', file), 'item');
  assert.partialDeepStrictEqual(item, {
    id: '2089540198183457',
    title: '2018 Honda Accord · EX Sedan 4D',
    url: `${WEB}/marketplace/item/2089540198183457/`,
    price: 12_600,
    currency: 'USD',
    price_text: '$12,600',
    created_at: '2025-01-28T23:06:17.000Z',
    condition: 'used',
    location_text: 'Houston, TX',
    is_sold: true,
    is_pending: false,
    is_live: true,
    delivery_types: ['in_person'],
    category_id: '807311116002614',
    vehicle: {
      make: 'Honda',
      model: 'Accord',
      trim: 'EX Sedan 4D',
      odometer_value: 80_000,
      transmission: 'automatic',
      fuel: 'gasoline',
      exterior_color: 'black',
      interior_color: 'black',
    },
  });
  assert.equal(toArray(getPath(item, 'images')).length, 17);
});

test('parses the recorded marketplace results in order', { skip }, () => {
  const items = toArray(getPath(findRecord('socialnet.marketplace.search', 'search_result_1.stripped.html'), 'items'));
  assert.equal(items.length, 14);
  assert.partialDeepStrictEqual(items.slice(0, 3), [
    {
      id: '628088039705732',
      title: 'DJI Mavic Mini',
      url: `${WEB}/marketplace/item/628088039705732/`,
      price: 200,
      price_text: '$200',
      original_price: 300,
      location_text: 'Houston, Texas',
      is_sold: false,
      is_pending: false,
      category_id: '1792291877663080',
    },
    {
      id: '1725720504639736',
      title: 'DJI mini 2 SE',
      price: 250,
      original_price: null,
      delivery_types: ['in_person', 'door_pickup'],
    },
    { id: '453797361063698', price: 180, location_text: 'Pasadena, Texas', delivery_types: ['in_person'] },
  ]);
});

test('parses a recorded excerpt with the events of a group like search results', { skip }, () => {
  const file = join(process.env['QUERN_CORPUS'] ?? '', 'sites/socialnet/events-search/eventListGroupData.ts');
  const text = readFileSync(file, 'utf8');
  const excerpt = parseJsLiteral(text, text.indexOf('{'))?.value;
  const data = JSON.stringify({ viewer: { found: excerpt } });
  const body = `<!doctype html><html><script type="application/json">${data}</script></html>`;
  const events = toArray(
    getPath(
      readAnswer('socialnet.events.search', { search: 'x' }, { body, url: `${WEB}/events/search/?q=x` }),
      'record',
      'events',
    ),
  );
  assert.deepEqual(
    events.map((one) => ['id', 'name', 'time_text', 'is_past'].map((name) => getPath(one, name))),
    [
      ['916236709985575', 'NEW YEAR EVE 2025', 'Tue, Dec 31, 2024', true],
      ['591932410074832', 'REGGAETON NIGHT', 'Fri, Nov 22, 2024', true],
      ['1103230308135807', 'FIESTA LATINA', 'Sat, Nov 9, 2024', true],
    ],
  );
  assert.equal(getPath(events, 0, 'url'), `${WEB}/events/916236709985575/`);
});

/** What asks for each kind of page, and where it would be. */
const REQUESTS = [
  ['socialnet.page', { username: 'harrowmill' }, `${WEB}/harrowmill/`],
  ['socialnet.posts', { username: 'harrowmill' }, `${WEB}/harrowmill/`],
  ['socialnet.photos', { username: 'harrowmill' }, `${WEB}/harrowmill/photos/`],
  ['socialnet.reels', { username: 'harrowmill' }, `${WEB}/harrowmill/reels_tab/`],
  ['socialnet.post', { url: `${WEB}/harrowmill/posts/900200000000001/` }, `${WEB}/harrowmill/posts/900200000000001/`],
  ['socialnet.group', { id: 'valleymillers' }, `${WEB}/groups/valleymillers/about/`],
  ['socialnet.group.posts', { id: 'valleymillers' }, `${WEB}/groups/valleymillers/`],
  ['socialnet.event', { id: '700100200300400' }, `${WEB}/events/700100200300400/`],
  ['socialnet.events.search', { search: 'mill' }, `${WEB}/events/search/?q=mill`],
  ['socialnet.marketplace.item', { id: '800100200300400' }, `${WEB}/marketplace/item/800100200300400/`],
  ['socialnet.marketplace.search', { search: 'mill' }, `${WEB}/marketplace/search?query=mill`],
] as const;

test('every endpoint recognizes the recorded login form, at any address', { skip }, () => {
  const [wall] = listRecordings('socialnet/wall');
  assert.ok(wall !== undefined);
  for (const [id, input, url] of REQUESTS)
    for (const body of [
      wall.body,
      wall.body.replaceAll('https://web.facebook.com/directory/pages/A', url),
      // In another language.
      wall.body.replace('Log in or sign up to view', 'Iniciar sesión o registrarse'),
    ])
      for (const { name: source } of findEndpoint(id).sources)
        assert.deepEqual(readAnswer(id, input, { body, url, source }), { kind: 'blocked', reason: 'login_wall' }, id);
});

test('a page with other data is unusable, and not a wall', { skip }, () => {
  const pages = ['page/page-2026-07.html', 'post/post-2026-07.html', 'event/event-2023-birding.html'].flatMap((path) =>
    listRecordings(`socialnet/${path.split('/')[0]}`).filter(({ file }) => path.endsWith(file)),
  );
  assert.equal(pages.length, 3);
  for (const [id, input, url] of REQUESTS)
    for (const { body, file } of pages) {
      const verdict = readAnswer(id, input, { body, url });
      assert.equal(verdict.kind, 'unusable', `${id} ${file}: ${JSON.stringify(verdict).slice(0, 200)}`);
    }
});

test('the recorded page of a post is not accepted as the page of its author', { skip }, () => {
  const { read } = findReading('socialnet.post', 'post-2026-07.html');
  for (const id of ['socialnet.page', 'socialnet.posts', 'socialnet.photos'])
    assert.equal(readAnswer(id, { username: 'NASA' }, { body: read.body, url: `${WEB}/NASA/` }).kind, 'unusable', id);
});

test('every endpoint rejects a truncated recording', { skip }, () => {
  for (const [id, file] of [
    ['socialnet.page', 'page-2026-07.html'],
    ['socialnet.posts', 'page-2026-07.html'],
    ['socialnet.photos', 'photos-2026-07.html'],
    ['socialnet.post', 'post-2026-07.html'],
    ['socialnet.post', 'photo-2026-07.html'],
    ['socialnet.event', 'event-2023-multiday.html'],
  ] as const) {
    const { read, input, order } = findReading(id, file);
    for (const part of [0.1, 0.5, 0.9, 0.99]) {
      const body = read.body.slice(0, Math.floor(read.body.length * part));
      const { source } = order;
      assert.equal(readAnswer(id, input, { body, url: order.page.url, source }).kind, 'unusable', `${file} at ${part}`);
    }
  }
});
