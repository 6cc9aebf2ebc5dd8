import { buildHtmlReply, type PageReply } from '#demo/layout.ts';
import { buildJsonReply, readSyntheticPage, type MockCall, type MockSite } from './site-pages.ts';

const MILL = 'Gr1stM1ll_0';
/** Videos whose watch page is blocked for bots; the API still returns the first. */
const ROBOT = 'R0b0tT00k_1';
const BARRED = 'R0b0tT00k_2';
/** A video whose page requires consent. */
const ASKS = 'C0nsentF1rs';

/** Mock video site: one video with subtitles, searches, a bot wall, and a consent page. */
export const VIDEO_PAGES: MockSite = {
  site: 'video',
  origins: { web: (call) => answer(call), short: () => null },
};

function answer({ url, method, headers, body }: MockCall): PageReply | null {
  if (method === 'POST') return renderAsked(url.pathname, body);
  if (url.pathname === '/results') return renderSearchPage(url);
  if (url.pathname === '/api/timedtext') return readSyntheticPage('video', 'subtitles--file.page.json');
  const id = url.searchParams.get('v');
  if (url.pathname === '/oembed') return buildJsonReply('Not Found', 404);
  if (url.pathname !== '/watch') return null;
  if (id === MILL) return readSyntheticPage('video', 'videos--mill.page.html');
  if (id === ROBOT || id === BARRED) return readSyntheticPage('video', 'videos--robot.page.html');
  if (id === ASKS) {
    const isAsked = headers.cookie?.includes('SOCS=') !== true;
    return isAsked ? buildHtmlReply(CONSENT) : buildHtmlReply(PLAYER.replace('{player}', JSON.stringify(PRIVATE)));
  }
  return buildHtmlReply(PLAYER.replace('{player}', JSON.stringify(GONE)));
}

const CONSENT =
  '<!doctype html><title>Before you continue</title><form action="https://consent.youtube.com/s" method="POST"></form>\n';
const PLAYER = '<!doctype html><html lang="en"><script>var ytInitialPlayerResponse = {player};</script></html>\n';
const GONE = { playabilityStatus: { status: 'ERROR', reason: 'Video unavailable' } };
const PRIVATE = { playabilityStatus: { status: 'LOGIN_REQUIRED', reason: 'Private video' } };
const WALL = { playabilityStatus: { status: 'LOGIN_REQUIRED', reason: 'Sign in to confirm you’re not a bot' } };

function renderAsked(path: string, body: string): PageReply | null {
  if (path === '/youtubei/v1/search') return renderMoreResults(body);
  const isMill = body.includes(MILL);
  if (path === '/youtubei/v1/player')
    return isMill ? readSyntheticPage('video', 'videos--player.page.json') : buildJsonReply(WALL);
  if (path !== '/youtubei/v1/next') return null;
  if (isMill) return readSyntheticPage('video', 'videos--next.page.json');
  if (!body.includes(ROBOT)) return buildJsonReply(WALL);
  const open = readSyntheticPage('video', 'videos--next.page.json');
  return { ...open, body: String(open.body).replaceAll(MILL, ROBOT) };
}

/** Search words, with the number of results. */
const FOUND: Readonly<Record<string, number>> = { windmill: 230, watermill: 3 };
const ON_A_PAGE = 20;

/** The first result page, with the token for more results. */
function renderSearchPage({ searchParams }: URL): PageReply {
  const words = searchParams.get('search_query') ?? '';
  const { sections, header } = listResults(words, 0);
  const contents = {
    twoColumnSearchResultsRenderer: { primaryContents: { sectionListRenderer: { contents: sections } } },
  };
  const data = JSON.stringify({ estimatedResults: String(FOUND[words] ?? 0), contents, header });
  return buildHtmlReply(
    `<!doctype html><html lang="en"><title>Search</title><script>var ytInitialData = ${data};</script></html>\n`,
  );
}

/** More results from the API, for the token of a page. */
function renderMoreResults(body: string): PageReply {
  const token = /"continuation":"([^"]+)"/.exec(body)?.[1] ?? '';
  const [words = '', from = '0'] = Buffer.from(token, 'base64').toString().split(' ');
  const { sections, header } = listResults(words, Number(from));
  return buildJsonReply({
    header,
    onResponseReceivedCommands: [{ appendContinuationItemsAction: { continuationItems: sections } }],
  });
}

function listResults(words: string, from: number) {
  const total = FOUND[words] ?? 0;
  const until = Math.min(total, from + ON_A_PAGE);
  const videos = Array.from({ length: until - from }, (_, at) => toVideo(words, from + at));
  const nothing = { backgroundPromoRenderer: { title: { simpleText: 'No results found' } } };
  const token = Buffer.from(`${words} ${until}`).toString('base64');
  const next = { continuationItemRenderer: { continuationEndpoint: { continuationCommand: { token } } } };
  return {
    sections: [
      { itemSectionRenderer: { contents: total === 0 ? [nothing] : videos } },
      ...(until < total ? [next] : []),
    ],
    header: { searchHeaderRenderer: { filter: { searchEndpoint: { query: words } } } },
  };
}

function toVideo(words: string, at: number) {
  const id = `mill${String(at).padStart(7, '0')}`;
  return {
    videoRenderer: {
      videoId: id,
      title: { runs: [{ text: `A ${words}, part ${at + 1}` }] },
      thumbnail: { thumbnails: [{ url: `https://i.example/vi/${id}/hq720.jpg`, width: 360, height: 202 }] },
      lengthText: { simpleText: '12:04' },
      viewCountText: { simpleText: `${1000 + at} views` },
      ownerText: { runs: [{ text: 'Harrow Mills', navigationEndpoint: { browseEndpoint: { browseId: 'UCharrow' } } }] },
    },
  };
}
