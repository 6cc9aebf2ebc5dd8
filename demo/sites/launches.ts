import { buildHtmlReply, type PageReply } from '#demo/layout.ts';
import { readSyntheticPage, buildJsonReply, type MockCall, type MockSite } from './site-pages.ts';

/** Launches per day, and how many the page shows initially. */
const LAUNCHES_PER_DAY = 87;
const LAUNCHES_PER_PAGE = 20;
const NEXT_YEAR = 2027;
const PRODUCT = '/products/mill-planner';

/** Mock product launch site: one product, one maker, a leaderboard for each day, and the query that its pages send on scrolling. */
export const LAUNCHES_PAGES: MockSite = {
  site: 'launches',
  origins: { web: (call) => answer(call), api: () => null },
};

const MOVE = '/rehearsal/upvotes';

/** The same site with adjustable upvotes: `POST /rehearsal/upvotes` with `{"upvotes": 520}`. */
export function buildMovingLaunches(): MockSite {
  let upvotes: number | null = null;
  return {
    site: LAUNCHES_PAGES.site,
    origins: {
      ...LAUNCHES_PAGES.origins,
      web(call) {
        if (call.method === 'POST' && call.url.pathname === MOVE) {
          ({ upvotes } = JSON.parse(call.body));
          return buildJsonReply({ upvotes });
        }
        const reply = answer(call);
        if (reply === null || upvotes === null || call.url.pathname !== PRODUCT) return reply;
        return { ...reply, body: String(reply.body).replaceAll(/"latestScore":512\b/g, `"latestScore":${upvotes}`) };
      },
    },
  };
}

function answer({ url }: MockCall): PageReply | null {
  if (url.pathname === '/frontend/graphql')
    return buildJsonReply({ data: { homefeedItems: renderFeed(parseCursor(url.searchParams)) } });
  switch (url.pathname) {
    case PRODUCT:
      return readSyntheticPage('launches', 'product--planner.page.html');
    case '/posts/mill-planner-1-0':
      return { ...buildHtmlReply(''), status: 301, headers: { location: PRODUCT } };
    case '/@ilse_miller':
      return readSyntheticPage('launches', 'maker--ilse.page.html');
  }
  const [, , period, year = '0'] = url.pathname.split('/');
  return period === undefined || !url.pathname.startsWith('/leaderboard/')
    ? null
    : renderLeaderboard(url, Number(year));
}

function renderLeaderboard({ pathname }: URL, year: number): PageReply {
  const canonical = `<link rel="canonical" href="https://www.producthunt.com${pathname}">`;
  const shown =
    year >= NEXT_YEAR ? '<p>We cannot look into the future.</p>' : toScript({ homefeedItems: renderFeed(0) });
  return buildHtmlReply(
    `<!doctype html><html lang="en"><title>Best of Product Hunt</title>${canonical}<main><h1>Best of Product Hunt</h1>${shown}</main></html>\n`,
  );
}

/** Embedded data as function calls, in which unknown values are `undefined`. */
function toScript(data: object): string {
  const events = `[{"type":"started","id":"1","options":{"variables":undefined}},{"type":"next","id":"1","value":{"data":${JSON.stringify(data)}}}]`;
  return `<script>(window[Symbol.for("ApolloSSRDataTransport")] ??= []).push({"rehydrate":{},"events":${events}})</script>`;
}

function parseCursor(query: URLSearchParams): number {
  return Number(/"cursor":"(\d+)"/.exec(query.get('variables') ?? '')?.[1] ?? 0);
}

/** A page of launches that includes an ad. */
function renderFeed(from: number) {
  const until = Math.min(LAUNCHES_PER_DAY, from + LAUNCHES_PER_PAGE);
  const posts = Array.from({ length: until - from }, (_, at) => toPost(from + at));
  const advertised = { __typename: 'Ad', id: '1', post: toPost(0) };
  return {
    edges: [...posts.slice(0, 2), advertised, ...posts.slice(2)].map((node) => ({ node })),
    pageInfo: { endCursor: String(until), hasNextPage: until < LAUNCHES_PER_DAY },
  };
}

function toPost(at: number) {
  const slug = `mill-app-${at + 1}`;
  return {
    __typename: 'Post',
    id: String(9000 + at),
    name: `Mill App ${at + 1}`,
    slug,
    tagline: 'Plans the week of a mill',
    hideVotesCount: false,
    product: { id: String(500 + at), slug },
    featuredAt: '2026-03-07T00:01:00-08:00',
    dailyRank: String(at + 1),
    topics: {
      edges: [
        { node: { name: at % 2 === 0 ? 'Developer Tools' : 'iOS', slug: at % 2 === 0 ? 'developer-tools' : 'ios' } },
      ],
    },
    latestScore: 600 - at,
    launchDayScore: 590 - at,
    commentsCount: 7,
  };
}
