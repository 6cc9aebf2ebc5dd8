import type { PageReply } from '#demo/layout.ts';
import { readSyntheticPage, buildJsonReply, type MockCall, type MockSite } from './site-pages.ts';

/** Existing items: kind and id in URLs, and the word in file names. */
const THINGS: readonly (readonly [place: string, name: string])[] = [
  ['track/Undershot0000000000001', 'track'],
  ['album/SlowWater0000000000001', 'album'],
  ['artist/HarrowWeir000000000001', 'artist'],
  ['playlist/MillMorning00000000001', 'playlist'],
  ['show/GristAndGrain000000001', 'podcast'],
];

/** A track without a full mobile page, for which the web player query fails. */
const REFUSED = 'Sluicegate000000000003';

/** Mock music service with one item of each kind. Mobile pages of tracks and albums are complete; other data comes from queries. */
export const MUSICSTREAM_PAGES: MockSite = {
  site: 'musicstream',
  origins: {
    web: ({ url, headers }) => answerWeb(url, /Mobile/.test(headers['user-agent'] ?? '')),
    graph: answerQuery,
    api: () => null,
    accounts: () => null,
  },
};

function answerWeb({ pathname }: URL, isPhone: boolean): PageReply | null {
  if (pathname === '/embed/album/6N9PS4QXF1D0OWPk0Sxtb4')
    return readSyntheticPage('musicstream', 'album--embed.page.html');
  if (pathname.endsWith(REFUSED)) return buildRefusedTrack(pathname);
  const [place, name] = THINGS.find(([one]) => pathname.endsWith(`/${one}`)) ?? [];
  if (place === undefined || name === undefined) return null;
  if (pathname === `/embed/${place}`) return readSyntheticPage('musicstream', `${name}--embed.page.html`);
  const isWhole = isPhone && (name === 'track' || name === 'album');
  return readSyntheticPage('musicstream', `${name}--${isWhole ? 'mobile' : 'open'}.page.html`);
}

function buildRefusedTrack(path: string): PageReply {
  const page = readSyntheticPage(
    'musicstream',
    path.startsWith('/embed/') ? 'track--embed.page.html' : 'track--open.page.html',
  );
  return { ...page, body: String(page.body).replaceAll('Undershot0000000000001', REFUSED) };
}

function answerQuery({ url, headers }: MockCall): PageReply | null {
  if (headers.authorization !== 'Bearer visitor-token') return buildJsonReply({ error: { status: 401 } }, 401);
  const text = url.searchParams.get('variables') ?? '{}';
  const isLater = /"offset":[1-9]/.test(text);
  switch (url.searchParams.get('operationName')) {
    case 'getTrack':
      return text.includes(REFUSED)
        ? buildJsonReply({}, 403)
        : readSyntheticPage('musicstream', 'track--graph.page.json');
    case 'getAlbum':
      return readSyntheticPage('musicstream', 'album--graph.page.json');
    case 'queryArtistOverview':
      return readSyntheticPage('musicstream', 'artist--graph.page.json');
    case 'fetchPlaylist':
      return readSyntheticPage('musicstream', `playlist--${isLater ? 'second' : 'graph'}.page.json`);
    case 'queryShowMetadataV2':
      return readSyntheticPage('musicstream', 'podcast--graph.page.json');
    case 'queryPodcastEpisodes':
      return readSyntheticPage('musicstream', `podcast--${isLater ? 'second' : 'episodes'}.page.json`);
    case 'searchDesktop':
      return readSyntheticPage('musicstream', `search--${/weir/.test(text) && !isLater ? 'graph' : 'none'}.page.json`);
    default:
      return null;
  }
}
