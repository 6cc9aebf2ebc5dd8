import { z } from 'zod';
import type { Page, Visit } from '#access/page.ts';
import {
  blocked,
  acceptConsent,
  answerEmpty,
  requestMore,
  notFound,
  notInSource,
  buildPage,
  markPartial,
  rateLimited,
  unusable,
} from '#sites/framework/answers.ts';
import { type ServedEndpoint, toServedEndpoint } from '#features/sites/endpoint.ts';
import { toServedCrawl } from '#features/sites/list-crawl.ts';
import {
  defineSite,
  type EndpointDeclaration,
  type EndpointSource,
  declareListCrawl,
} from '#sites/framework/endpoint.ts';
import { buildSourceReader } from '#sites/framework/source-reader.ts';
import type { SourcePage } from '#sites/framework/request.ts';
import { getMember, parseJsonValue } from '#extract/values/json.ts';
import { buildTestPage as answer } from '../../engine/gate.ts';

/** A site with one host, whose pages are JSON with the outcome to return. */
const declare = defineSite({
  name: 'mill',
  origins: { web: 'http://mill.example' },
  hosts: { 'old.mill.example': 'web' },
  constants: { hash: 'h1' },
  credentials: ['secret'],
  classify: (page) => (getMember(parseJsonValue(page.body), 'wall') === true ? blocked('login_wall') : null),
});

export function mill<I extends z.ZodObject, R extends z.ZodObject>(
  declaration: EndpointDeclaration<I, R>,
): ServedEndpoint {
  return toServedEndpoint(declare(declaration));
}

const input = z.object({ id: z.string().min(1).max(50).describe('Which sack') });
const record = z.object({
  sack: z.object({
    id: z.string(),
    grain: z.string().nullable(),
    kilos: z.int().nullable(),
    note: z.string().nullable(),
  }),
});
type SackSource = EndpointSource<typeof input, typeof record>;

/** The outcome that the page specifies. */
function parse(page: SourcePage, { id }: { readonly id: string }): ReturnType<SackSource['parse']> {
  const raw = parseJsonValue(page.body);
  const say = getMember(raw, 'say');
  if (say === 'gone') return notFound('it was eaten');
  if (say === 'elsewhere') return notInSource('not in this barn');
  if (say === 'slow down') return rateLimited(7);
  if (say === 'bug') throw new Error('boom');
  if (say === 'more') return requestMore({ origin: 'web', path: `/more/${id}` }, { from: page.url });
  if (say === 'endless') return requestMore({ origin: 'web', path: `/endless/${id}` }, null);
  if (say === 'consent') return acceptConsent({ agreed: 'yes' });
  const grain = getMember(raw, 'grain');
  if (getMember(raw, 'id') !== id) return unusable('the sack asked for');
  const kilos = getMember(raw, 'kilos');
  const sack = {
    id,
    grain: typeof grain === 'string' ? grain : null,
    kilos: typeof kilos === 'number' ? kilos : null,
    note: page.carry === undefined ? null : JSON.stringify(page.carry),
  };
  if (say === 'notes') {
    const bare = markPartial({ sack }, 'the note is left out');
    return requestMore({ origin: 'web', path: `/notes/${id}` }, 'noted', bare);
  }
  return say === 'partly' ? markPartial({ sack }, 'the weight is left out') : { sack };
}

const inPart = (name: string): SackSource => ({
  name,
  request: ({ id }) => ({ origin: 'web', path: `/${name}/${id}` }),
  parse,
});

/** An endpoint with one source. */
export const single = mill({ path: '/single', summary: 'One', input, record, canary: { id: '1' }, ...inPart('page') });

/** An endpoint with three sources; the last one needs a secret of the operator. */
export const several = mill({
  path: '/several',
  summary: 'Several',
  input,
  record,
  canary: { id: '1' },
  expected: ['sack.grain', 'sack.kilos'],
  sources: [
    inPart('first'),
    { ...inPart('second'), lacks: 'the second barn keeps no books' },
    { ...inPart('third'), when: ({ credentials }) => credentials['secret'] !== undefined },
  ],
});

export const filled = mill({
  path: '/filled',
  summary: 'Filled',
  input,
  record,
  canary: { id: '1' },
  expected: ['sack.grain', 'sack.kilos'],
  fill: true,
  sources: [inPart('first'), inPart('second')],
});

/** A list of ten elements in pages of three. */
export const listed = mill({
  path: '/listed',
  summary: 'A list',
  input: z.object({ search: z.string().min(1).describe('What for') }),
  record: z.object({ sacks: z.array(z.object({ n: z.int() })), total: z.int().nullable() }),
  canary: { search: 'rye' },
  aliases: { search: ['query', 'q'], limit: ['per_page'] },
  list: 'sacks',
  limit: { default: 4, max: 50 },
  expected: ['sacks.n'],
  request: ({ search }, { cursor, constants }) => ({
    origin: 'web',
    path: '/list',
    query: { q: search, after: cursor, hash: constants['hash'] },
  }),
  parse(page, { search }) {
    if (search === 'nothing') return answerEmpty();
    const after = Number(new URL(page.url).searchParams.get('after') ?? 0);
    // A list that changes while it is read repeats the last element of a page.
    const first = search === 'moving' && after > 0 ? 0 : 1;
    const sacks = [1, 2, 3].map((step) => ({ n: after + step - 1 + first })).filter(({ n }) => n <= 10);
    return buildPage({ sacks, total: 10 }, after + 3 < 10 ? String(after + 3) : null);
  },
});

/** Two lists that page together, and a second source that needs a browser. */
export const paired = mill({
  path: '/paired',
  summary: 'Two lists',
  input: z.object({ search: z.string().min(1).describe('What for') }),
  record: z.object({ found: z.object({ sacks: z.array(z.int()), carts: z.array(z.int()).nullable() }) }),
  canary: { search: 'rye' },
  list: 'found',
  limit: { default: 2, max: 50 },
  expected: ['found.sacks'],
  sources: [
    {
      name: 'page',
      request: (_input, { cursor, limit }) => ({ origin: 'web', path: '/pair', query: { from: cursor ?? 0, limit } }),
      parse(page, _input, { cursor, limit }) {
        if (page.body === '{}') return unusable('the lists');
        const from = Number(cursor ?? 0);
        const sacks = [1, 2, 3].slice(from, from + (limit ?? 2));
        return buildPage(
          { found: { sacks, carts: null } },
          from + sacks.length < 3 ? String(from + sacks.length) : null,
        );
      },
    },
    { name: 'drawn', needs: 'browser', request: () => ({ origin: 'web', path: '/pair' }), parse: () => answerEmpty() },
  ],
});

/** A job for the whole list. */
export const crawled = toServedCrawl(
  declareListCrawl(listed, {
    method: 'GET',
    summary: 'A whole list',
    by: 'n',
    bound: { name: 'max_results', default: 100, max: 1000 },
  }),
  false,
);

export const queried = mill({
  path: '/queried',
  summary: 'Asked by POST',
  input,
  record,
  canary: { id: '1' },
  request: ({ id }) => ({ origin: 'web', path: '/query', post: { json: { id } }, headers: { 'x-mill': 'yes' } }),
  parse,
});

export const rendered = mill({
  path: '/rendered',
  summary: 'Needs a browser',
  input,
  record,
  canary: { id: '1' },
  ...inPart('page'),
  captures: [{ name: 'sack', path: /\.json$/ }],
  parse: (page, { id }) =>
    page.captures.length === 0
      ? unusable('what the page loads')
      : { sack: { id, grain: page.captures[0]?.text ?? null, kilos: null, note: null } },
});

export const hidden = mill({
  path: '/hidden',
  summary: 'For jobs',
  input,
  record,
  canary: { id: '1' },
  internal: true,
  ...inPart('page'),
});

export const MILL = [single, several, filled, listed, paired, queried, rendered, hidden];

export const readMill = buildSourceReader(MILL);

/** A tier with a response per path: JSON or a page. */
export function says(pages: Readonly<Record<string, unknown>>, facts: Partial<Page> = {}): Visit {
  return async ({ url, cookies }) => {
    const key = cookies.length > 0 ? `${url.pathname}?agreed` : url.pathname;
    const known = Object.hasOwn(pages, key) ? pages[key] : {};
    const status = typeof known === 'number' ? known : 200;
    return answer({
      url: url.href,
      contentType: 'application/json',
      status,
      text: JSON.stringify(typeof known === 'number' ? {} : known),
      ...facts,
    });
  };
}
