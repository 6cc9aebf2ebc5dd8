import { buildErrorStep, buildFetchStep, buildGetStep, type Step } from './step.ts';
import { buildHotelRateSteps, buildPriceSteps } from './monitor-steps.ts';
import type { WebhookReceiver } from './receiver.ts';

export type Chapter = { readonly title: string; readonly steps: readonly Step[] };

/** The origins that the tour uses. */
export type TourOrigins = {
  readonly site: string;
  readonly receiver: Pick<WebhookReceiver, 'origin' | 'heard'>;
  /** Origin of the mock site of the first hotel provider. */
  readonly hotelA: string;
};

/** Builds the chapters of the tour. */
export function buildChapters({ site, receiver, hotelA }: TourOrigins): readonly Chapter[] {
  return [
    { title: 'One page in every output format', steps: buildOutputSteps(site) },
    { title: 'Formats other than plain HTML', steps: buildFormatSteps(site) },
    { title: 'A price monitor, and the webhook event about a change', steps: buildPriceSteps(site, receiver) },
    {
      title: 'One stay on two hotel sites, and the alert when their prices differ',
      steps: buildHotelRateSteps(hotelA, receiver),
    },
    { title: 'Pages that block visitors, and pages that only look like it', steps: buildLabSteps(site) },
    {
      title: 'Pages that plain HTTP cannot get: the access tiers, and what each costs',
      steps: buildLadderSteps(site),
    },
    { title: 'Records of known sites, from mock sites', steps: buildSiteSteps() },
    { title: 'A search over fetched pages, and an answer from them', steps: buildSearchSteps(site) },
    { title: 'A cached page costs less', steps: buildCacheSteps(site) },
    { title: 'Error responses explain the problem', steps: buildErrorSteps(site) },
    { title: 'Usage and request log', steps: buildAccountSteps() },
  ];
}

function buildOutputSteps(site: string): readonly Step[] {
  const wheel = `${site}/articles/the-wheel-turns-again`;
  const rye = `${site}/shop/whole-rye-flour`;
  return [
    buildFetchStep('An article as markdown: the text without menus and sidebars', { url: wheel }, [
      'markdown',
      'usage',
    ]),
    buildFetchStep(
      'The first 300 characters as plain text, and where the next part starts',
      { url: `${site}/articles/keeping-a-rye-starter`, output: ['text'], max_chars: 300 },
      ['text', 'truncated', 'next_offset'],
    ),
    buildFetchStep('The same content as clean HTML', { url: wheel, output: ['html'] }, ['html']),
    buildFetchStep('The page as it came', { url: wheel, output: ['raw_html'] }, ['raw_html']),
    buildFetchStep('What the page says of itself', { url: wheel, output: ['metadata'] }, ['metadata']),
    buildFetchStep('The links of the front page', { url: `${site}/`, output: ['links'] }, ['links']),
    buildFetchStep('The images of an article', { url: `${site}/articles/measuring-a-grind`, output: ['images'] }, [
      'images',
    ]),
    buildFetchStep(
      'A table with spans, as rows',
      { url: `${site}/articles/grain-prices-this-autumn`, output: ['tables'] },
      ['tables'],
    ),
    buildFetchStep(
      'A product from the data that shops put into their pages',
      { url: rye, output: ['structured_data'] },
      ['structured_data.json_ld', 'structured_data.opengraph'],
    ),
    {
      ...buildFetchStep(
        'Only the fields you want: some by name, one by selector',
        {
          url: rye,
          output: ['json'],
          extract: {
            fields: {
              name: 'string',
              price: 'money',
              availability: 'string',
              stock: { selector: '.stock', type: 'string' },
            },
          },
        },
        ['json'],
      ),
      expect: { status: 200, members: { 'json.availability': 'InStock', 'json.stock': 'In stock' } },
    },
  ];
}

function buildFormatSteps(site: string): readonly Step[] {
  return [
    buildFetchStep('A feed, as markdown', { url: `${site}/feed.xml` }, ['markdown']),
    buildFetchStep('A CSV file, as a table', { url: `${site}/data/prices.csv` }, ['markdown']),
    buildFetchStep('A page in Shift_JIS', { url: `${site}/charset/shift-jis` }, ['markdown', 'metadata.charset']),
    buildFetchStep('A page that does not say its charset', { url: `${site}/charset/none` }, ['markdown', 'warnings']),
    {
      ...buildFetchStep(
        'Your own headers and cookies, as the site saw them',
        {
          url: `${site}/echo`,
          headers: { 'x-miller': 'Ilse' },
          cookies: [{ name: 'loaf', value: 'rye' }],
          output: ['json'],
          extract: {
            fields: {
              miller: { json_path: "$.headers['x-miller']", type: 'string' },
              cookie: { json_path: '$.headers.cookie', type: 'string' },
            },
          },
        },
        ['json'],
      ),
      expect: { status: 200, members: { json: { miller: 'Ilse', cookie: 'loaf=rye' } } },
    },
    {
      ...buildFetchStep('A page that is broken on their side is still an answer', { url: `${site}/broken` }, [
        'status_code',
        'markdown',
        'warnings',
      ]),
      expect: { status: 200, members: { status_code: 500 } },
    },
  ];
}

function buildLabSteps(site: string): readonly Step[] {
  return [
    {
      ...buildFetchStep(
        'An article about blocks is no block',
        { url: `${site}/lab/look-alike/article`, output: ['text'] },
        ['text', 'attempts'],
      ),
      expect: { status: 200, members: { 'attempts.0.outcome': 'ok' } },
    },
    {
      ...buildFetchStep(
        'A form with a captcha beside it is no block',
        { url: `${site}/lab/look-alike/contact`, output: ['metadata'] },
        ['attempts'],
      ),
      expect: { status: 200, members: { 'attempts.0.outcome': 'ok' } },
    },
    {
      ...buildFetchStep(
        'A page that its scripts would fill, read from what it embeds: no browser was needed',
        {
          url: `${site}/lab/shell/described`,
          output: ['json'],
          extract: { fields: { name: 'string', price: 'money' } },
        },
        ['json', 'attempts'],
      ),
      expect: {
        status: 200,
        members: { 'attempts.0.outcome': 'js_required', 'json.name': 'Whole rye flour', 'usage.tier': 'http' },
      },
    },
    {
      ...buildFetchStep('A page that leads to a login', { url: `${site}/lab/ledger` }, ['final_url', 'warnings']),
      expect: { status: 200, members: { 'attempts.0.outcome': 'auth_required' } },
    },
  ];
}

function buildLadderSteps(site: string): readonly Step[] {
  const shown = ['text', 'attempts', 'usage'];
  return [
    {
      ...buildFetchStep(
        'A page that only a browser can read: its scripts bring the text',
        { url: `${site}/lab/shell`, output: ['text'] },
        shown,
      ),
      needs: ['browser'],
      expect: { status: 200, members: { 'attempts.0.outcome': 'js_required', 'usage.tier': 'browser' } },
    },
    {
      ...buildFetchStep(
        'A page that turns this address away, and lets a proxy in',
        { url: `${site}/lab/address`, output: ['text'] },
        shown,
      ),
      needs: ['proxies'],
      expect: { status: 200, members: { 'attempts.0.outcome': 'blocked', 'usage.tier': 'proxy', 'usage.credits': 10 } },
    },
    {
      ...buildFetchStep(
        'A page behind a vendor of blocks, by a browser behind a residential proxy',
        { url: `${site}/lab/vendor`, output: ['text'], proxy: 'stealth' },
        shown,
      ),
      needs: ['browser', 'proxies'],
      expect: { status: 200, members: { 'usage.tier': 'proxy_browser', 'usage.credits': 67 } },
    },
    buildErrorStep('A page that nothing passes', { url: `${site}/blocked/403` }, [502, 'target_blocked']),
    {
      ...buildGetStep('What was tried at it, and that it cost nothing', '/v1/requests/{last}', ['credits', 'attempts']),
      expect: { status: 200, members: { credits: 0, 'attempts.0.outcome': 'blocked' } },
    },
    buildErrorStep('A block that says it is a good answer', { url: `${site}/lab/vendor`, proxy: 'basic' }, [
      502,
      'target_blocked',
    ]),
  ];
}

function buildSiteSteps(): readonly Step[] {
  return [
    {
      ...buildGetStep('A profile of a code host, by its login', '/v1/codehost/user?username=ilse-miller', [
        'user',
        'partial',
        'usage',
      ]),
      expect: { status: 200, members: { provider: 'codehost', 'user.name': 'Ilse Harrow', 'usage.credits': 15 } },
    },
    {
      ...buildGetStep(
        'Where its interface is spent, its page serves, and the answer says what that leaves out',
        RATE_LIMITED_PATH,
        ['user.login', 'partial', 'warnings'],
      ),
      expect: { status: 200, members: { partial: true, 'user.login': 'spent-today' } },
    },
    {
      ...buildGetStep('A video by its address: the page takes us for a robot, its interface does not', VIDEO_PATH, [
        'video.title',
        'video.channel',
        'video.chapters',
        'video.data_source',
      ]),
      expect: { status: 200, members: { provider: 'video', 'video.title': 'How a mill turns', partial: true } },
    },
    {
      ...buildGetStep(
        'An album that is only streamed there: the lookup lists no tracks, the page does',
        '/v1/musiccatalog/album?id=880100&country=DE',
        ['album.name', 'album.tracks', 'source_url'],
      ),
      expect: { status: 200, members: { provider: 'musiccatalog', 'album.track_count': 2, 'usage.credits': 15 } },
    },
    {
      ...buildGetStep('The subtitles of a video, as plain text', '/v1/video/subtitles?id=Gr1stM1ll_0&format=text', [
        'language_code',
        'origin',
        'text',
      ]),
      expect: { status: 200, members: { provider: 'video', language_code: 'en', 'usage.credits': 15 } },
    },
    {
      ...buildGetStep('A community of a forum with its posts; the cursor leads to the next', FORUM_PATH, [
        'subreddit.name',
        'posts.0.title',
        'next_cursor',
      ]),
      expect: { status: 200, members: { provider: 'forum', 'posts.0.id': '1mill0', 'usage.credits': 15 } },
    },
    {
      ...buildGetStep('A profile that is not there costs nothing', '/v1/codehost/user?username=nobody-here', ['error']),
      expect: { status: 404, members: { 'error.code': 'not_found' } },
    },
  ];
}

const VIDEO_PATH = `/v1/video/videos/${encodeURIComponent('https://youtu.be/R0b0tT00k_1')}`;
const FORUM_PATH = '/v1/forum/subreddit?subreddit=milling&sort=top&time=week&limit=2';
const RATE_LIMITED_PATH = '/v1/codehost/user?username=spent-today';

function buildSearchSteps(site: string): readonly Step[] {
  return [
    {
      ...buildGetStep(
        'What was fetched goes into an index by itself: QUERN_SEARCH_INDEX=on',
        '/v1/fast-search?search=rye+starter+schedule',
        ['organic_results.0', 'meta_data.engines', 'usage'],
      ),
      patience: 'waits',
      expect: { status: 200, members: { 'organic_results.0.url': `${site}/articles/keeping-a-rye-starter` } },
    },
    {
      ...buildGetStep(
        'Sentences of those pages as an answer, each with its source; with QUERN_MODEL a model writes it',
        '/v1/answerengine/prompt?prompt=Why+did+the+wheel+of+the+mill+stop%3F',
        ['model', 'answer_markdown', 'sources', 'usage'],
      ),
      expect: {
        status: 200,
        members: { model: 'extractive-1', 'sources.0.url': `${site}/articles/the-wheel-turns-again` },
      },
    },
  ];
}

function buildCacheSteps(site: string): readonly Step[] {
  return [
    {
      ...buildFetchStep(
        'The first article again, at most an hour old: one credit instead of two, and no visit',
        { url: `${site}/articles/the-wheel-turns-again`, output: ['metadata'], max_age_ms: 3_600_000 },
        ['cache', 'usage'],
      ),
      expect: { status: 200, members: { 'cache.hit': true, 'usage.credits': 1, 'usage.tier': 'cache' } },
    },
  ];
}

function buildErrorSteps(site: string): readonly Step[] {
  const url = `${site}/articles/bridge-closed-on-sunday`;
  return [
    { ...buildErrorStep('No key', { url }, [401, 'missing_api_key']), key: 'none' },
    { ...buildErrorStep('A key nobody made', { url }, [401, 'invalid_api_key']), key: 'wrong' },
    buildErrorStep('A misspelt member', { url, ouput: ['text'] }, [400, 'invalid_request']),
    buildErrorStep('A private address that was not allowed', { url: 'http://10.0.0.1/' }, [400, 'invalid_request']),
    buildErrorStep('A redirect to such an address', { url: `${site}/redirect/private` }, [502, 'target_unreachable']),
    buildErrorStep('A page slower than you can wait', { url: `${site}/slow?ms=8000`, timeout_ms: 1_000 }, [
      504,
      'timeout',
    ]),
    buildErrorStep('A country where no proxy of it is set up', { url, country: 'de' }, [503, 'backend_unavailable']),
  ];
}

function buildAccountSteps(): readonly Step[] {
  return [
    buildGetStep('The balance', '/v1/usage', ['plan', 'credits_used', 'credits_remaining', 'daily_used']),
    buildGetStep('Usage by operation', '/v1/usage/history?by=operation', ['data']),
    buildGetStep('The last three requests', '/v1/requests?limit=3', ['data']),
    buildGetStep('The first request of this tour, with its attempts', '/v1/requests/{first}', [
      'status',
      'credits',
      'attempts',
    ]),
    buildGetStep('What this instance can do', '/v1/capabilities', ['version', 'outputs', 'tiers']),
  ];
}
