import { z } from 'zod';
import {
  findOpenGraph,
  listEntities,
  selectAll,
  readAttributeAt,
  readLineAt,
  parseRichText,
} from '#extract/dom/elements.ts';
import type { ParsedPage } from '#extract/dom/parsed-page.ts';
import { getPath, toBoolean, toNumber, toDurationMs, toInteger, toLine, toArray, toText } from '#extract/values/raw.ts';
import { buildPage, markPartial, unusable } from '#sites/framework/answers.ts';
import {
  buildIdentity,
  Count,
  EntityInput,
  findNextApiOffset,
  findNextOffset,
  Flag,
  Images,
  parseExactCount,
  parseExplicit,
  parseGraphImages,
  parseId,
  parseImages,
  parseLinkId,
  parseName,
  parsePlainText,
  parsePlayable,
  parseRelease,
  parseSingleImage,
  Text,
} from './shared.ts';
import { spotify, HOME } from './site.ts';
import {
  buildEntitySources,
  type EntityRequest,
  type GraphQuery,
  parseEmbedImages,
  type QueryContext,
} from './sources.ts';

export const Episode = z.object({
  id: z.string(),
  uri: z.string(),
  url: z.string(),
  name: z.string(),
  description: Text,
  release_date: Text,
  duration_ms: Count,
  explicit: Flag,
  playable: Flag,
  images: Images,
});

export type Episode = z.output<typeof Episode>;

export const PodcastRecord = z.object({
  id: z.string(),
  uri: z.string(),
  url: z.string(),
  name: z.string(),
  publisher: Text,
  description: Text,
  html_description: Text.describe('Sanitised'),
  explicit: Flag,
  media_type: Text.describe('audio, video or mixed'),
  topics: z.array(z.string()).readonly().nullable(),
  rating: z.number().min(0).nullable().describe('From 0 to 5'),
  rating_count: Count,
  images: Images,
  total_episodes: Count,
});

export type PodcastRecord = z.output<typeof PodcastRecord>;

const PodcastPage = z.object({
  podcast: PodcastRecord.nullable().describe('Null on later pages if they do not have it'),
  episodes: z.array(Episode).readonly().nullable().describe('The newest first'),
});

const DEFAULT_LIMIT = 50;

export const spotifyPodcast = spotify({
  path: '/podcast',
  summary: 'Podcast detail and its episodes, one page per request',
  input: EntityInput,
  record: PodcastPage,
  anyOf: ['id', 'url'],
  aliases: { language: ['locale'], limit: ['per_page'] },
  list: 'episodes',
  limit: { default: DEFAULT_LIMIT, max: 50 },
  sources: buildEntitySources({
    kind: 'show',
    answer: PodcastPage,
    buildQuery: buildFirstQuery,
    member: 'podcastUnionV2',
    parseAnswer: parseGraphPage,
    parseEmbed(entity, wanted) {
      const newest = parseEmbedEpisode(entity);
      return wrapPodcast(parseEmbedPodcast(entity, wanted), newest === null ? [] : [newest]);
    },
    parsePage: (page, wanted) => wrapPodcast(parsePagePodcast(page, wanted), parseRenderedEpisodes(page)),
    api: {
      request: ({ id, cursor, limit }) => ({
        path: cursor === null ? `/v1/shows/${id}` : `/v1/shows/${id}/episodes`,
        query: { market: 'US', ...(cursor === null ? {} : { offset: cursor, limit: limit ?? DEFAULT_LIMIT }) },
      }),
      read(raw, wanted) {
        const podcast = parseApiPodcast(raw, wanted);
        if (podcast === null && wanted.cursor === null) return null;
        const lines = podcast === null ? raw : getPath(raw, 'episodes');
        if (!Array.isArray(getPath(lines, 'items'))) return unusable('the episodes of the podcast are missing');
        const episodes = toArray(getPath(lines, 'items')).flatMap((one) => parseApiEpisode(one) ?? []);
        return buildPage({ podcast, episodes }, findNextApiOffset(lines));
      },
      lacks: 'the documented interface has no ratings and topics',
    },
    buildFromLink: (name, images, { id }) => ({
      podcast: { ...buildIdentity('show', id), ...NO_PODCAST_FACTS, name, images },
      episodes: null,
    }),
  }),
  expected: ['podcast.publisher', 'podcast.images', 'podcast.total_episodes', 'episodes.duration_ms'],
  canary: { id: '4rOoJ6Egrf8K2IrywzwOMk' },
});

/** The members of a podcast that a source lacks. */
const NO_PODCAST_FACTS = {
  publisher: null,
  description: null,
  html_description: null,
  explicit: null,
  media_type: null,
  topics: null,
  rating: null,
  rating_count: null,
  images: null,
  total_episodes: null,
} as const;

export function parseGraphPodcast(raw: unknown, { id }: EntityRequest): PodcastRecord | null {
  const name = toLine(getPath(raw, 'name'));
  if (name === null || parseId(getPath(raw, 'uri'), 'show') !== id) return null;
  const html = toText(getPath(raw, 'htmlDescription'));
  const rating = getPath(raw, 'rating', 'averageRating');
  const topics = getPath(raw, 'topics', 'items');
  return {
    ...buildIdentity('show', id),
    name,
    publisher: toLine(getPath(raw, 'publisher', 'name')),
    description: parsePlainText(getPath(raw, 'description')),
    html_description: html === null ? null : (parseRichText(html, HOME)?.html ?? null),
    explicit: parseExplicit(raw),
    media_type: toLine(getPath(raw, 'mediaType'))?.toLowerCase() ?? null,
    topics: Array.isArray(topics) ? topics.flatMap((one: unknown) => toLine(getPath(one, 'title')) ?? []) : null,
    rating: getPath(rating, 'showAverage') === false ? null : toNumber(getPath(rating, 'average')),
    rating_count: parseExactCount(getPath(rating, 'totalRatings')),
    images: parseGraphImages(getPath(raw, 'coverArt')),
    total_episodes: parseExactCount(getPath(raw, 'episodesV2', 'totalCount')),
  };
}

/** Parses an episode of the site's queries. Null if it is not available. */
export function parseEpisode(raw: unknown): Episode | null {
  const id = parseId(getPath(raw, 'uri'), 'episode');
  const name = toLine(getPath(raw, 'name'));
  if (id === null || name === null) return null;
  return {
    ...buildIdentity('episode', id),
    name,
    description: parsePlainText(getPath(raw, 'description')),
    release_date: parseRelease(getPath(raw, 'releaseDate')).date,
    duration_ms: toInteger(getPath(raw, 'duration', 'totalMilliseconds')),
    explicit: parseExplicit(raw),
    playable: parsePlayable(raw),
    images: parseGraphImages(getPath(raw, 'coverArt')),
  };
}

/** Parses the podcast of an embedded player, which plays the newest episode. */
function parseEmbedPodcast(entity: unknown, { id }: EntityRequest): PodcastRecord | null {
  const isShow = parseId(getPath(entity, 'uri'), 'show') === id;
  const name = toLine(getPath(entity, isShow ? 'name' : 'subtitle'));
  if (name === null || (!isShow && parseId(getPath(entity, 'relatedEntityUri'), 'show') !== id)) return null;
  const images = isShow ? parseEmbedImages(entity) : parseImages(getPath(entity, 'relatedEntityCoverArt'));
  return { ...buildIdentity('show', id), ...NO_PODCAST_FACTS, name, images };
}

function parseEmbedEpisode(entity: unknown): Episode | null {
  const id = parseId(getPath(entity, 'uri'), 'episode');
  const name = toLine(getPath(entity, 'name')) ?? toLine(getPath(entity, 'title'));
  if (id === null || name === null) return null;
  return {
    ...buildIdentity('episode', id),
    name,
    description: null,
    release_date: parseRelease(getPath(entity, 'releaseDate')).date,
    duration_ms: toInteger(getPath(entity, 'duration')),
    explicit: toBoolean(getPath(entity, 'isExplicit')),
    playable: toBoolean(getPath(entity, 'isPlayable')),
    images: parseEmbedImages(entity),
  };
}

export function parseApiPodcast(raw: unknown, { id }: EntityRequest): PodcastRecord | null {
  const name = toLine(getPath(raw, 'name'));
  if (name === null || parseId(getPath(raw, 'uri'), 'show') !== id) return null;
  const html = toText(getPath(raw, 'html_description'));
  return {
    ...buildIdentity('show', id),
    ...NO_PODCAST_FACTS,
    name,
    publisher: toLine(getPath(raw, 'publisher')),
    description: toText(getPath(raw, 'description')),
    html_description: html === null ? null : (parseRichText(html, HOME)?.html ?? null),
    explicit: toBoolean(getPath(raw, 'explicit')),
    media_type: toLine(getPath(raw, 'media_type'))?.toLowerCase() ?? null,
    images: parseImages(getPath(raw, 'images')),
    total_episodes:
      parseExactCount(getPath(raw, 'total_episodes')) ?? parseExactCount(getPath(raw, 'episodes', 'total')),
  };
}

export function parseApiEpisode(raw: unknown): Episode | null {
  const id = parseId(getPath(raw, 'uri'), 'episode');
  const name = toLine(getPath(raw, 'name'));
  if (id === null || name === null) return null;
  return {
    ...buildIdentity('episode', id),
    name,
    description: toText(getPath(raw, 'description')),
    release_date: parseRelease(getPath(raw, 'release_date')).date,
    duration_ms: toInteger(getPath(raw, 'duration_ms')),
    explicit: toBoolean(getPath(raw, 'explicit')),
    playable: toBoolean(getPath(raw, 'is_playable')),
    images: parseImages(getPath(raw, 'images')),
  };
}

/** Parses the podcast's page metadata. */
function parsePagePodcast(page: ParsedPage, { id }: EntityRequest): PodcastRecord | null {
  const name = parseName(page);
  if (name === null) return null;
  const described = listEntities(page, 'PodcastSeries')[0]?.members;
  // The page's description begins with an invitation that contains the podcast's name.
  const description = toLine(described?.['description']);
  const invitation = ` ${name} on Spotify. `;
  const starts = description?.indexOf(invitation) ?? -1;
  return {
    ...buildIdentity('show', id),
    ...NO_PODCAST_FACTS,
    name,
    publisher: toLine(described?.['publisher']) ?? readLineAt(page, '[data-testid=entityAuthor]'),
    description: starts < 0 ? description : (description?.slice(starts + invitation.length) ?? null),
    topics: parseTopics(page),
    images: parseSingleImage(described?.['image'] ?? findOpenGraph(page, 'og:image')),
    total_episodes: toInteger(findOpenGraph(page, 'music:song_count')),
  };
}

function parseTopics(page: ParsedPage): readonly string[] | null {
  const genres = selectAll(page, 'main a[href^="/genre/"]').flatMap((link) => readLineAt(page, ':scope', link) ?? []);
  return genres.length === 0 ? null : genres;
}

/** Episodes of a rendered page. The site renders no more at a time. */
const MAX_RENDERED_EPISODES = 50;

/** Parses the episodes that a browser rendered, newest first. */
function parseRenderedEpisodes(page: ParsedPage): readonly Episode[] {
  const rows = selectAll(page, '[data-testid^="episode-"][draggable]').slice(0, MAX_RENDERED_EPISODES);
  return rows.flatMap((row) => {
    const id = parseLinkId(page, 'a[href^="/episode/"]', 'episode', row);
    const name = readLineAt(page, '[data-testid=episodeTitle]', row);
    if (id === null || name === null) return [];
    return [
      {
        ...buildIdentity('episode', id),
        name,
        description: readLineAt(page, 'p', row),
        release_date: null,
        duration_ms: toDurationMs(readLineAt(page, '[data-testid^="episode-progress"]', row)),
        explicit: null,
        playable: null,
        images: parseSingleImage(readAttributeAt(page, 'img', 'src', row)),
      },
    ];
  });
}

function parseEpisodes(raw: unknown): readonly Episode[] {
  return toArray(getPath(raw, 'items')).flatMap((one) => parseEpisode(getPath(one, 'entity', 'data')) ?? []);
}

/** Builds the query for the podcast. Pages of episodes after the first have a query of their own. */
function buildFirstQuery(wanted: EntityRequest): GraphQuery {
  const { uri, language, cursor } = wanted;
  return cursor === null ? { query: 'queryShowMetadataV2', variables: { uri }, language } : buildEpisodesQuery(wanted);
}

function buildEpisodesQuery({ uri, language, cursor, limit }: EntityRequest): GraphQuery {
  const variables = {
    uri,
    offset: Number(cursor ?? 0),
    limit: limit ?? DEFAULT_LIMIT,
    includeEpisodeContentRatingsV2: false,
  };
  return { query: 'queryPodcastEpisodes', variables, language };
}

/** Parses the podcast, then queries its episodes. The first answer has only the id of the newest one. */
function parseGraphPage(raw: unknown, context: QueryContext) {
  const lines = getPath(raw, 'episodesV2');
  const total = toInteger(getPath(lines, 'totalCount'));
  const known = PodcastRecord.safeParse(context.previous);
  const podcast = known.success ? { ...known.data, total_episodes: total } : parseGraphPodcast(raw, context);
  const episodes = parseEpisodes(lines);
  const isOther = ![null, context.id].includes(parseId(getPath(raw, 'uri'), 'show'));
  if (isOther || (podcast === null && context.cursor === null)) return null;
  if (episodes.length > 0 || total === 0) {
    const next = findNextOffset(lines, total);
    return buildPage({ podcast, episodes }, next);
  }
  const isBeyond = total !== null && Number(context.cursor ?? 0) >= total;
  if (isBeyond) return buildPage({ podcast, episodes }, null);
  if (podcast === null || known.success || context.isPage) return unusable('the episodes of the podcast are missing');
  const alone = markPartial({ podcast, episodes: null }, 'the episodes of the podcast are missing');
  return context.ask === null ? alone : context.ask(buildEpisodesQuery(context), podcast, alone);
}

function wrapPodcast(podcast: PodcastRecord | null, episodes: readonly Episode[]) {
  return podcast === null ? null : { podcast, episodes: episodes.length === 0 ? null : episodes };
}
