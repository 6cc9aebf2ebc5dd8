import { findCanonicalUrl } from '#extract/dom/elements.ts';
import { findJsonScript } from '#extract/dom/scripts.ts';
import { parsePage } from '#extract/dom/parsed-page.ts';
import { parseJsonValue } from '#extract/values/json.ts';
import { getPath, toInteger, toText } from '#extract/values/raw.ts';
import type { Recording } from './corpus.ts';

/** Finds the input of a recording, for endpoints where its URL is not enough. Null for recordings of another kind. */
export const INPUTS: Readonly<Record<string, (read: Recording) => Readonly<Record<string, unknown>> | null>> = {
  'appstore.app': findPlayApp,
  // Only pages that show reviews.
  'appstore.reviews': (read) =>
    /data:\[\[\["[0-9a-f]{8}-[0-9a-f-]{27}",\["/.test(read.body) ? findPlayApp(read) : null,
  // The recorded search does not contain its words. Its results are messengers.
  'appstore.search': ({ body }) => (/"wrapperType":\s?"software"/.test(body) ? { search: 'slack' } : null),
  'jobs-d.jobs': ({ body }) => {
    const keywords = /name="q" value="([^"]+)"/.exec(body)?.[1];
    return keywords === undefined ? null : { keywords };
  },
  'codehost.user': ({ body }) => {
    const login = /"login":\s*"([^"]+)"/.exec(body)?.[1];
    return login === undefined ? null : { username: login };
  },
  'socialnet.event': ({ body }) => {
    const id = /property="og:url" content="[^"]*\/(\d+)\/"/.exec(body)?.[1];
    return id === undefined ? null : { id };
  },
  'socialnet.marketplace.item': ({ body }) => {
    const id = /"share_uri":\s?"[^"]*item\\?\/(\d+)\\?\/"/.exec(body)?.[1];
    return id === undefined ? null : { id };
  },
  // The page does not contain the words of the search.
  'socialnet.marketplace.search': ({ body }) => (body.includes('"marketplace_search"') ? { search: 'dji' } : null),
  // Only the answer to the first request, and neither tokens nor further comments.
  'forum.post': ({ body, url }) => {
    const id =
      url === null
        ? /www\.reddit\.com\/r\/\w+\/comments\/(\w+)\//.exec(body)?.[1]
        : /oauth\.reddit\.com\/comments\/(\w+)\/?\?/.exec(url)?.[1];
    return id === undefined ? null : { id };
  },
  // Only the lists of posts of the recorded sessions.
  'forum.subreddit': ({ url }) => {
    const name = /oauth\.reddit\.com\/r\/(\w+)\/new\b/.exec(url ?? '')?.[1];
    return name === undefined ? null : { subreddit: name, sort: 'new' };
  },
  'forum.user': ({ url }) => {
    const name = /oauth\.reddit\.com\/user\/([\w-]+)\/overview\b/.exec(url ?? '')?.[1];
    return name === undefined ? null : { username: name };
  },
  // Only the answers about a repository of the recorded sessions.
  'codehost.repo': ({ body, url }) => {
    const name = /"full_name":\s*"([^"]+)"/.exec(body)?.[1];
    return name === undefined || (url !== null && !/\/repos\/[^/]+\/[^/]+$/.test(url)) ? null : { full_name: name };
  },
  // Only the lists of a person's repositories of the recorded sessions.
  'codehost.repos': ({ url }) => {
    const username = /api\.github\.com\/users\/([^/]+)\/repos/.exec(url ?? '')?.[1];
    return username === undefined ? null : { username };
  },
  'musiccatalog.album': ({ body, url }) => {
    const id =
      /\/album\/(?:id)?(\d+)/.exec(url ?? '')?.[1] ??
      /<link rel="?canonical"? href="[^"]*\/album\/[^"]*\/(\d+)"/.exec(body)?.[1] ??
      /"wrapperType":"collection".{0,200}"collectionId":(\d+)/.exec(body)?.[1];
    return id === undefined ? null : { id };
  },
  // The lookup of an album also contains its songs.
  'musiccatalog.track': ({ body }) => {
    const id = /"wrapperType":"track".{0,200}"trackId":(\d+)/.exec(body)?.[1];
    return id === undefined ? null : { id };
  },
  // The answer does not contain the words of the search.
  'musiccatalog.search': ({ body }) => (body.includes('"resultCount"') ? { search: 'drive', type: ['song'] } : null),
  'musicstream.track': matchSpotifyEntity('track'),
  'musicstream.album': matchSpotifyEntity('album'),
  'musicstream.artist': matchSpotifyEntity('artist'),
  'musicstream.playlist': matchSpotifyEntity('playlist'),
  'musicstream.podcast': matchSpotifyEntity('show'),
  // The answer does not contain the words of the search. They are the name of the first artist in the recording.
  'musicstream.search': ({ body }) => {
    const found = parseJsonValue(body);
    const name = getPath(found, 'data', 'searchV2', 'artists', 'items', 0, 'data', 'profile', 'name');
    const asked = URL.parse(String(getPath(found, 'tracks', 'href')))
      ?.searchParams.get('query')
      ?.trim();
    if (name !== undefined)
      return { search: name, type: ['track', 'artist', 'album', 'playlist', 'podcast', 'episode'] };
    return asked === undefined || asked === null ? null : { search: asked, type: ['track'] };
  },
  'technews.front': ({ body }) => (body.includes('op="newest"') ? { list: 'new' } : null),
  'technews.user': ({ body }) => {
    const person = parseJsonValue(body);
    const name = getPath(person, 'karma') === undefined ? null : getPath(person, 'id');
    return typeof name === 'string' ? { username: name } : null;
  },
  'retail.stores': ({ body }) => (body.includes('"nearby_stores"') ? { zip: '84014' } : null),
  'technews.item': ({ body }) => {
    const id = toInteger(getPath(parseJsonValue(body), 'id'));
    return id === null ? null : { id: `${id}` };
  },
  'video.videos': ({ body, url }) => {
    const id =
      /[?&]id=([\w-]{11})/.exec(url ?? '')?.[1] ??
      /"videoDetails":\s?\{"videoId":"([\w-]{11})"/.exec(body)?.[1] ??
      /"currentVideoEndpoint":.{0,500}"watchEndpoint":\{"videoId":"([\w-]{11})"/s.exec(body)?.[1];
    return id === undefined ? null : { video_id: id };
  },
  'video.subtitles': ({ body }) => {
    const id = /"videoDetails":\s*\{\s*"videoId":\s*"([\w-]{11})"/.exec(body)?.[1];
    return id === undefined ? null : { video_id: id };
  },
  'video-alt.search': ({ url }) => {
    const search = URL.parse(url ?? '')
      ?.searchParams.get('q')
      ?.trim();
    return search === undefined ? null : { search };
  },
  // Without the answers of the viewer counter, which is only requested for a known broadcast.
  'video-alt.video': ({ url }) => {
    const id = /\/embedJS\/u3\/\?.*\bv=(v\w+)/.exec(url ?? '')?.[1];
    if (id !== undefined) return { url: `https://rumble.com/embed/${id}/` };
    return url === null || url.includes('/service.php') ? null : { url };
  },
  // The recorded answer does not contain the words of the search.
  'pinboard.search': ({ body }) => (body.includes('"v3_search_pins"') ? { search: 'pins' } : null),
  // The links of the filters search for the same words.
  'video.search': ({ body }) => {
    const [, search] = [...body.matchAll(/"searchEndpoint":\{"query":"([^"]+)","params"/g)].at(-1) ?? [];
    return search === undefined ? null : { search };
  },
  // The home page shows what launches on its day.
  'launches.leaderboard': ({ body }) => {
    const date = /"id":"FEATURED-0".*?"date":"(\d{4}-\d{2}-\d{2})T/s.exec(body)?.[1];
    return date === undefined ? null : { date, featured: true };
  },
  'shop-a.search': ({ body }) => {
    const search = /id="twotabsearchtextbox"[^>]* value="([^"]+)"/.exec(body)?.[1];
    return search === undefined ? null : { search };
  },
  'microblog.posts': ({ body }) => {
    const username = /"screen_name":\s*"(\w+)"/.exec(body)?.[1];
    return username === undefined ? null : { username };
  },
  // For a hidden post, only the file name has the id.
  'microblog.post': ({ body, contentType, file }) => {
    if (/html/.test(contentType)) return { url: findCanonicalUrl(parsePage(body, 'https://page.example/')) };
    const id = /_(\d+)\.json$/.exec(file)?.[1] ?? /"entryId":\s*"tweet-(\d+)"/.exec(body)?.[1];
    return id === undefined ? null : { id };
  },
  // The answer does not contain the words of the search.
  'microblog.search': () => ({ search: 'x', network: 'x' }),
  'vehicles.search': ({ body }) => {
    const domain = /"etldPlusOne":"([a-z0-9.]+)"/.exec(body)?.[1];
    const path = toText(parseJsonValue(/"pagePath":("\/lst[^"]*")/.exec(body)?.[1] ?? ''));
    return domain === undefined || path === null ? null : { url: `https://www.${domain}${path}` };
  },
  'vehicles.vehicle': ({ body }) => {
    const url = /"webPage":\s?"([^"]+)"/.exec(body)?.[1];
    return url === undefined ? null : { url };
  },
  'websearch.page': matchEngineFile('ws', 'google'),
  'engines.duckduckgo': matchEngineFile('duckduckgo'),
  'engines.yandex': matchEngineFile('yandex'),
  'engines.baidu': matchEngineFile('baidu'),
  'engines.ecosia': matchEngineFile('ecosia'),
  'shop-a.pricing': findAmazonProduct,
  'shop-a.product': findAmazonProduct,
};

/** Finds the product and the marketplace of an Amazon page. */
function findAmazonProduct({ body, url }: Recording) {
  const asin = /id="?ASIN"?[^>]* value="?(\w{10})/.exec(body)?.[1] ?? /(?:dp|product)\/(\w{10})/.exec(url ?? '')?.[1];
  const domain = /<link rel="canonical" href="https:\/\/www\.amazon\.([a-z.]+)\//.exec(body)?.[1] ?? 'com';
  return asin === undefined ? null : { asin, domain };
}

/** Finds the app of a page of Google Play. */
function findPlayApp({ body }: Recording) {
  const id = /<link rel="canonical" href="https:\/\/play\.google\.com\/store\/apps\/details\?id=([\w.]+)/.exec(
    body,
  )?.[1];
  return id === undefined ? null : { id };
}
/** Folders of the corpus by the name of the site, if they differ. */
export const SITE_FOLDERS: Readonly<Record<string, string>> = {
  homestay: 'home-stay',
  retail: 'retail-chain',
  shortvideo: 'short-video',
  vehicles: 'vehicle-market',
};

/** Matches the recordings of some engines by the first word of their file name. The words of the search are unknown. */
function matchEngineFile(...names: readonly string[]) {
  return ({ file }: Recording): Readonly<Record<string, unknown>> | null =>
    names.includes(/^[a-z]+(?=_)/.exec(file)?.[0] ?? '') ? { search: 'what was asked' } : null;
}

/** Further folders of the corpus with recordings of an endpoint. */
export const OTHER_FOLDERS: Readonly<Record<string, readonly string[]>> = {
  'websearch.page': ['websearch/search'],
  'engines.duckduckgo': ['websearch/search'],
  'engines.yandex': ['websearch/search'],
  'engines.baidu': ['websearch/search'],
  'engines.ecosia': ['websearch/search'],
  'appstore.app': ['app-store/app'],
  'appstore.search': ['app-store/search'],
  'appstore.reviews': ['app-store/app'],
  'musiccatalog.track': ['musiccatalog/album'],
  'musicstream.track': ['musicstream/official-api'],
  'musicstream.album': ['musicstream/official-api'],
  'musicstream.podcast': ['musicstream/show'],
  'musicstream.search': ['musicstream/official-api'],
  'shop-a.pricing': ['shop-a/product'],
  'socialnet.posts': ['socialnet/page'],
  'technews.front': ['tech-news/list'],
  'technews.item': ['tech-news/item'],
  'technews.user': ['tech-news/user'],
  'video.videos': ['video/subtitles'],
};

/** Further hosts whose answers have the same format as those of the endpoint's own hosts. */
export const OTHER_HOSTS: Readonly<Record<string, readonly string[]>> = {
  'video.videos': ['youtubei.googleapis.com'],
};

/** Finds the id of the entity of that kind in a Spotify page or API answer. */
function matchSpotifyEntity(kind: string) {
  return ({ body, contentType }: Recording): Readonly<Record<string, unknown>> | null => {
    const html = /html/.test(contentType) ? parsePage(body, 'https://page.example/') : null;
    const player =
      html === null
        ? undefined
        : (findJsonScript(html, { id: '__NEXT_DATA__' }) ?? findJsonScript(html, { id: 'initial-state' }));
    const address = html === null ? '' : (findCanonicalUrl(html) ?? '');
    const answer = html === null ? parseJsonValue(body) : undefined;
    const [union] = Object.values(Object(getPath(answer, 'data')));
    const official = [answer, getPath(answer, 'tracks', 0)].find((one) => getPath(one, 'type') === kind);
    const uri =
      /"embeded_entity_uri":"spotify:(\w+):(\w{22})"/.exec(JSON.stringify(player) ?? '') ??
      /spotify\.com\/(\w+)\/(\w{22})$/.exec(address) ??
      /^spotify:(\w+):(\w{22})$/.exec(String(getPath(union ?? official, 'uri')));
    return uri?.[1] === kind ? { id: uri[2] } : null;
  };
}

/** The recording that serves as the further page for the endpoint's other recordings. */
export const FURTHER_PAGES: Readonly<Record<string, string>> = {
  'video.subtitles': 'video/subtitles/transcript.xml.static',
};

/** The `carry` value from the first page, for endpoints whose recordings are the second page. */
export const CARRIED_VALUES: Readonly<Record<string, unknown>> = { 'retail.stores': true };
