import { html, type Reply } from '#demo/reply.ts';
import { madePage } from './made-pages.ts';
import { json, type SiteCall, type SitePages } from './site-pages.ts';
import { searchMore, searchPage } from './video-search.ts';

const MILL = 'Gr1stM1ll_0';
/** Of these the watch page is closed to robots; the interface still knows the first. */
const ROBOT = 'R0b0tT00k_1';
const BARRED = 'R0b0tT00k_2';
/** Its page comes only after consent. */
const ASKS = 'C0nsentF1rs';

/** A video site: one video with its subtitles, searches, a wall for those taken for robots, and a page of consent. */
export const videoPages: SitePages = {
  site: 'video',
  origins: { web: (call) => answer(call), short: () => null },
};

function answer({ url, method, headers, body }: SiteCall): Reply | null {
  if (method === 'POST') return askedBy(url.pathname, body);
  if (url.pathname === '/results') return searchPage(url);
  if (url.pathname === '/api/timedtext') return madePage('video', 'subtitles--file.page.json');
  const id = url.searchParams.get('v');
  if (url.pathname === '/oembed') return json('Not Found', 404);
  if (url.pathname !== '/watch') return null;
  if (id === MILL) return madePage('video', 'videos--mill.page.html');
  if (id === ROBOT || id === BARRED) return madePage('video', 'videos--robot.page.html');
  if (id === ASKS) {
    const isAsked = headers.cookie?.includes('SOCS=') !== true;
    return isAsked ? html(CONSENT) : html(PLAYER.replace('{player}', JSON.stringify(PRIVATE)));
  }
  return html(PLAYER.replace('{player}', JSON.stringify(GONE)));
}

const CONSENT =
  '<!doctype html><title>Before you continue</title><form action="https://consent.youtube.com/s" method="POST"></form>\n';
const PLAYER = '<!doctype html><html lang="en"><script>var ytInitialPlayerResponse = {player};</script></html>\n';
const GONE = { playabilityStatus: { status: 'ERROR', reason: 'Video unavailable' } };
const PRIVATE = { playabilityStatus: { status: 'LOGIN_REQUIRED', reason: 'Private video' } };
const WALL = { playabilityStatus: { status: 'LOGIN_REQUIRED', reason: 'Sign in to confirm you’re not a bot' } };

function askedBy(path: string, body: string): Reply | null {
  if (path === '/youtubei/v1/search') return searchMore(body);
  const isMill = body.includes(MILL);
  if (path === '/youtubei/v1/player') return isMill ? madePage('video', 'videos--player.page.json') : json(WALL);
  if (path !== '/youtubei/v1/next') return null;
  if (isMill) return madePage('video', 'videos--next.page.json');
  if (!body.includes(ROBOT)) return json(WALL);
  const open = madePage('video', 'videos--next.page.json');
  return { ...open, body: String(open.body).replaceAll(MILL, ROBOT) };
}
