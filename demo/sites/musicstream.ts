import type { Reply } from '#demo/reply.ts';
import { madePage } from './made-pages.ts';
import { json, type SiteCall, type SitePages } from './site-pages.ts';

/** What is there: its kind and id in addresses, and the word in the names of its pages. */
const THINGS: readonly (readonly [place: string, name: string])[] = [
  ['track/Undershot0000000000001', 'track'],
  ['album/SlowWater0000000000001', 'album'],
  ['artist/HarrowWeir000000000001', 'artist'],
  ['playlist/MillMorning00000000001', 'playlist'],
  ['show/GristAndGrain000000001', 'podcast'],
];

/** A track that phones get no more of than others, and that the queries of the web player refuse. */
const REFUSED = 'Sluicegate000000000003';

/** A music service: one of each kind. Phones get the pages of tracks and albums whole; the rest is had by queries. */
export const musicstreamPages: SitePages = {
  site: 'musicstream',
  origins: {
    web: ({ url, headers }) => answerWeb(url, /Mobile/.test(headers['user-agent'] ?? '')),
    graph: answerQuery,
    api: () => null,
    accounts: () => null,
  },
};

function answerWeb({ pathname }: URL, isPhone: boolean): Reply | null {
  if (pathname === '/embed/album/6N9PS4QXF1D0OWPk0Sxtb4') return madePage('musicstream', 'album--embed.page.html');
  if (pathname.endsWith(REFUSED)) return refusedTrack(pathname);
  const [place, name] = THINGS.find(([one]) => pathname.endsWith(`/${one}`)) ?? [];
  if (place === undefined || name === undefined) return null;
  if (pathname === `/embed/${place}`) return madePage('musicstream', `${name}--embed.page.html`);
  const isWhole = isPhone && (name === 'track' || name === 'album');
  return madePage('musicstream', `${name}--${isWhole ? 'mobile' : 'open'}.page.html`);
}

function refusedTrack(path: string): Reply {
  const page = madePage('musicstream', path.startsWith('/embed/') ? 'track--embed.page.html' : 'track--open.page.html');
  return { ...page, body: String(page.body).replaceAll('Undershot0000000000001', REFUSED) };
}

function answerQuery({ url, headers }: SiteCall): Reply | null {
  if (headers.authorization !== 'Bearer visitor-token') return json({ error: { status: 401 } }, 401);
  const text = url.searchParams.get('variables') ?? '{}';
  const isLater = /"offset":[1-9]/.test(text);
  switch (url.searchParams.get('operationName')) {
    case 'getTrack':
      return text.includes(REFUSED) ? json({}, 403) : madePage('musicstream', 'track--graph.page.json');
    case 'getAlbum':
      return madePage('musicstream', 'album--graph.page.json');
    case 'queryArtistOverview':
      return madePage('musicstream', 'artist--graph.page.json');
    case 'fetchPlaylist':
      return madePage('musicstream', `playlist--${isLater ? 'second' : 'graph'}.page.json`);
    case 'queryShowMetadataV2':
      return madePage('musicstream', 'podcast--graph.page.json');
    case 'queryPodcastEpisodes':
      return madePage('musicstream', `podcast--${isLater ? 'second' : 'episodes'}.page.json`);
    case 'searchDesktop':
      return madePage('musicstream', `search--${/weir/.test(text) && !isLater ? 'graph' : 'none'}.page.json`);
    default:
      return null;
  }
}
