import { z } from 'zod';
import { openGraph, things } from '#extract/dom/described.ts';
import { all, attributeAt, lineAt, readRich } from '#extract/dom/elements.ts';
import type { ParsedPage } from '#extract/dom/parsed-page.ts';
import { at, boolean, decimal, duration, integer, line, list, text } from '#extract/values/raw.ts';
import { embeddedImages } from './embed.ts';
import { idIn, identityOf } from './entity.ts';
import type { AskedEntity } from './entity-sources.ts';
import { explicitOf, picturesOf, playableOf } from './graph-fields.ts';
import { Whole, Flag, streamImages, Images, onlyImage, releaseOf, Text, plainCount, plain } from './music-records.ts';
import { idAt, nameIn } from './page-fields.ts';
import { STREAM_HOME } from './site.ts';

export const Episode = z.object({
  id: z.string(),
  uri: z.string(),
  url: z.string(),
  name: z.string(),
  description: Text,
  release_date: Text,
  duration_ms: Whole,
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
  rating: z.number().min(0).nullable().describe('Up to 5'),
  rating_count: Whole,
  images: Images,
  total_episodes: Whole,
});

export type PodcastRecord = z.output<typeof PodcastRecord>;

/** What is not known of a podcast by its link alone. */
export const NO_PODCAST_FACTS = {
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

export function podcastFromGraph(raw: unknown, { id }: AskedEntity): PodcastRecord | null {
  const name = line(at(raw, 'name'));
  if (name === null || idIn(at(raw, 'uri'), 'show') !== id) return null;
  const html = text(at(raw, 'htmlDescription'));
  const rating = at(raw, 'rating', 'averageRating');
  const topics = at(raw, 'topics', 'items');
  return {
    ...identityOf('show', id),
    name,
    publisher: line(at(raw, 'publisher', 'name')),
    description: plain(at(raw, 'description')),
    html_description: html === null ? null : (readRich(html, STREAM_HOME)?.html ?? null),
    explicit: explicitOf(raw),
    media_type: line(at(raw, 'mediaType'))?.toLowerCase() ?? null,
    topics: Array.isArray(topics) ? topics.flatMap((one: unknown) => line(at(one, 'title')) ?? []) : null,
    rating: at(rating, 'showAverage') === false ? null : decimal(at(rating, 'average')),
    rating_count: plainCount(at(rating, 'totalRatings')),
    images: picturesOf(at(raw, 'coverArt')),
    total_episodes: plainCount(at(raw, 'episodesV2', 'totalCount')),
  };
}

/** An episode of the site's queries; null for what is not shown. */
export function toEpisode(raw: unknown): Episode | null {
  const id = idIn(at(raw, 'uri'), 'episode');
  const name = line(at(raw, 'name'));
  if (id === null || name === null) return null;
  return {
    ...identityOf('episode', id),
    name,
    description: plain(at(raw, 'description')),
    release_date: releaseOf(at(raw, 'releaseDate')).date,
    duration_ms: integer(at(raw, 'duration', 'totalMilliseconds')),
    explicit: explicitOf(raw),
    playable: playableOf(raw),
    images: picturesOf(at(raw, 'coverArt')),
  };
}

/** The podcast of an embedded player, which plays the newest of its episodes. */
export function podcastFromEmbed(entity: unknown, { id }: AskedEntity): PodcastRecord | null {
  const isShow = idIn(at(entity, 'uri'), 'show') === id;
  const name = line(at(entity, isShow ? 'name' : 'subtitle'));
  if (name === null || (!isShow && idIn(at(entity, 'relatedEntityUri'), 'show') !== id)) return null;
  const images = isShow ? embeddedImages(entity) : streamImages(at(entity, 'relatedEntityCoverArt'));
  return { ...identityOf('show', id), ...NO_PODCAST_FACTS, name, images };
}

export function embeddedEpisode(entity: unknown): Episode | null {
  const id = idIn(at(entity, 'uri'), 'episode');
  const name = line(at(entity, 'name')) ?? line(at(entity, 'title'));
  if (id === null || name === null) return null;
  return {
    ...identityOf('episode', id),
    name,
    description: null,
    release_date: releaseOf(at(entity, 'releaseDate')).date,
    duration_ms: integer(at(entity, 'duration')),
    explicit: boolean(at(entity, 'isExplicit')),
    playable: boolean(at(entity, 'isPlayable')),
    images: embeddedImages(entity),
  };
}

export function officialPodcast(raw: unknown, { id }: AskedEntity): PodcastRecord | null {
  const name = line(at(raw, 'name'));
  if (name === null || idIn(at(raw, 'uri'), 'show') !== id) return null;
  const html = text(at(raw, 'html_description'));
  return {
    ...identityOf('show', id),
    ...NO_PODCAST_FACTS,
    name,
    publisher: line(at(raw, 'publisher')),
    description: text(at(raw, 'description')),
    html_description: html === null ? null : (readRich(html, STREAM_HOME)?.html ?? null),
    explicit: boolean(at(raw, 'explicit')),
    media_type: line(at(raw, 'media_type'))?.toLowerCase() ?? null,
    images: streamImages(at(raw, 'images')),
    total_episodes: plainCount(at(raw, 'total_episodes')) ?? plainCount(at(raw, 'episodes', 'total')),
  };
}

export function officialEpisode(raw: unknown): Episode | null {
  const id = idIn(at(raw, 'uri'), 'episode');
  const name = line(at(raw, 'name'));
  if (id === null || name === null) return null;
  return {
    ...identityOf('episode', id),
    name,
    description: text(at(raw, 'description')),
    release_date: releaseOf(at(raw, 'release_date')).date,
    duration_ms: integer(at(raw, 'duration_ms')),
    explicit: boolean(at(raw, 'explicit')),
    playable: boolean(at(raw, 'is_playable')),
    images: streamImages(at(raw, 'images')),
  };
}

/** The podcast by the page's description. */
export function podcastFromPage(page: ParsedPage, { id }: AskedEntity): PodcastRecord | null {
  const name = nameIn(page);
  if (name === null) return null;
  const described = things(page, 'PodcastSeries')[0]?.members;
  // The page's description opens with an invitation that names the podcast.
  const said = line(described?.['description']);
  const invitation = ` ${name} on Spotify. `;
  const starts = said?.indexOf(invitation) ?? -1;
  return {
    ...identityOf('show', id),
    ...NO_PODCAST_FACTS,
    name,
    publisher: line(described?.['publisher']) ?? lineAt(page, '[data-testid=entityAuthor]'),
    description: starts < 0 ? said : (said?.slice(starts + invitation.length) ?? null),
    topics: topicsOf(page),
    images: onlyImage(described?.['image'] ?? openGraph(page, 'og:image')),
    total_episodes: integer(openGraph(page, 'music:song_count')),
  };
}

function topicsOf(page: ParsedPage): readonly string[] | null {
  const found = all(page, 'main a[href^="/genre/"]').flatMap((link) => lineAt(page, ':scope', link) ?? []);
  return found.length === 0 ? null : found;
}

/** Episodes of a drawn page that are read; the site draws no more at a time. */
const MOST_DRAWN = 50;

/** The episodes that a browser has drawn, newest first. */
export function drawnEpisodes(page: ParsedPage): readonly Episode[] {
  const rows = all(page, '[data-testid^="episode-"][draggable]').slice(0, MOST_DRAWN);
  return rows.flatMap((row) => {
    const id = idAt(page, 'a[href^="/episode/"]', 'episode', row);
    const name = lineAt(page, '[data-testid=episodeTitle]', row);
    if (id === null || name === null) return [];
    return [
      {
        ...identityOf('episode', id),
        name,
        description: lineAt(page, 'p', row),
        release_date: null,
        duration_ms: duration(lineAt(page, '[data-testid^="episode-progress"]', row)),
        explicit: null,
        playable: null,
        images: onlyImage(attributeAt(page, 'img', 'src', row)),
      },
    ];
  });
}

/** The episodes of a list of the site's query that it tells of. */
export function episodesOf(raw: unknown): readonly Episode[] {
  return list(at(raw, 'items')).flatMap((one) => toEpisode(at(one, 'entity', 'data')) ?? []);
}
