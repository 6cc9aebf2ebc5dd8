import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { after, before, suite, test } from 'node:test';
import { startMockSites, type MockSites } from '#demo/sites/mock-sites.ts';
import { getMember } from '#extract/values/json.ts';
import { listFixtures } from '#tools/sites/cases.ts';
import { openWorld, type World } from '#support/world.ts';

suite('site endpoints over HTTP, against mock sites', { concurrency: true }, () => {
  let sites: MockSites;
  let world: World;
  before(async () => {
    sites = await startMockSites();
    settle(sites.file, 'shop-a', 'web.de', 'http://127.0.0.1');
    world = await openWorld({ QUERN_SITES_FILE: sites.file, QUERN_ALLOW_TARGETS: sites.allow });
  });
  after(async () => {
    await world.close();
    await sites.close();
  });

  test('a profile is returned as a record with its cost and source', async () => {
    const { status, body, headers } = await world.call('/v1/codehost/user?login=ilse-miller');
    assert.equal(status, 200, JSON.stringify(body));
    const { request_id: id, fetched_at: at, user, ...rest } = body;
    assert.match(String(id), /^req_/);
    assert.match(String(at), /Z$/);
    assert.match(JSON.stringify(user), /"login":"ilse-miller","name":"Ilse Harrow","type":"User"/);
    assert.deepEqual(rest, {
      provider: 'codehost',
      source_url: `${sites.origins['codehost']?.['api']}/users/ilse-miller`,
      partial: false,
      usage: { credits: 15, base: 15, surcharge: 0, tier: 'http' },
    });
    assert.equal(headers.get('x-credits-used'), '15');
    assert.equal(headers.get('x-access-tier'), 'http');
  });

  test('a plan without site endpoints is refused before any work', async () => {
    const { key } = await world.makeKey('free');
    const { status, body } = await world.call('/v1/codehost/user?username=free-of-charge', undefined, key);
    assert.deepEqual([status, getErrorCode(body)], [402, 'plan_upgrade_required']);
    assert.ok(!sites.seen.some(({ line }) => line.includes('free-of-charge')));
  });

  for (const [query, status, code] of [
    ['username=nobody-here', 404, 'not_found'],
    ['', 400, 'invalid_request'],
    ['username=a&login=b', 400, 'invalid_request'],
    ['usrname=a', 400, 'invalid_request'],
    ['url=https://elsewhere.example/ilse-miller', 400, 'invalid_request'],
    ['username=not/a/login', 404, 'not_found'],
  ] as const)
    test(`${query || 'no parameter'} is ${status} ${code}`, async () => {
      const answer = await world.call(`/v1/codehost/user?${query}`);
      assert.deepEqual([answer.status, getErrorCode(answer.body)], [status, code]);
      assert.equal(answer.headers.get('x-credits-used'), '0');
    });

  test('web search returns its own record for ten credits a page, and a captcha is an error', async () => {
    const { status, body, headers } = await world.call('/v1/websearch/search?q=rye+flour&country=de&pages=2');
    assert.equal(status, 200, JSON.stringify(body));
    const { request_id: id, organic_results: results, query_context: context, ...rest } = body;
    assert.match(String(id), /^req_/);
    assert.deepEqual(context, { search: 'rye flour', geo: 'DE', locale: 'en', domain: 'com', page: 1 });
    assert.match(JSON.stringify(results), /^\[\{"position":1,"position_overall":1,"title":"rye flour: page 1"/);
    assert.match(JSON.stringify(results), /"position":20,"position_overall":20,"title":"rye flour: page 20"[^{]*\]$/);
    assert.deepEqual(rest, {
      provider: 'websearch',
      meta_data: {
        page: 1,
        url: `${sites.origins['websearch']?.['web']}/wml/search?q=rye+flour&hl=en&gl=de&pws=0&nfpr=1`,
      },
      paid_results: [],
      usage: { credits: 20, base: 20, surcharge: 0, tier: 'http', tiers: { http: 2 } },
    });
    assert.equal(headers.get('x-credits-used'), '20');
    for (const [words, code] of [
      ['captcha', 'target_blocked'],
      ['blocked', 'target_blocked'],
      ['limited', 'target_rate_limited'],
    ] as const) {
      const answer = await world.call(`/v1/websearch/search?q=${words}`);
      assert.deepEqual([getErrorCode(answer.body), answer.headers.get('x-credits-used')], [code, '0']);
    }
  });

  test('an event is returned with null for the fields that its source lacks', async () => {
    const { status, body, headers } = await world.call('/v1/socialnet/event?id=700100200300400');
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual(Object.keys(body).toSorted(), ['event', 'provider', 'request_id']);
    assert.match(
      JSON.stringify(body['event']),
      /"name":"Open Mill Day".*"description":null,"stats":{"interested":null,"going":null}/,
    );
    assert.equal(headers.get('x-credits-used'), '15');
  });

  test('a marketplace listing is found by URL, and a marketplace search continues within its page', async () => {
    const address = encodeURIComponent('https://m.facebook.com/marketplace/item/700300400500600/?ref=share');
    const listing = await world.call(`/v1/socialnet/marketplace/item?url=${address}`);
    assert.equal(listing.status, 200, JSON.stringify(listing.body));
    assert.match(
      JSON.stringify(listing.body['item']),
      /"title":"1974 Harrow · Model 3".*"price":4200,"currency":"USD".*"odometer_unit":"miles"/,
    );
    const asked = 'query=millstone&location=lower-weir&condition=new,used_good&min_price=10&days_listed=7';
    const first = await world.call(`/v1/socialnet/marketplace/search?${asked}&limit=2`);
    assert.deepEqual([first.status, first.body['partial']], [200, true], JSON.stringify(first.body));
    const cursor = encodeURIComponent(String(first.body['next_cursor']));
    const rest = await world.call(`/v1/socialnet/marketplace/search?${asked}&cursor=${cursor}`);
    assert.match(JSON.stringify(rest.body['items']), /^\[\{"id":"700300400500703","title":"Broken millstone"[^]*\}\]$/);
    assert.equal(rest.body['next_cursor'], null);
    const line = /minPrice=10&daysSinceListed=7&itemCondition=new%2Cused_good/;
    assert.ok(sites.seen.some(({ site, line: seen }) => site === 'socialnet' && line.test(seen)));
    const none = await world.call('/v1/socialnet/marketplace/search?search=perpetual+mill');
    assert.deepEqual([none.status, none.body['items'], none.body['next_cursor']], [200, [], null]);
  });

  test('a page is found by name, and its embed gives more posts', async () => {
    const { status, body } = await world.call('/v1/socialnet/page?handle=@harrowmill');
    assert.deepEqual([status, body['partial']], [200, false], JSON.stringify(body));
    assert.match(JSON.stringify(body['page']), /"id":"112233445566778".*"likes":3246.*"rating_percent":94/);
    const newest = await world.call('/v1/socialnet/posts?username=harrowmill');
    assert.match(JSON.stringify(newest.body['posts']), /^\[\{"id":"900100000000001"[^]*"reactions":120/);
    assert.doesNotMatch(JSON.stringify(newest.body['posts']), /"id":"900100000000000"/);
    const address = encodeURIComponent('https://www.facebook.com/harrowmill');
    const all = await world.call(`/v1/socialnet/posts?url=${address}&limit=10`);
    const ids = [...JSON.stringify(all.body['posts']).matchAll(/\{"id":"(9\d+)"/g)].map(([, id]) => id?.slice(-1));
    assert.deepEqual([ids, all.body['next_cursor']], [['1', '0', '2', '3'], null]);
  });

  test('photos and reels of a page are lists, and reels have their own price', async () => {
    const photos = await world.call('/v1/socialnet/photos?handle=@harrowmill&limit=1');
    assert.equal(photos.status, 200, JSON.stringify(photos.body));
    assert.match(
      JSON.stringify(photos.body['photos']),
      /^\[\{"id":"81001"[^\]]*"alt":"May be an image of a millstone"/,
    );
    const cursor = encodeURIComponent(String(photos.body['next_cursor']));
    const rest = await world.call(`/v1/socialnet/photos?username=@harrowmill&cursor=${cursor}`);
    assert.match(JSON.stringify(rest.body['photos']), /^\[\{"id":"81002"[^\]]*\]$/);
    const reels = await world.call('/v1/socialnet/reels?url=https://www.facebook.com/harrowmill');
    assert.match(JSON.stringify(reels.body['reels']), /"views":210000,"likes":1204,"comments":31,"shares":1200/);
    assert.deepEqual([reels.body['partial'], reels.headers.get('x-credits-used')], [true, '1340']);
  });

  test('a group is found by name or URL, and includes its posts', async () => {
    const address = encodeURIComponent('https://m.facebook.com/groups/valleymillers/?ref=share');
    for (const query of ['id=valleymillers', `url=${address}`]) {
      const { status, body } = await world.call(`/v1/socialnet/group?${query}`);
      assert.equal(status, 200, JSON.stringify(body));
      assert.match(JSON.stringify(body['group']), /"id":"440055006600770".*"privacy":"public".*"members":12300/);
    }
    const posts = await world.call('/v1/socialnet/group/posts?id=valleymillers');
    assert.match(JSON.stringify(posts.body['posts']), /"id":"900200000000041".*"group":\{"id":"440055006600770"/);
    assert.doesNotMatch(JSON.stringify(posts.body['posts']), /Buy bread/);
  });

  test('the embed is read when the page requires a login', async () => {
    const { status, body } = await world.call('/v1/socialnet/page?id=112233445566778');
    assert.deepEqual([status, body['partial']], [200, true], JSON.stringify(body));
    assert.match(JSON.stringify(body['page']), /"username":"harrowmill","name":"Harrow Mill".*"followers":3246/);
    const posts = await world.call('/v1/socialnet/posts?id=112233445566778&limit=2');
    assert.deepEqual([posts.status, posts.body['partial']], [200, true], JSON.stringify(posts.body));
    assert.match(JSON.stringify(posts.body['posts']), /"text":"The new stones are in\.\\nCome and see\."/);
    const cursor = encodeURIComponent(String(posts.body['next_cursor']));
    const rest = await world.call(`/v1/socialnet/posts?id=112233445566778&limit=2&cursor=${cursor}`);
    assert.match(JSON.stringify(rest.body['posts']), /^\[\{"id":"900100000000003"[^]*\}\]$/);
  });

  test('a post is found by any of its URLs, with its group and top-level comments', async () => {
    for (const path of ['permalink/900200000000001', 'posts/900200000000001/', '?multi_permalinks=900200000000001']) {
      const address = encodeURIComponent(`https://m.facebook.com/groups/valleymillers/${path}`);
      const { status, body } = await world.call(`/v1/socialnet/post?url=${address}`);
      assert.deepEqual([status, body['partial']], [200, false], JSON.stringify(body));
      assert.match(
        JSON.stringify(body['post']),
        /"id":"900200000000001".*"reactions":26.*"Millers of the valley".*"Lovely sound\."\}\]\}$/,
      );
    }
  });

  test('events are searched by words and place, and suggested events are not results', async () => {
    const { status, body } = await world.call('/v1/socialnet/events/search?q=mill&location=Lower+Weir');
    assert.deepEqual([status, body['partial']], [200, true], JSON.stringify(body));
    assert.match(JSON.stringify(body['events']), /"name":"Open Mill Day".*"interested":1200,"going":30/);
    assert.doesNotMatch(JSON.stringify(body['events']), /Somewhere else/);
    assert.ok(sites.seen.some(({ line }) => line === 'GET /events/search/?q=mill+Lower+Weir'));
    const none = await world.call('/v1/socialnet/events/search?search=sawdust');
    assert.deepEqual([none.status, none.body['events']], [200, []]);
  });

  test('a forum post is read from the first source that has it, with its comments', async () => {
    const { status, body } = await world.call('/v1/forum/post?id=t3_1mill0&comment_limit=5');
    assert.equal(status, 200, JSON.stringify(body));
    assert.equal(body['partial'], false);
    assert.match(JSON.stringify(body['comments']), /"id":"c0rye1".*"id":"c0rye3"/);
  });

  test('a community includes its posts, and the cursor gives the next ones', async () => {
    const first = await world.call('/v1/forum/subreddit?community=r/milling&sort=top&time=week&limit=2');
    assert.equal(first.status, 200, JSON.stringify(first.body));
    assert.equal(first.body['partial'], false);
    assert.match(JSON.stringify(first.body['subreddit']), /"name":"milling","id":"t5_mill".*"active_users":17/);
    assert.match(JSON.stringify(first.body['posts']), /"id":"1mill0".*"id":"1sieve"/);
    const cursor = encodeURIComponent(String(first.body['next_cursor']));
    const second = await world.call(
      `/v1/forum/subreddit?subreddit=r/milling&sort=top&time=week&limit=9&cursor=${cursor}`,
    );
    assert.match(JSON.stringify(second.body['posts']), /^\[\{"id":"1bran0"/);
    assert.deepEqual([second.body['subreddit'], second.body['next_cursor']], [null, null]);
    const address = `url=${encodeURIComponent('https://old.reddit.com/r/milling/')}&limit=1`;
    const pinned = await world.call(`/v1/forum/subreddit?${address}`);
    assert.match(JSON.stringify(pinned.body['posts']), /^\[\{"id":"1mill0"[^]*\}\]$/);
    assert.ok(!JSON.stringify(pinned.body['posts']).includes('1sieve'));
  });

  test('a forum user includes posts and comments, and the cursor gives the next ones', async () => {
    const first = await world.call('/v1/forum/user?username=u/ilse_miller&limit=2');
    assert.equal(first.status, 200, JSON.stringify(first.body));
    assert.match(JSON.stringify(first.body['user']), /"name":"ilse_miller".*"total_karma":5100/);
    assert.match(JSON.stringify(first.body['items']), /"kind":"comment".*"kind":"post"/);
    const cursor = encodeURIComponent(String(first.body['next_cursor']));
    const second = await world.call(`/v1/forum/user?username=u/ilse_miller&cursor=${cursor}`);
    assert.match(JSON.stringify(second.body['items']), /"id":"c0mesh0"/);
    assert.deepEqual([second.body['user'], second.body['next_cursor']], [null, null]);
  });

  test('the form of an account name selects one of three networks, and the cursor gives more posts', async () => {
    for (const [username, network, name] of [
      ['@ilse_miller', 'x', 'Ilse Harrow'],
      ['harrow.example', 'bluesky', 'Harrow Mill'],
      ['harrow@mastodon.social', 'mastodon', 'Harrow Mill'],
    ] as const) {
      const { status, body } = await world.call(`/v1/microblog/profile?username=${encodeURIComponent(username)}`);
      assert.equal(status, 200, JSON.stringify(body));
      assert.match(
        JSON.stringify(body['profile']),
        new RegExp(`"name":"${name}".*"network":"${network}".*"followers":1204`),
      );
    }
    const first = await world.call('/v1/microblog/posts?handle=harrow.example&limit=2');
    assert.match(JSON.stringify(first.body['posts']), /"text":"Flour for.*"is_repost":true/);
    const cursor = encodeURIComponent(String(first.body['next_cursor']));
    const rest = await world.call(`/v1/microblog/posts?handle=harrow.example&cursor=${cursor}`);
    assert.match(JSON.stringify(rest.body['posts']), /^\[\{"id":"at:[^"]*3harrow000003"/);
    assert.equal(rest.body['next_cursor'], null);
    const embedded = await world.call('/v1/microblog/posts?username=ilse_miller');
    assert.deepEqual([embedded.status, embedded.body['partial']], [200, true], JSON.stringify(embedded.body));
    const toots = await world.call('/v1/microblog/posts?username=harrow@mastodon.social&limit=100');
    assert.match(JSON.stringify(toots.body['posts']), /"mentions":\["weir@weir.example"\]/);
  });

  test('a microblog post is found by id or URL, and by search on networks that have one', async () => {
    const embedded = await world.call('/v1/microblog/post?id=1900000000000000001');
    assert.match(JSON.stringify(embedded.body['post']), /"text":"Flour & water.".*"like_count":120/);
    for (const [url, known] of [
      ['https://x.com/ilse_miller/status/1900000000000000004', /"view_count":41000/],
      ['https://bsky.app/profile/harrow.example/post/3harrow000003', /"username":"weir.example"\}/],
      ['https://mastodon.social/@harrow/110000000000000001', /"duration_ms":9500/],
    ] as const) {
      const { status, body } = await world.call(`/v1/microblog/post?url=${encodeURIComponent(url)}`);
      assert.equal(status, 200, JSON.stringify(body));
      assert.match(JSON.stringify(body['post']), known);
    }
    const found = await world.call('/v1/microblog/search?q=flour');
    assert.match(JSON.stringify(found.body['results']), /"hashtags":\["rye"\]/);
    const none = await world.call('/v1/microblog/search?q=sawdust&sort=latest');
    assert.deepEqual([none.status, none.body['results']], [200, []]);
  });

  test('a vehicle search returns one page per call, and a vehicle is found by id or by URL of any country', async () => {
    const asked = 'make=Harrow&model=Model%203&price_max=20000&sort=price_asc';
    const first = await world.call(`/v1/vehicles/search?${asked}`);
    assert.deepEqual([first.status, first.body['total_results']], [200, 3], JSON.stringify(first.body));
    assert.match(
      JSON.stringify(first.body['results']),
      /"mileage":\{"value":152877,"unit":"km"\}.*"is_sponsored":true/,
    );
    const cursor = encodeURIComponent(String(first.body['next_cursor']));
    const rest = await world.call(`/v1/vehicles/search?${asked}&cursor=${cursor}`);
    assert.deepEqual([rest.body['page'], rest.body['next_cursor']], [2, null], JSON.stringify(rest.body));
    const none = await world.call('/v1/vehicles/search?make=perpetuum');
    assert.deepEqual([none.status, none.body['results']], [200, []]);
    const id = '70010020-0300-4001-8001-700100200300';
    const address = encodeURIComponent(`https://www.autoscout24.de/angebote/harrow-model-3-${id}`);
    for (const query of [`id=${id}`, `url=${address}`]) {
      const { status, body } = await world.call(`/v1/vehicles/vehicle?${query}`);
      assert.equal(status, 200, JSON.stringify(body));
      assert.match(JSON.stringify(body['vehicle']), /"first_registration":"2022-10".*"amount":13270.*"Trailer hitch"/);
    }
  });

  test('a short-video profile has exact counts, and a video is found by id or URL', async () => {
    const { status, body } = await world.call('/v1/shortvideo/profile?handle=@Harrow.Mill');
    assert.equal(status, 200, JSON.stringify(body));
    assert.match(JSON.stringify(body['profile']), /"website":"https:\/\/harrow-mill.example\/".*"followers":783427/);
    const address = encodeURIComponent('https://m.tiktok.com/@harrow.mill/video/7571863205253000001?lang=en');
    for (const query of ['id=7571863205253000001', `url=${address}`]) {
      const video = await world.call(`/v1/shortvideo/video?${query}`);
      assert.match(
        JSON.stringify(video.body['video']),
        /"view_count":192143.*"hashtags":\["rye"\]/,
        JSON.stringify(video.body),
      );
    }
  });

  test('the retail site returns a product, its stock, its stores and a search with the key from its pages', async () => {
    const { status, body } = await world.call('/v1/retail/product?id=70010020');
    assert.deepEqual([status, body['partial']], [200, false], JSON.stringify(body));
    assert.match(JSON.stringify(body['product']), /"current":35.99,"regular":42.*"gtin":"007001002003"/);
    const there = await world.call('/v1/retail/product?id=70010020&store_id=2001');
    assert.match(
      JSON.stringify(there.body['product']),
      /"current":31.5,.*"pickup":"in_stock"/,
      JSON.stringify(there.body),
    );
    const stock = await world.call('/v1/retail/availability?id=70010020&zip=52404');
    assert.match(
      JSON.stringify(stock.body['availability']),
      /"shipping":"in_stock".*"quantity":4/,
      JSON.stringify(stock.body),
    );
    const stores = await world.call('/v1/retail/stores?zip=52404');
    assert.match(JSON.stringify(stores.body['stores']), /"id":"2001","name":"Weir".*"distance_miles":1.2/);
    const first = await world.call('/v1/retail/search?q=mill&sort=price_asc');
    const cursor = encodeURIComponent(String(first.body['next_cursor']));
    const rest = await world.call(`/v1/retail/search?q=mill&sort=price_asc&cursor=${cursor}`);
    assert.deepEqual([first.body['total_results'], rest.body['page'], rest.body['next_cursor']], [26, 2, null]);
    const none = await world.call('/v1/retail/search?q=perpetuum');
    assert.deepEqual([none.status, none.body['results']], [200, []], JSON.stringify(none.body));
    const category = encodeURIComponent('https://www.ikea.com/us/en/cat/mills-20649/');
    const described = await world.call(`/v1/retail/search?url=${category}`);
    assert.match(
      JSON.stringify(described.body['results']),
      /"id":"90210001".*"current":99.99/,
      JSON.stringify(described.body),
    );
  });

  test('a homestay search returns one page per call, and a listing without a browser has no price', async () => {
    const asked = 'q=Harrow&checkin=2027-05-01&checkout=2027-05-08';
    const first = await world.call(`/v1/homestay/search?${asked}`);
    assert.match(
      JSON.stringify(first.body['listings']),
      /"rating":4.92,.*"total":1087,.*"nightly":155/,
      JSON.stringify(first.body),
    );
    const cursor = encodeURIComponent(String(first.body['next_cursor']));
    const rest = await world.call(`/v1/homestay/search?${asked}&cursor=${cursor}`);
    assert.match(JSON.stringify(rest.body['listings']), /^\[\{"id":"70010020030042"/, JSON.stringify(rest.body));
    assert.equal(rest.body['next_cursor'], null);
    const none = await world.call('/v1/homestay/search?location=Nowhere');
    assert.deepEqual([none.status, none.body['listings']], [200, []], JSON.stringify(none.body));
    const { status, body } = await world.call('/v1/homestay/listing?id=70010020030040');
    assert.deepEqual([status, body['partial']], [200, false], JSON.stringify(body));
    assert.match(JSON.stringify(body['listing']), /"bathrooms":1.5.*"name":"Ilse","is_superhost":true/);
  });

  test('a product is found by its code in any case', async () => {
    const { status, body } = await world.call('/v1/shop-a/product?product_code=b0harrow01');
    assert.equal(status, 200, JSON.stringify(body));
    assert.match(JSON.stringify(body['product']), /"asin":"B0HARROW01".*"price":35.99,"currency":"USD"/);
  });

  test('a product search returns one page per call, and the cursor gives the next', async () => {
    const first = await world.call('/v1/shop-a/search?q=hand%20mill&page=3&min_price=9.5');
    assert.equal(first.status, 200, JSON.stringify(first.body));
    assert.equal(first.body['total_results'], 61);
    assert.match(JSON.stringify(first.body['results']), /"sponsored":true.*"asin":"B0MILL0032"/);
    const cursor = encodeURIComponent(String(first.body['next_cursor']));
    const second = await world.call(`/v1/shop-a/search?search=hand%20mill&page=3&min_price=9.5&cursor=${cursor}`);
    assert.deepEqual([second.body['page'], second.body['next_cursor']], [4, null]);
    const none = await world.call('/v1/shop-a/search?search=perpetuum%20mobile');
    assert.deepEqual([none.status, none.body['results']], [200, []], JSON.stringify(none.body));
  });

  test('a leaderboard has its first launches, filtered by topic if requested', async () => {
    const { status, body } = await world.call('/v1/launches/leaderboard?year=2026&month=3&day=7');
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual(
      [body['date'], body['truncated'], body['count'], body['partial']],
      ['2026-03-07', true, 20, false],
    );
    assert.match(
      JSON.stringify(body['products']),
      /^\[\{"rank":1,"rank_is_final":true,"id":"9000","name":"Mill App 1"/,
    );
    const ios = await world.call('/v1/launches/leaderboard?date=2026-03-07&topic=ios');
    assert.deepEqual([ios.body['count'], ios.body['partial'], ios.body['topic_filter']], [10, true, 'client']);
    const today = await world.call('/v1/launches/leaderboard?period=weekly');
    assert.equal(today.status, 200, JSON.stringify(today.body));
    const later = await world.call('/v1/launches/leaderboard?period=monthly&date=2027-02-01');
    assert.deepEqual([later.status, later.body['products']], [200, []]);
  });

  test('a launched product has its launches, and the URL of a launch leads to it', async () => {
    const { status, body } = await world.call('/v1/launches/product?product=mill-planner');
    assert.equal(status, 200, JSON.stringify(body));
    assert.match(JSON.stringify(body['product']), /"id":"5701","name":"Mill Planner".*"upvotes":512/);
    const address = encodeURIComponent('https://www.producthunt.com/posts/mill-planner-1-0');
    const launch = await world.call(`/v1/launches/product?url=${address}`);
    assert.match(JSON.stringify(launch.body['product']), /"id":"5701","name":"Mill Planner".*"upvotes":210/);
  });

  test('a maker is returned with their products', async () => {
    const { status, body } = await world.call('/v1/launches/maker?username=@ilse_miller');
    assert.equal(status, 200, JSON.stringify(body));
    assert.match(JSON.stringify(body['maker']), /"followers":1204.*"slug":"mill-planner"/);
  });

  test('a shop-w product is found by its number, also when the site redirects to another number', async () => {
    const { status, body } = await world.call('/v1/shop-w/product?id=700100200');
    assert.equal(status, 200, JSON.stringify(body));
    assert.match(JSON.stringify(body['product']), /"id":"700100200".*"price":35.99,"currency":"USD"/);
    const address = encodeURIComponent('https://www.walmart.com/ip/Old-Mill/700100111');
    const moved = await world.call(`/v1/shop-w/product?url=${address}`);
    assert.match(JSON.stringify(moved.body['product']), /"id":"700100200"/);
  });

  test('the offers of a product are paged, and the product is returned when they are refused', async () => {
    const first = await world.call('/v1/shop-a/pricing?product_code=b0harrow01&limit=4');
    assert.equal(first.status, 200, JSON.stringify(first.body));
    assert.match(
      JSON.stringify(first.body['pricing']),
      /"buy_box":\{.*"price":35.99.*"offers":\[\{.*"price":31.5,"shipping":4.99/,
    );
    const cursor = encodeURIComponent(String(first.body['next_cursor']));
    const second = await world.call(`/v1/shop-a/pricing?asin=b0harrow01&limit=10&cursor=${cursor}`);
    assert.match(JSON.stringify(second.body['pricing']), /"buy_box":null,"offers":\[\{"seller":\{"id":"A1SELLER"/);
    const refused = await world.call('/v1/shop-a/pricing?asin=3000000001');
    assert.deepEqual([refused.status, refused.body['partial']], [200, true], JSON.stringify(refused.body));
    assert.match(JSON.stringify(refused.body['pricing']), /"price":1234.56.*"offers":null/);
  });

  test('a repository is found by any form of its name', async () => {
    for (const query of ['full_name=ilse-miller/rye-journal', 'owner=ilse-miller&repo=rye-journal']) {
      const { status, body } = await world.call(`/v1/codehost/repo?${query}`);
      assert.equal(status, 200, JSON.stringify(body));
      assert.match(JSON.stringify(body['repo']), /"full_name":"ilse-miller\/rye-journal".*"stars":12.*"watchers":4/);
    }
    const { status, body } = await world.call('/v1/codehost/repo?repo=rye-journal');
    assert.deepEqual([status, getErrorCode(body)], [400, 'invalid_request']);
  });

  test('repositories are returned one page per call, and the cursor gives the next', async () => {
    const first = await world.call('/v1/codehost/repos?username=ilse-miller&per_page=2');
    assert.equal(first.status, 200, JSON.stringify(first.body));
    assert.match(JSON.stringify(first.body['repos']), /"full_name":"ilse-miller\/grist-meter".*"old-sieve"/);
    const cursor = encodeURIComponent(String(first.body['next_cursor']));
    const second = await world.call(`/v1/codehost/repos?username=ilse-miller&limit=50&cursor=${cursor}`);
    assert.match(JSON.stringify(second.body['repos']), /^\[\{"id":"503","name":"rye-journal"[^\]]*"topics":\[\]/);
    assert.equal(second.body['next_cursor'], null);
    const asked = sites.seen.filter(({ line }) => line.includes('&per_page=2&')).map(({ line }) => line.slice(-7));
    assert.deepEqual(asked, ['&page=1', '&page=2']);
    const begun = await world.call('/v1/codehost/repos?username=ilse-miller&per_page=1&page=7&sort=updated');
    const next = encodeURIComponent(String(begun.body['next_cursor']));
    const follows = await world.call(`/v1/codehost/repos?username=ilse-miller&sort=updated&cursor=${next}`);
    assert.equal(follows.status, 200, JSON.stringify(follows.body));
    const other = await world.call(`/v1/codehost/repos?username=new-miller&cursor=${cursor}`);
    assert.deepEqual([other.status, getErrorCode(other.body)], [400, 'invalid_request']);
  });

  test('a user without repositories gives an empty list', async () => {
    const { status, body } = await world.call('/v1/codehost/repos?username=new-miller&page=3');
    assert.deepEqual([status, body['repos'], body['next_cursor']], [200, [], null]);
  });

  test('an album that is only streamed is read from its page, and a storefront selects its own album', async () => {
    const sold = await world.call('/v1/musiccatalog/album?id=880100');
    assert.match(JSON.stringify(sold.body['album']), /"price":3.99,"currency":"USD".*"track_number":3/);
    const streamed = await world.call('/v1/musiccatalog/album?id=880100&geo=de');
    assert.deepEqual([streamed.status, streamed.body['partial']], [200, true], JSON.stringify(streamed.body));
    assert.match(JSON.stringify(streamed.body['album']), /"price":null,"currency":null.*"name":"Undershot"/);
    const address = encodeURIComponent('https://music.apple.com/us/album/slow-water-ep/880100');
    const elsewhere = await world.call(`/v1/musiccatalog/album?url=${address}&country=JP`);
    assert.equal(elsewhere.status, 200, JSON.stringify(elsewhere.body));
  });

  test('a catalogue artist has albums, songs and details from the page, and a song has its album', async () => {
    const artist = await world.call('/v1/musiccatalog/artist?id=4410');
    assert.deepEqual([artist.status, artist.body['partial']], [200, false], JSON.stringify(artist.body));
    const known = /"biography":"Songs from below.*"albums":\[\{"id":"880200".*"top_songs":\[\{"id":"880101"/;
    assert.match(JSON.stringify(artist.body['artist']), known);
    const address = encodeURIComponent('https://music.apple.com/us/album/slow-water-ep/880100?i=880102');
    const song = await world.call(`/v1/musiccatalog/track?url=${address}`);
    assert.match(JSON.stringify(song.body['track']), /"name":"Undershot".*"album":\{"id":"880100"/);
  });

  test('a catalogue search has results of each type, and continues if one type has more', async () => {
    const all = await world.call('/v1/musiccatalog/search?q=weir&type=song,album,artist,playlist');
    assert.equal(all.status, 200, JSON.stringify(all.body));
    const types = [...JSON.stringify(all.body['results']).matchAll(/"type":"(\w+)"/g)].map(([, type]) => type);
    assert.deepEqual([...new Set(types)], ['song', 'album', 'artist', 'playlist']);
    const songs = await world.call('/v1/musiccatalog/search?search=weir&limit=2');
    const cursor = encodeURIComponent(String(songs.body['next_cursor']));
    const rest = await world.call(`/v1/musiccatalog/search?search=weir&limit=50&cursor=${cursor}`);
    assert.deepEqual([rest.status, rest.body['results'], rest.body['next_cursor']], [200, [], null]);
  });

  test('music service items are read from the mobile page, or by the query of the player', async () => {
    const track = await world.call('/v1/musicstream/track?id=spotify:track:Undershot0000000000001');
    assert.equal(track.status, 200, JSON.stringify(track.body));
    assert.match(
      JSON.stringify(track.body['track']),
      /"name":"Undershot".*"play_count":1204,"release_date":"2024-03-01"/,
    );
    const address = encodeURIComponent('https://open.spotify.com/intl-de/album/SlowWater0000000000001?si=x');
    const album = await world.call(`/v1/musicstream/album?url=${address}&locale=de`);
    assert.match(JSON.stringify(album.body['album']), /"type":"ep".*"total_tracks":3.*"tracks_truncated":false/);
    const artist = await world.call('/v1/musicstream/artist?id=HarrowWeir000000000001');
    assert.equal(artist.body['partial'], false, JSON.stringify(artist.body));
    assert.match(JSON.stringify(artist.body['artist']), /"monthly_listeners":76728.*"preview_url":"https:/);
    const refused = await world.call('/v1/musicstream/track?id=Sluicegate000000000003');
    assert.deepEqual([refused.status, refused.body['partial']], [200, true], JSON.stringify(refused.body));
    assert.match(JSON.stringify(refused.body['warnings']), /pathfinder.v1.query failed/);
  });

  test('lists of the music service page by cursor, also several lists in one call', async () => {
    const first = await world.call('/v1/musicstream/playlist?id=MillMorning00000000001&limit=2');
    assert.equal(first.status, 200, JSON.stringify(first.body));
    assert.match(JSON.stringify(first.body), /"name":"Mill Morning".*"total_tracks":6.*"Undershot".*"Millrace"/);
    const cursor = (body: (typeof first)['body']) => `cursor=${encodeURIComponent(String(body['next_cursor']))}`;
    const second = await world.call(`/v1/musicstream/playlist?id=MillMorning00000000001&${cursor(first.body)}`);
    assert.match(JSON.stringify(second.body['tracks']), /"type":"track".*"type":"episode".*"type":"local"/);
    assert.deepEqual([second.body['next_cursor'], second.body['partial']], [null, true]);
    const podcast = await world.call('/v1/musicstream/podcast?id=GristAndGrain000000001');
    assert.match(JSON.stringify(podcast.body), /"rating":4.5.*"Grinding by Night".*"The Second Stone".*"Rye Again"/);
    const found = await world.call('/v1/musicstream/search?q=weir&type=track,artist&limit=1');
    assert.equal(found.status, 200, JSON.stringify(found.body));
    assert.match(JSON.stringify(found.body), /"tracks":\[\{"id":"Undershot.*"albums":null.*"totals":\{"tracks":3,/);
    const rest = await world.call(`/v1/musicstream/search?q=weir&type=track&type=artist&${cursor(found.body)}`);
    assert.deepEqual(rest.body['results'], { ...NOTHING_FOUND, tracks: [], artists: [] });
    assert.equal(rest.body['next_cursor'], null);
  });

  test('a video is found by id or URL, and by the API when the page shows a bot check', async () => {
    const { status, body } = await world.call('/v1/video/videos/Gr1stM1ll_0');
    assert.equal(status, 200, JSON.stringify(body));
    assert.match(JSON.stringify(body['video']), /"availability":"public".*"data_source":"watch_page"/);
    const address = encodeURIComponent('https://youtu.be/R0b0tT00k_1?t=30');
    const walled = await world.call(`/v1/video/videos/${address}`);
    assert.deepEqual([walled.status, walled.body['partial']], [200, true], JSON.stringify(walled.body));
    assert.match(JSON.stringify(walled.body['video']), /"id":"R0b0tT00k_1".*"data_source":"next"/);
  });

  test('subtitles are returned in the requested format, with a list of the available ones', async () => {
    const { status, body } = await world.call('/v1/video/subtitles?id=Gr1stM1ll_0&lang=en&format=srt');
    assert.equal(status, 200, JSON.stringify(body));
    assert.match(String(body['content']), /^1\n00:00:00,400 --> 00:00:02,500\nThe wheel turns\n/);
    assert.match(JSON.stringify(body['available']), /"language_code":"en".*"uploader_provided"/);
    assert.deepEqual([body['segments'], body['partial']], [null, false]);
    const none = await world.call('/v1/video/subtitles?id=Gr1stM1ll_0&lang=pt');
    assert.deepEqual([none.status, getErrorCode(none.body)], [404, 'not_found']);
    assert.match(JSON.stringify(none.body), /there are en \(uploader_provided\)/);
  });

  test('a search of the second video site filters each page, and the cursor gives the next', async () => {
    const first = await world.call('/v1/video-alt/search?q=windmill&type=short');
    assert.equal(first.status, 200, JSON.stringify(first.body));
    assert.match(
      JSON.stringify(first.body['results']),
      /^\[\{"type":"short","id":"v2mill2"[^\]]*"like_count":1080[^\]]*\]$/,
    );
    assert.equal(first.body['partial'], true);
    const cursor = encodeURIComponent(String(first.body['next_cursor']));
    const second = await world.call(`/v1/video-alt/search?search=windmill&type=short&cursor=${cursor}`);
    assert.deepEqual([second.body['results'], second.body['next_cursor']], [[], null]);
    const nothing = await world.call('/v1/video-alt/search?q=nothing%20like%20it');
    assert.deepEqual([nothing.status, nothing.body['results']], [200, []]);
  });

  test('a channel name on the second video site falls back to the user of that name', async () => {
    const { status, body } = await world.call('/v1/video-alt/channel/videos?channel=@HarrowMill');
    assert.equal(status, 200, JSON.stringify(body));
    assert.match(JSON.stringify(body['channel']), /"slug":"HarrowMill".*"follower_count":265000/);
    assert.match(JSON.stringify(body['videos']), /"id":"v2mill1".*"id":"v2mill3"/);
    const person = await world.call('/v1/video-alt/channel/videos?channel=ilse');
    assert.equal(person.status, 200, JSON.stringify(person.body));
    assert.match(JSON.stringify(person.body['channel']), /rumble.com\/user\/ilse/);
  });

  test('a video of the second video site has its player data, and a broadcast its viewers', async () => {
    const { status, body } = await world.call('/v1/video-alt/video?id=v2mill1');
    assert.equal(status, 200, JSON.stringify(body));
    assert.match(
      JSON.stringify(body['video']),
      /"id":"v2mill1".*"view_count":5991.*"tags":\["mill","water"\].*"quality_text":"1080p"/,
    );
    const embed = encodeURIComponent('https://rumble.com/embed/v2kzi5t/');
    const same = await world.call(`/v1/video-alt/video?url=${embed}`);
    assert.deepEqual(same.body['video'], body['video']);
    const live = await world.call('/v1/video-alt/video?url=v2mill3');
    assert.match(JSON.stringify(live.body['video']), /"live":\{"status":"live","viewers":66/);
  });

  test('an origin from the sites file gets the same method, path, query and body', async () => {
    const { status } = await world.call('/v1/video/videos/R0b0tT00k_2');
    assert.equal(status, 404);
    const given = listFixtures().find(({ name }) => name === 'videos--player')?.case.pages ?? [];
    const wanted = given.map(({ requested, post = '' }) => ({
      site: 'video',
      origin: 'web',
      line: `POST ${requested.slice(new URL(requested).origin.length)}`,
      body: post.replace('Gr1stM1ll_0', 'R0b0tT00k_2'),
    }));
    assert.deepEqual(
      sites.seen.filter(({ body }) => body.includes('R0b0tT00k_2')),
      wanted,
    );
  });

  test('an origin with a private address is refused unless it is allowed', async () => {
    const { status, body } = await world.call('/v1/shop-a/product?asin=B0HARROW01&domain=de');
    assert.deepEqual([status, getErrorCode(body)], [400, 'invalid_request']);
    assert.match(JSON.stringify(body), /private|loopback|QUERN_ALLOW_TARGETS/);
  });

  for (const [path, status, code] of [
    ['codehost/repos?username=nobody-here', 404, 'not_found'],
    ['codehost/repos?username=ilse-miller&sort=stars', 400, 'invalid_request'],
    ['codehost/repos?username=spent', 429, 'target_rate_limited'],
    ['microblog/profile?username=nobody.example', 404, 'not_found'],
    ['microblog/profile?username=a%20b', 404, 'not_found'],
    ['microblog/posts?url=https://x.com/home', 400, 'invalid_request'],
    ['microblog/post?id=grist', 404, 'not_found'],
    ['microblog/post?url=https://bsky.app/profile/harrow.example', 400, 'invalid_request'],
    ['microblog/search?search=rye%20flour&network=mastodon', 400, 'invalid_request'],
    ['microblog/search?search=rye&network=myspace', 400, 'invalid_request'],
    ['musiccatalog/album?id=999', 404, 'not_found'],
    ['musiccatalog/album?id=403403', 429, 'target_rate_limited'],
    ['musiccatalog/album?url=https://music.apple.com/us/artist/x/4410', 400, 'invalid_request'],
    ['musiccatalog/track?id=880100', 404, 'not_found'],
    ['musiccatalog/track?url=https://music.apple.com/us/album/slow-water-ep/880100', 400, 'invalid_request'],
    ['musiccatalog/artist?id=999', 404, 'not_found'],
    ['musiccatalog/artist?url=https://music.apple.com/us/song/undershot/880102', 400, 'invalid_request'],
    ['musiccatalog/search?q=weir&type=playlist&country=DE', 502, 'unusable_response'],
    ['musicstream/track?id=NeverThere000000000001', 404, 'not_found'],
    ['musicstream/track?id=spotify:album:SlowWater0000000000001', 404, 'not_found'],
    ['musicstream/podcast?url=https://open.spotify.com/episode/FirstGrinding000000001', 400, 'invalid_request'],
    ['musicstream/search?q=weir&type=song', 400, 'invalid_request'],
    ['homestay/search?location=Harrow&check_in=2027-05-01', 400, 'invalid_request'],
    ['homestay/search?location=Harrow&ne_lat=51', 400, 'invalid_request'],
    ['homestay/listing?id=mill', 404, 'not_found'],
    ['homestay/listing?id=70010020030049', 404, 'not_found'],
    ['homestay/listing?id=70010020030040&check_in=2027-05-08&check_out=2027-05-01', 400, 'invalid_request'],
    ['homestay/reviews?url=https://www.airbnb.com/s/Harrow/homes', 400, 'invalid_request'],
    ['retail/product?id=mill', 404, 'not_found'],
    ['retail/product?id=70010099', 404, 'not_found'],
    ['retail/product?url=https://www.ikea.com/us/en/cat/mills-20649/', 400, 'invalid_request'],
    ['retail/search?url=https://www.ikea.com/us/en/p/mill-90210001/', 400, 'invalid_request'],
    ['retail/availability?id=70010020', 400, 'invalid_request'],
    ['retail/stores?zip=12', 400, 'invalid_request'],
    ['shortvideo/profile?username=nobody', 404, 'not_found'],
    ['shortvideo/profile?username=a%20b', 404, 'not_found'],
    ['shortvideo/video?id=7571863205253000009', 404, 'not_found'],
    ['shortvideo/video?url=https://www.tiktok.com/@harrow.mill', 400, 'invalid_request'],
    ['shortvideo/comments?id=grist', 404, 'not_found'],
    ['shortvideo/hashtag?hashtag=rye%20flour', 404, 'not_found'],
    ['vehicles/search?model=golf&zip=41363', 400, 'invalid_request'],
    ['vehicles/search?make=harrow&price_min=9&price_max=2', 400, 'invalid_request'],
    ['vehicles/search?make=harrow&radius=5', 400, 'invalid_request'],
    ['vehicles/search?url=https://www.autoscout24.com/offers/x', 400, 'invalid_request'],
    ['vehicles/vehicle?id=golf', 404, 'not_found'],
    ['vehicles/vehicle?id=70010020-0300-4001-8001-700100200399', 404, 'not_found'],
    ['video/videos/G0neF0rever', 404, 'not_found'],
    ['video/videos/C0nsentF1rs', 404, 'not_found'],
    ['video/videos/short', 404, 'not_found'],
    ['video/subtitles?video_id=G0neF0rever', 404, 'not_found'],
    ['video/subtitles?video_id=Gr1stM1ll_0&format=ass', 400, 'invalid_request'],
    ['video-alt/channel/videos?channel=nobody', 404, 'not_found'],
    ['video-alt/channel/videos?url=https://rumble.com/v2mill1-how-a-mill-turns.html', 400, 'invalid_request'],
    ['video-alt/video?url=https://rumble.com/embed/v2priv0/', 404, 'not_found'],
    ['video-alt/video?url=https://rumble.com/embed/v2none0/', 404, 'not_found'],
    ['video-alt/video?url=https://rumble.com/c/HarrowMill', 400, 'invalid_request'],
    ['socialnet/event', 400, 'invalid_request'],
    ['socialnet/event?url=https://elsewhere.example/events/700100200300400/', 400, 'invalid_request'],
    ['socialnet/event?id=700100200300499', 404, 'not_found'],
    ['socialnet/event?id=700100200300421', 429, 'target_rate_limited'],
    ['socialnet/page?username=nobody.here', 404, 'not_found'],
    ['socialnet/page?username=not/a/name', 404, 'not_found'],
    ['socialnet/posts?url=https://www.facebook.com/groups/milling', 400, 'invalid_request'],
    ['socialnet/page?url=https://www.facebook.com/harrowmill/posts/900100000000001', 400, 'invalid_request'],
    ['socialnet/posts?id=harrowmill', 404, 'not_found'],
    ['socialnet/post?url=https://www.facebook.com/harrowmill', 400, 'invalid_request'],
    ['socialnet/post?url=https://www.facebook.com/harrowmill/posts/900200000000099', 404, 'not_found'],
    ['socialnet/events/search?search=+', 400, 'invalid_request'],
    ['socialnet/marketplace/item?id=tractor', 404, 'not_found'],
    ['socialnet/marketplace/item?url=https://www.facebook.com/events/700100200300400/', 400, 'invalid_request'],
    ['socialnet/marketplace/item?id=700300400500699', 404, 'not_found'],
    ['socialnet/marketplace/search?search=mill&latitude=4', 400, 'invalid_request'],
    ['socialnet/marketplace/search?search=mill&min_price=9&max_price=2', 400, 'invalid_request'],
    ['socialnet/marketplace/search?search=mill&days_listed=3', 400, 'invalid_request'],
    ['socialnet/photos?username=nobody.here', 404, 'not_found'],
    ['socialnet/photos?url=https://www.facebook.com/groups/valleymillers', 400, 'invalid_request'],
    ['socialnet/reels?id=harrowmill', 404, 'not_found'],
    ['socialnet/group?id=nobodyshere', 404, 'not_found'],
    ['socialnet/group?id=feed', 404, 'not_found'],
    ['socialnet/group?url=https://www.facebook.com/harrowmill', 400, 'invalid_request'],
    ['socialnet/group/posts?id=valleymillers&sort=oldest', 400, 'invalid_request'],
    ['socialnet/adLibrary/ad?id=flour', 404, 'not_found'],
    ['socialnet/adLibrary/ad?url=https://www.facebook.com/harrowmill', 400, 'invalid_request'],
    ['socialnet/adLibrary/ad?id=800100000000001', 503, 'backend_unavailable'],
    ['socialnet/adLibrary/search/ads?search=mill&country=Ireland', 400, 'invalid_request'],
    ['socialnet/adLibrary/search/ads?search=mill&platforms=radio', 400, 'invalid_request'],
    ['socialnet/adLibrary/company/ads?page_id=harrowmill', 404, 'not_found'],
    ['forum/post?id=1hidden', 404, 'not_found'],
    ['forum/subreddit?name=closed_mill', 404, 'not_found'],
    ['forum/subreddit?name=all', 404, 'not_found'],
    ['forum/subreddit?name=milling&time=week', 400, 'invalid_request'],
    ['forum/user?username=nobody_here', 404, 'not_found'],
    ['forum/user?url=https://www.reddit.com/r/milling/', 400, 'invalid_request'],
    ['shop-a/product?asin=B0NOWHERE1', 404, 'not_found'],
    ['shop-a/product?asin=short', 404, 'not_found'],
    ['launches/leaderboard?date=2026-03-07&year=2026', 400, 'invalid_request'],
    ['launches/leaderboard?period=weekly&year=2026&day=7', 400, 'invalid_request'],
    ['launches/leaderboard?year=2026&month=2&day=30', 400, 'invalid_request'],
    ['launches/product?slug=no-such-mill', 404, 'not_found'],
    ['launches/product?url=https://www.producthunt.com/@ilse_miller', 400, 'invalid_request'],
    ['launches/maker?username=nobody_here', 404, 'not_found'],
    ['launches/maker?username=a%20b', 404, 'not_found'],
    ['launches/leaderboard?date=tomorrow', 400, 'invalid_request'],
    ['shop-a/pricing?asin=B0NOWHERE1', 404, 'not_found'],
    ['shop-a/pricing?asin=B0HARROW01&condition=broken', 400, 'invalid_request'],
    ['shop-w/product?id=700100999', 404, 'not_found'],
    ['shop-w/product?id=mill', 404, 'not_found'],
    ['shop-w/product?url=https://www.walmart.com/browse/700100200', 400, 'invalid_request'],
    ['jobs-d/jobs?keywords=mill&posted_within_days=4', 400, 'invalid_request'],
    ['jobs-d/job?job_id=HM-1', 404, 'not_found'],
    ['jobs-d/job?job_id=3f0d7c1e-8a52-4b6d-9e10-1a2b3c4d5e09', 404, 'not_found'],
    ['jobs-b/jobs?keywords=mill&location=Ohio', 400, 'invalid_request'],
    ['jobs-b/job?url=https://builtin.com/company/harrow-mill', 400, 'invalid_request'],
    ['jobs-b/job?url=https://builtin.com/job/no-such-job/7009999', 404, 'not_found'],
    ['jobs-s/jobs?keywords=mill&radius=5', 400, 'invalid_request'],
    ['jobs-s/job?job_id=short', 404, 'not_found'],
    ['jobs-s/job?job_id=qT3mil1systemsEng1neerAAAAAAAAAB', 404, 'not_found'],
    ['pinboard/profile?username=nobody-here', 404, 'not_found'],
    ['pinboard/profile?url=https://www.pinterest.com/pin/712345678905/', 400, 'invalid_request'],
    ['pinboard/pins?username=harrowmill&type=liked', 400, 'invalid_request'],
    ['pinboard/pin?id=12', 404, 'not_found'],
    ['pinboard/pin?id=712345678999', 404, 'not_found'],
    ['pinboard/search?search=', 400, 'invalid_request'],
    ['technews/front?list=new&page=2', 400, 'invalid_request'],
    ['technews/front?list=old', 400, 'invalid_request'],
    ['technews/item?id=99999999', 404, 'not_found'],
    ['technews/item?url=https://news.ycombinator.com/user?id=ilse', 400, 'invalid_request'],
    ['technews/user?username=nobody_here', 404, 'not_found'],
    ['technews/search?search=mill&author=a%20b', 400, 'invalid_request'],
    ['appstore/app?id=700100999', 404, 'not_found'],
    ['appstore/app?id=example.nothing', 404, 'not_found'],
    ['appstore/app?id=mill', 404, 'not_found'],
    ['appstore/search?search=mill&store=other', 400, 'invalid_request'],
    ['appstore/developer?url=https://apps.apple.com/us/app/harrow-mill/id700100200', 400, 'invalid_request'],
    ['appstore/reviews?id=700100200&country=usa', 400, 'invalid_request'],
    ['shop-a/search?search=mill&page=21', 400, 'invalid_request'],
    ['shop-a/search?search=mill&category=a%20b', 400, 'invalid_request'],
  ] as const)
    test(`${path} is ${status} ${code}`, async () => {
      const answer = await world.call(`/v1/${path}`);
      assert.deepEqual([answer.status, getErrorCode(answer.body)], [status, code], JSON.stringify(answer.body));
      assert.equal(answer.headers.get('x-credits-used'), '0');
    });

  for (const [site, one] of [
    ['jobs-d', 'job_id=3f0d7c1e-8a52-4b6d-9e10-1a2b3c4d5e01'],
    ['jobs-b', `url=${encodeURIComponent('https://www.builtinnyc.com/job/mill-systems-engineer/7001001')}`],
    ['jobs-s', 'job_id=qT3mil1systemsEng1neerAAAAAAAAAA'],
  ] as const)
    test(`${site}: a job search pages through its results, and one job is returned in full`, async () => {
      const first = await world.call(`/v1/${site}/jobs?q=mill&limit=2`);
      assert.deepEqual([first.status, first.body['partial']], [200, false], JSON.stringify(first.body));
      const cursor = encodeURIComponent(String(first.body['next_cursor']));
      const rest = await world.call(`/v1/${site}/jobs?q=mill&limit=2&cursor=${cursor}`);
      assert.match(JSON.stringify(rest.body['jobs']), /^\[\{"id":"[^"]+"[^[]*"title":"Waterwheel/);
      assert.equal(rest.body['next_cursor'], null);
      const none = await world.call(`/v1/${site}/jobs?keywords=perpetual`);
      assert.deepEqual([none.status, none.body['jobs']], [200, []], JSON.stringify(none.body));
      const { status, body } = await world.call(`/v1/${site}/job?${one}`);
      assert.equal(status, 200, JSON.stringify(body));
      assert.match(JSON.stringify(body['job']), /"title":"Mill Systems Engineer".*"description_text":"Keep the gears/);
    });

  test('an account is found by URL, and the cursor gives more pins', async () => {
    const address = encodeURIComponent('https://www.pinterest.co.uk/HarrowMill/_created/');
    const { status, body } = await world.call(`/v1/pinboard/profile?url=${address}`);
    assert.equal(status, 200, JSON.stringify(body));
    assert.match(JSON.stringify(body['profile']), /"username":"HarrowMill".*"followers":1204.*"monthly_views":null/);
    const first = await world.call('/v1/pinboard/pins?username=@HarrowMill&limit=2');
    assert.match(JSON.stringify(first.body['pins']), /Millstone 1.*Millstone 2/, JSON.stringify(first.body));
    const cursor = encodeURIComponent(String(first.body['next_cursor']));
    const rest = await world.call(`/v1/pinboard/pins?username=@HarrowMill&limit=2&cursor=${cursor}`);
    assert.match(JSON.stringify(rest.body['pins']), /^\[\{"id":"712345678903"/);
    assert.equal(rest.body['next_cursor'], null);
  });

  test('a pin is read from the API or else its page, and a search returns only pins', async () => {
    const film = await world.call('/v1/pinboard/pin?id=712345678905');
    assert.match(JSON.stringify(film.body['pin']), /"is_video":true.*"price":1250/, JSON.stringify(film.body));
    const page = await world.call('/v1/pinboard/pin?url=https://www.pinterest.com/pin/a-stone--712345678906/');
    assert.match(JSON.stringify(page.body['pin']), /^\{"id":"712345678906"/, JSON.stringify(page.body));
    const found = await world.call('/v1/pinboard/search?q=millstone');
    assert.doesNotMatch(JSON.stringify(found.body['results']), /More ideas/);
    assert.match(JSON.stringify(found.body['results']), /Millstone 1.*Millstone 3/, JSON.stringify(found.body));
    const none = await world.call('/v1/pinboard/search?q=sawdust');
    assert.deepEqual([none.status, none.body['results'], none.body['next_cursor']], [200, [], null]);
  });

  test('a technology news list follows its own links, and falls back to the search index when rate limited', async () => {
    const first = await world.call('/v1/technews/front?limit=2');
    assert.match(JSON.stringify(first.body['items']), /"id":"40000001".*"id":"40000002"/, JSON.stringify(first.body));
    const cursor = encodeURIComponent(String(first.body['next_cursor']));
    const rest = await world.call(`/v1/technews/front?cursor=${cursor}`);
    assert.match(JSON.stringify(rest.body['items']), /"id":"40000003","type":"job".*"id":"40000004"/);
    assert.equal(rest.body['next_cursor'], null);
    const newest = await world.call('/v1/technews/front?list=new&limit=1');
    assert.deepEqual([newest.status, newest.body['partial']], [200, true], JSON.stringify(newest.body));
  });

  test('a story has its comments, and users and searches are returned', async () => {
    const { status, body } = await world.call('/v1/technews/item?id=40000001');
    assert.deepEqual([status, body['partial']], [200, false], JSON.stringify(body));
    assert.match(JSON.stringify(body['comments']), /"id":"40000010".*"depth":1.*"id":"40000012".*"depth":2/);
    const person = await world.call('/v1/technews/user?id=ilse');
    assert.match(JSON.stringify(person.body['user']), /"karma":2937.*"submission_count":2/);
    const found = await world.call('/v1/technews/search?q=moonlight');
    assert.match(JSON.stringify(found.body['results']), /"id":"40000001".*"id":"40000010","type":"comment"/);
    const none = await world.call('/v1/technews/search?q=sawdust');
    assert.deepEqual([none.status, none.body['results']], [200, []]);
  });

  test('apps of both stores are found by id with their reviews, and a developer has its apps', async () => {
    for (const [id, said] of [
      ['700100200', /"store":"apple".*"title":"Harrow Mill".*"size_bytes":52428800/],
      ['example.harrow.mill', /"store":"play".*"title":"Harrow Mill".*"version":"2\.1\.0"/],
    ] as const) {
      const { status, body } = await world.call(`/v1/appstore/app?id=${id}`);
      assert.deepEqual([status, body['partial']], [200, false], JSON.stringify(body));
      assert.match(JSON.stringify(body['app']), said);
    }
    const all = await world.call('/v1/appstore/reviews?id=700100200&limit=60');
    assert.match(JSON.stringify(all.body['reviews']), /"title":"Review 0".*"title":"Review 49".*"title":"The last"/);
    assert.equal(all.body['next_cursor'], null);
    const answered = await world.call('/v1/appstore/reviews?id=example.harrow.mill');
    assert.match(JSON.stringify(answered.body['reviews']), /"reply":\{"text":"Thank you\."/);
    const works = await world.call('/v1/appstore/developer?id=700100300');
    assert.match(JSON.stringify(works.body), /"name":"Harrow Works".*"title":"Gear Counter"/);
    for (const store of ['apple', 'play']) {
      const found = await world.call(`/v1/appstore/search?q=mill&store=${store}`);
      assert.match(JSON.stringify(found.body['results']), /"title":"Gear Counter"/, JSON.stringify(found.body));
      const none = await world.call(`/v1/appstore/search?q=sawdust&store=${store}`);
      assert.deepEqual([none.status, none.body['results']], [200, []], JSON.stringify(none.body));
    }
  });

  for (const [kind, property] of [
    ['hotel-a.rate', { url: 'https://www.agoda.com/en-gb/weir-house/hotel/harrow-gb.html' }],
    ['hotel-b.rate', { property_id: 'gb/weir-house' }],
  ] as const)
    test(`${kind} has no route, and as a job returns the cheapest rate of a stay`, async () => {
      const input = { ...property, check_in: '2027-05-01', check_out: '2027-05-04', rooms: 2, currency: 'EUR' };
      const { body } = await world.call('/v1/jobs', { kind, input });
      const path = `/v1/jobs/${String(body['id'])}`;
      await world.call(`${path}?wait_ms=30000`);
      const result = await world.call(`${path}/result`);
      assert.equal(result.status, 200, JSON.stringify(result.body));
      assert.match(JSON.stringify(result.body), /"price":600,.*"currency":"EUR"/);
    });

  test('a site that rate-limits gives 429 with Retry-After', async () => {
    const { status, body, headers } = await world.call('/v1/codehost/user?username=spent');
    assert.deepEqual([status, getErrorCode(body)], [429, 'target_rate_limited']);
    assert.equal(headers.get('retry-after'), '1800');
  });
});

const NOTHING_FOUND = { tracks: null, artists: null, albums: null, playlists: null, podcasts: null, episodes: null };

function getErrorCode({ error }: Readonly<Record<string, unknown>>): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : null;
}

/** Adds an origin of a site to a sites file. */
function settle(file: string, site: string, name: string, origin: string): void {
  const settled: unknown = JSON.parse(readFileSync(file, 'utf8'));
  const origins = { ...Object(getMember(getMember(settled, site), 'origins')), [name]: origin };
  writeFileSync(file, JSON.stringify({ ...Object(settled), [site]: { origins } }));
}
