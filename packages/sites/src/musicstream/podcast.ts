import { z } from 'zod';
import { pageOf, partly, unusable } from '#sites/framework/answers.ts';
import { at, integer, list } from '#extract/values/raw.ts';
import { EntityInput, identityOf, idIn } from './entity.ts';
import { entitySources } from './entity-sources.ts';
import type { AskedEntity, UnionCall } from './entity-sources.ts';
import { nextOffsetOf } from './graph-fields.ts';
import type { GraphQuestion } from './graph.ts';
import { officialNext } from './official.ts';
import { drawnEpisodes, embeddedEpisode, Episode, episodesOf, NO_PODCAST_FACTS } from './podcast-record.ts';
import { officialEpisode, officialPodcast, podcastFromEmbed, podcastFromGraph } from './podcast-record.ts';
import { podcastFromPage, PodcastRecord } from './podcast-record.ts';
import { musicstream } from './site.ts';

const PodcastPage = z.object({
  podcast: PodcastRecord.nullable().describe('Null where a page after the first does not tell it'),
  episodes: z.array(Episode).readonly().nullable().describe('The newest first'),
});

const USUAL = 50;

/** The question about the podcast itself; every page of episodes after the first has a question of its own. */
function firstQuestion(asked: AskedEntity): GraphQuestion {
  const { uri, language, cursor } = asked;
  return cursor === null ? { query: 'queryShowMetadataV2', variables: { uri }, language } : episodesQuestion(asked);
}

function episodesQuestion({ uri, language, cursor, limit }: AskedEntity): GraphQuestion {
  const variables = { uri, offset: Number(cursor ?? 0), limit: limit ?? USUAL, includeEpisodeContentRatingsV2: false };
  return { query: 'queryPodcastEpisodes', variables, language };
}

export const podcast = musicstream({
  path: '/podcast',
  summary: 'Podcast detail and its episodes, one page a request',
  input: EntityInput,
  record: PodcastPage,
  anyOf: ['id', 'url'],
  aliases: { language: ['locale'], limit: ['per_page'] },
  list: 'episodes',
  limit: { default: USUAL, most: 50 },
  sources: entitySources({
    kind: 'show',
    answer: PodcastPage,
    question: firstQuestion,
    member: 'podcastUnionV2',
    union: readPage,
    embedded(entity, asked) {
      const newest = embeddedEpisode(entity);
      return only(podcastFromEmbed(entity, asked), newest === null ? [] : [newest]);
    },
    described: (page, asked) => only(podcastFromPage(page, asked), drawnEpisodes(page)),
    official: {
      request: ({ id, cursor, limit }) => ({
        path: cursor === null ? `/v1/shows/${id}` : `/v1/shows/${id}/episodes`,
        query: { market: 'US', ...(cursor === null ? {} : { offset: cursor, limit: limit ?? USUAL }) },
      }),
      read(raw, asked) {
        const found = officialPodcast(raw, asked);
        if (found === null && asked.cursor === null) return null;
        const lines = found === null ? raw : at(raw, 'episodes');
        if (!Array.isArray(at(lines, 'items'))) return unusable('the episodes of the podcast');
        const episodes = list(at(lines, 'items')).flatMap((one) => officialEpisode(one) ?? []);
        return pageOf({ podcast: found, episodes }, officialNext(lines));
      },
      lacks: 'the documented interface gives no ratings and topics',
    },
    titled: (name, images, { id }) => ({
      podcast: { ...identityOf('show', id), ...NO_PODCAST_FACTS, name, images },
      episodes: null,
    }),
  }),
  expected: ['podcast.publisher', 'podcast.images', 'podcast.total_episodes', 'episodes.duration_ms'],
  canary: { id: '4rOoJ6Egrf8K2IrywzwOMk' },
});

/** The podcast and then its episodes: the answer about a podcast names only its newest, without saying more of it. */
function readPage(raw: unknown, call: UnionCall) {
  const lines = at(raw, 'episodesV2');
  const total = integer(at(lines, 'totalCount'));
  const known = PodcastRecord.safeParse(call.kept);
  const found = known.success ? { ...known.data, total_episodes: total } : podcastFromGraph(raw, call);
  const episodes = episodesOf(lines);
  const isOther = ![null, call.id].includes(idIn(at(raw, 'uri'), 'show'));
  if (isOther || (found === null && call.cursor === null)) return null;
  if (episodes.length > 0 || total === 0) {
    const next = nextOffsetOf(lines, total);
    return pageOf({ podcast: found, episodes }, next);
  }
  const isBeyond = total !== null && Number(call.cursor ?? 0) >= total;
  if (isBeyond) return pageOf({ podcast: found, episodes }, null);
  if (found === null || known.success || call.isPage) return unusable('the episodes of the podcast');
  const alone = partly({ podcast: found, episodes: null }, 'the episodes of the podcast are missing');
  return call.ask === null ? alone : call.ask(episodesQuestion(call), found, alone);
}

function only(found: PodcastRecord | null, episodes: readonly Episode[]) {
  return found === null ? null : { podcast: found, episodes: episodes.length === 0 ? null : episodes };
}
