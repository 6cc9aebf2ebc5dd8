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

test('parses the recorded stores around a place', { skip: SKIP_RECORDED }, () => {
  const { stores } = findRecord('retail.stores', 'nearby-stores-2024.json');
  assert.equal(toArray(stores).length, 15);
  assertFields(stores, {
    '0.id': '1750',
    '0.name': 'Centerville',
    '0.address': '200 N Market Place Dr',
    '0.city': 'Centerville',
    '0.region': 'UT',
    '0.zip': '84014-1752',
    '0.country': 'US',
    '0.phone': '801-292-0071',
    '0.distance_miles': 2.05,
    '0.status': 'Open',
    '1.id': '1755',
    '1.distance_miles': 12.61,
    '2.name': 'Salt Lake City',
    '14.id': '2898',
    '14.zip': '84660-1300',
  });
});

test(
  'a recorded product without pictures in its structured data has the preview picture',
  { skip: SKIP_RECORDED },
  () => {
    assertFields(findRecord('retail.product', 'wcxb_bestbuy_product.html')['product'], {
      id: '10124570',
      brand: 'Microsoft',
      'price.current': 1099.99,
      'price.currency': 'USD',
      rating: 4.8,
      review_count: 333,
      'images.0':
        'https://pisces.bbystatic.com/image2/BestBuy_US/images/products/6582/6582841_sd.jpg;maxHeight=1080;maxWidth=900?format=webp',
      'availability.shipping': 'in_stock',
      'breadcrumbs.2': 'Microsoft',
    });
  },
);

test('parses a recorded search for apps in order', { skip: SKIP_RECORDED }, () => {
  const { results } = findRecord('appstore.search', 'mac-slack.json');
  assert.equal(toArray(results).length, 39);
  assertFields(results, {
    '0.id': '803453959',
    '0.store': 'apple',
    '0.title': 'Slack',
    '0.url': 'https://apps.apple.com/us/app/slack/id803453959',
    '0.developer.id': '453420243',
    '0.developer.name': 'Slack Technologies, Inc.',
    '0.developer.website_url': 'https://slack.com/',
    '0.price': 0,
    '0.currency': 'USD',
    '0.price_text': 'Free',
    '0.is_free': true,
    '0.category': 'Business',
    '1.title': 'Spark – Email App by Readdle',
    '11.title': 'Activebot for Slack',
  });
});

test('parses a recorded user of the news forum', { skip: SKIP_RECORDED }, () => {
  const { user } = findRecord('technews.user', 'user-jl.json');
  assertFields(user, {
    karma: 2937,
    created_at: '2007-03-15T01:50:46.000Z',
    about_html: '<p>This is a test</p>',
    about_text: 'This is a test',
    submission_count: 256,
    'submission_ids.0': '8265435',
    'submission_ids.1': '8168423',
    'submission_ids.2': '8090946',
  });
  assert.equal(toArray(Object(user).submission_ids).length, 100);
  assert.equal(Object(user).url, `https://news.ycombinator.com/user?id=${String(Object(user).username)}`);
});

test('rejects answers about other objects', { skip: SKIP_RECORDED }, () => {
  const stores = findReading('retail.stores', 'nearby-stores-2024.json');
  const person = findReading('technews.user', 'user-jl.json');
  const apps = findReading('appstore.search', 'mac-slack.json');
  const songs = readRecorded('musiccatalog/search', 'songs.json');
  assert.equal(readInstead(stores, { body: songs }).kind, 'unusable', 'songs in the place of stores');
  assert.equal(readInstead(person, { body: songs }).kind, 'unusable', 'songs in the place of a person');
  assert.equal(readInstead(person, { body: 'null' }).kind, 'not_found', 'nobody of that name');
  assert.equal(readInstead(apps, { body: songs }).kind, 'unusable', 'songs in the place of apps');
  const product = findReading('retail.product', 'wcxb_bestbuy_product.html');
  const category = readRecorded('retail-chain/search', 'wcxb_ikea_category.html');
  assert.equal(readInstead(product, { body: category }).kind, 'unusable', 'a category in the place of a product');
  const post = findReading('forum.post', 'pl_www.reddit.com--video.html');
  const foreign = readRecorded('forum/post', 'wcxb_lemmy_post.html');
  assert.equal(readInstead(post, { body: foreign }).kind, 'unusable', 'a post of another forum');
  const repo = findReading('codehost.repo', 'Repository.setUp.txt');
  const other = readRecorded('codehost/repo', 'xray_repos_aaronpk_XRay.http');
  assert.equal(readInstead(repo, { body: other }).kind, 'unusable', 'another repository');
});

test('rejects the addresses of other kinds of pages, and names the kind', () => {
  const cases: readonly (readonly [string, string, string, readonly string[]])[] = [
    [
      'appstore.app',
      '',
      'https://apps.apple.com/us/app/slack/id803453959',
      [
        'https://apps.apple.com/us/developer/x/id453420243',
        'https://apps.apple.com/us/story/id12',
        'https://apps.apple.com/us/charts/iphone',
        'https://play.google.com/store/apps/dev?id=12',
        'https://play.google.com/store/search?q=x',
        'https://play.google.com/store/books/details?id=x',
      ],
    ],
    [
      'appstore.developer',
      '',
      'https://play.google.com/store/apps/dev?id=12',
      ['https://apps.apple.com/us/app/slack/id80'],
    ],
    [
      'codehost.user',
      'https://github.com',
      '/ilse-miller',
      ['/ilse-miller/rye-journal', '/trending', '/search?q=x', '/topics', '/marketplace', '/login', '/settings'],
    ],
    ['codehost.repos', 'https://github.com', '/orgs/ilse/repositories', ['/ilse-miller/rye-journal', '/trending']],
    [
      'codehost.repo',
      'https://github.com',
      '/ilse-miller/rye-journal/issues/3',
      ['/ilse-miller', '/topics/x', '/orgs/x/repositories', '/sponsors/x', '/collections/x', '/settings/profile'],
    ],
    [
      'forum.post',
      'https://www.reddit.com',
      '/r/a/comments/3hahrw/x/',
      ['/r/a', '/user/x', '/search?q=x', '/r/a/wiki/index'],
    ],
    [
      'forum.subreddit',
      'https://www.reddit.com',
      '/r/mills/new',
      ['/r/a/comments/3hahrw/x/', '/user/x', '/r/a/wiki/index'],
    ],
    ['forum.user', 'https://www.reddit.com', '/user/miller', ['/r/a', '/r/a/comments/3hahrw/x/', '/search?q=x']],
    [
      'launches.product',
      'https://www.producthunt.com',
      '/products/quern',
      ['/@ilse', '/topics/ai', '/search?q=x', '/stories/x'],
    ],
    ['launches.maker', 'https://www.producthunt.com', '/@ilse', ['/products/quern', '/posts/quern', '/topics/ai']],
    ['technews.item', 'https://news.ycombinator.com', '/item?id=1', ['/user?id=x', '/newest', '/from?site=x.com']],
    ['technews.user', 'https://news.ycombinator.com', '/user?id=x', ['/item?id=1', '/submitted?id=x', '/newest']],
    [
      'retail.product',
      '',
      'https://www.target.com/p/lodge/-/A-10291923',
      [
        'https://www.target.com/c/kitchen/-/N-5xtnr',
        'https://www.target.com/s?searchTerm=x',
        'https://www.target.com/sl/x/1750',
        'https://www.ikea.com/us/en/cat/desks-20649/',
        'https://www.bestbuy.com/site/searchpage.jsp?st=x',
      ],
    ],
    [
      'retail.search',
      '',
      'https://www.ikea.com/us/en/cat/desks-20649/',
      ['https://www.ikea.com/us/en/p/x-10291923/', 'https://www.target.com/p/lodge/-/A-10291923'],
    ],
    ['microblog.post', 'https://x.com', '/a/status/12', ['/a', '/search?q=x', '/i/lists/12', '/a/followers']],
    ['microblog.profile', 'https://x.com', '/a', ['/a/status/12', '/search?q=x', '/i/lists/12', '/settings', '/home']],
    ['microblog.posts', 'https://bsky.app', '/profile/a.example', ['/profile/a.example/post/3k', '/search?q=x']],
  ];
  for (const [endpoint, base, taken, refused] of cases) {
    assert.equal(findRefusal(endpoint, { url: `${base}${taken}` }), null, `${endpoint} ${taken}`);
    for (const path of refused)
      assert.match(
        findRefusal(endpoint, { url: `${base}${path}` }) ?? 'taken',
        /^url: is the address of .+, not of an? \w+$|^url: is not a category/,
        `${endpoint} ${path}`,
      );
  }
});
