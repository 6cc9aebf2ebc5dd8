import { errorStep, fetchStep, getStep, type Step } from './step.ts';
import { rateSteps } from './rates.ts';
import type { Receiver } from './receiver.ts';
import { watchSteps } from './watching.ts';

export type Chapter = { readonly title: string; readonly steps: readonly Step[] };

/** Where the tour goes. */
export type Places = {
  readonly site: string;
  readonly receiver: Pick<Receiver, 'origin' | 'heard'>;
  /** Where the first hotel site is rehearsed. */
  readonly hotelA: string;
};

/** The tour over these places. */
export function buildChapters({ site, receiver, hotelA }: Places): readonly Chapter[] {
  return [
    { title: 'One page in every form', steps: formSteps(site) },
    { title: 'Things that are not plain HTML', steps: oddSteps(site) },
    { title: 'A price that is watched, and the event that says it moved', steps: watchSteps(site, receiver) },
    {
      title: 'One stay on two hotel sites, and the alert that their prices are apart',
      steps: rateSteps(hotelA, receiver),
    },
    { title: 'Pages that keep visitors out, and pages that only look so', steps: labSteps(site) },
    {
      title: 'Pages that plain HTTP does not get: the ladder, and what each step of it costs',
      steps: ladderSteps(site),
    },
    { title: 'A record of a known site, rehearsed here', steps: siteSteps() },
    { title: 'A search over what was fetched, and an answer from it', steps: searchSteps(site) },
    { title: 'The second time is cheaper', steps: cacheSteps(site) },
    { title: 'When something is wrong, the answer says what', steps: errorSteps(site) },
    { title: 'What it cost, and what was asked', steps: accountSteps() },
  ];
}

function formSteps(site: string): readonly Step[] {
  const wheel = `${site}/articles/the-wheel-turns-again`;
  const rye = `${site}/shop/whole-rye-flour`;
  return [
    fetchStep('An article as markdown: the text without menus and sidebars', { url: wheel }, ['markdown', 'usage']),
    fetchStep(
      'The first 300 characters as plain text, and where the next part starts',
      { url: `${site}/articles/keeping-a-rye-starter`, output: ['text'], max_chars: 300 },
      ['text', 'truncated', 'next_offset'],
    ),
    fetchStep('The same content as clean HTML', { url: wheel, output: ['html'] }, ['html']),
    fetchStep('The page as it came', { url: wheel, output: ['raw_html'] }, ['raw_html']),
    fetchStep('What the page says of itself', { url: wheel, output: ['metadata'] }, ['metadata']),
    fetchStep('The links of the front page', { url: `${site}/`, output: ['links'] }, ['links']),
    fetchStep('The images of an article', { url: `${site}/articles/measuring-a-grind`, output: ['images'] }, [
      'images',
    ]),
    fetchStep('A table with spans, as rows', { url: `${site}/articles/grain-prices-this-autumn`, output: ['tables'] }, [
      'tables',
    ]),
    fetchStep('A product from the data that shops put into their pages', { url: rye, output: ['structured_data'] }, [
      'structured_data.json_ld',
      'structured_data.opengraph',
    ]),
    {
      ...fetchStep(
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

function oddSteps(site: string): readonly Step[] {
  return [
    fetchStep('A feed, as markdown', { url: `${site}/feed.xml` }, ['markdown']),
    fetchStep('A CSV file, as a table', { url: `${site}/data/prices.csv` }, ['markdown']),
    fetchStep('A page in Shift_JIS', { url: `${site}/charset/shift-jis` }, ['markdown', 'metadata.charset']),
    fetchStep('A page that does not say its charset', { url: `${site}/charset/none` }, ['markdown', 'warnings']),
    {
      ...fetchStep(
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
      ...fetchStep('A page that is broken on their side is still an answer', { url: `${site}/broken` }, [
        'status_code',
        'markdown',
        'warnings',
      ]),
      expect: { status: 200, members: { status_code: 500 } },
    },
  ];
}

function labSteps(site: string): readonly Step[] {
  return [
    {
      ...fetchStep('An article about blocks is no block', { url: `${site}/lab/look-alike/article`, output: ['text'] }, [
        'text',
        'attempts',
      ]),
      expect: { status: 200, members: { 'attempts.0.outcome': 'ok' } },
    },
    {
      ...fetchStep(
        'A form with a captcha beside it is no block',
        { url: `${site}/lab/look-alike/contact`, output: ['metadata'] },
        ['attempts'],
      ),
      expect: { status: 200, members: { 'attempts.0.outcome': 'ok' } },
    },
    {
      ...fetchStep(
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
      ...fetchStep('A page that leads to a login', { url: `${site}/lab/ledger` }, ['final_url', 'warnings']),
      expect: { status: 200, members: { 'attempts.0.outcome': 'auth_required' } },
    },
  ];
}

function ladderSteps(site: string): readonly Step[] {
  const shown = ['text', 'attempts', 'usage'];
  return [
    {
      ...fetchStep(
        'A page that only a browser can read: its scripts bring the text',
        { url: `${site}/lab/shell`, output: ['text'] },
        shown,
      ),
      needs: ['browser'],
      expect: { status: 200, members: { 'attempts.0.outcome': 'js_required', 'usage.tier': 'browser' } },
    },
    {
      ...fetchStep(
        'A page that turns this address away, and lets a proxy in',
        { url: `${site}/lab/address`, output: ['text'] },
        shown,
      ),
      needs: ['proxies'],
      expect: { status: 200, members: { 'attempts.0.outcome': 'blocked', 'usage.tier': 'proxy', 'usage.credits': 10 } },
    },
    {
      ...fetchStep(
        'A page behind a vendor of blocks, by a browser behind a residential proxy',
        { url: `${site}/lab/vendor`, output: ['text'], proxy: 'stealth' },
        shown,
      ),
      needs: ['browser', 'proxies'],
      expect: { status: 200, members: { 'usage.tier': 'proxy_browser', 'usage.credits': 67 } },
    },
    errorStep('A page that nothing passes', { url: `${site}/blocked/403` }, [502, 'target_blocked']),
    {
      ...getStep('What was tried at it, and that it cost nothing', '/v1/requests/{last}', ['credits', 'attempts']),
      expect: { status: 200, members: { credits: 0, 'attempts.0.outcome': 'blocked' } },
    },
    errorStep('A block that says it is a good answer', { url: `${site}/lab/vendor`, proxy: 'basic' }, [
      502,
      'target_blocked',
    ]),
  ];
}

function siteSteps(): readonly Step[] {
  return [
    {
      ...getStep('A profile of a code host, by its login', '/v1/codehost/user?username=ilse-miller', [
        'user',
        'partial',
        'usage',
      ]),
      expect: { status: 200, members: { provider: 'codehost', 'user.name': 'Ilse Harrow', 'usage.credits': 15 } },
    },
    {
      ...getStep('Where its interface is spent, its page serves, and the answer says what that leaves out', SPENT, [
        'user.login',
        'partial',
        'warnings',
      ]),
      expect: { status: 200, members: { partial: true, 'user.login': 'spent-today' } },
    },
    {
      ...getStep('A video by its address: the page takes us for a robot, its interface does not', VIDEO, [
        'video.title',
        'video.channel',
        'video.chapters',
        'video.data_source',
      ]),
      expect: { status: 200, members: { provider: 'video', 'video.title': 'How a mill turns', partial: true } },
    },
    {
      ...getStep(
        'An album that is only streamed there: the lookup lists no tracks, the page does',
        '/v1/musiccatalog/album?id=880100&country=DE',
        ['album.name', 'album.tracks', 'source_url'],
      ),
      expect: { status: 200, members: { provider: 'musiccatalog', 'album.track_count': 2, 'usage.credits': 15 } },
    },
    {
      ...getStep('The subtitles of a video, as plain text', '/v1/video/subtitles?id=Gr1stM1ll_0&format=text', [
        'language_code',
        'origin',
        'text',
      ]),
      expect: { status: 200, members: { provider: 'video', language_code: 'en', 'usage.credits': 15 } },
    },
    {
      ...getStep('A community of a forum with its posts; the cursor leads to the next', FORUM, [
        'subreddit.name',
        'posts.0.title',
        'next_cursor',
      ]),
      expect: { status: 200, members: { provider: 'forum', 'posts.0.id': '1mill0', 'usage.credits': 15 } },
    },
    {
      ...getStep('A profile that is not there costs nothing', '/v1/codehost/user?username=nobody-here', ['error']),
      expect: { status: 404, members: { 'error.code': 'not_found' } },
    },
  ];
}

const VIDEO = `/v1/video/videos/${encodeURIComponent('https://youtu.be/R0b0tT00k_1')}`;
const FORUM = '/v1/forum/subreddit?subreddit=milling&sort=top&time=week&limit=2';
const SPENT = '/v1/codehost/user?username=spent-today';

function searchSteps(site: string): readonly Step[] {
  return [
    {
      ...getStep(
        'What was fetched goes into an index by itself: QUERN_SEARCH_INDEX=on',
        '/v1/fast-search?search=rye+starter+schedule',
        ['organic_results.0', 'meta_data.engines', 'usage'],
      ),
      patience: 'waits',
      expect: { status: 200, members: { 'organic_results.0.url': `${site}/articles/keeping-a-rye-starter` } },
    },
    {
      ...getStep(
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

function cacheSteps(site: string): readonly Step[] {
  return [
    {
      ...fetchStep(
        'The first article again, at most an hour old: one credit instead of two, and no visit',
        { url: `${site}/articles/the-wheel-turns-again`, output: ['metadata'], max_age_ms: 3_600_000 },
        ['cache', 'usage'],
      ),
      expect: { status: 200, members: { 'cache.hit': true, 'usage.credits': 1, 'usage.tier': 'cache' } },
    },
  ];
}

function errorSteps(site: string): readonly Step[] {
  const url = `${site}/articles/bridge-closed-on-sunday`;
  return [
    { ...errorStep('No key', { url }, [401, 'missing_api_key']), key: 'none' },
    { ...errorStep('A key nobody made', { url }, [401, 'invalid_api_key']), key: 'wrong' },
    errorStep('A misspelt member', { url, ouput: ['text'] }, [400, 'invalid_request']),
    errorStep('A private address that was not allowed', { url: 'http://10.0.0.1/' }, [400, 'invalid_request']),
    errorStep('A redirect to such an address', { url: `${site}/redirect/private` }, [502, 'target_unreachable']),
    errorStep('A page slower than you can wait', { url: `${site}/slow?ms=8000`, timeout_ms: 1_000 }, [504, 'timeout']),
    errorStep('A country where no proxy of it is set up', { url, country: 'de' }, [503, 'backend_unavailable']),
  ];
}

function accountSteps(): readonly Step[] {
  return [
    getStep('The balance', '/v1/usage', ['plan', 'credits_used', 'credits_remaining', 'daily_used']),
    getStep('Usage by operation', '/v1/usage/history?by=operation', ['data']),
    getStep('The last three requests', '/v1/requests?limit=3', ['data']),
    getStep('The first request of this tour, with its attempts', '/v1/requests/{first}', [
      'status',
      'credits',
      'attempts',
    ]),
    getStep('What this instance can do', '/v1/capabilities', ['version', 'outputs', 'tiers']),
  ];
}
