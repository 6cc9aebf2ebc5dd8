import { z } from 'zod';
import { more, pageOf, partly } from '#sites/framework/answers.ts';
import { attributeAt } from '#extract/dom/elements.ts';
import { parsePage } from '#extract/dom/parsed-page.ts';
import type { SourcePage } from '#sites/framework/request.ts';
import { toPlainSearch } from './search-input.ts';
import { readSummaries } from './summaries.ts';
import { AltChannel, VideoSummary } from './summary-record.ts';

/** What was found before the shorts of a channel are asked for. */
const CarriedShorts = z.object({
  results: z.array(VideoSummary),
  next: z.string().nullable(),
  /** The channel whose shorts were asked for, and those that are still to be. */
  asked: AltChannel,
  channels: z.array(AltChannel),
});

type CarriedShorts = z.output<typeof CarriedShorts>;

export type FoundShorts = Pick<CarriedShorts, 'results' | 'next'>;

/** Channels whose shorts are looked at for one search. */
const MOST_CHANNELS = 2;
const FILTERED = "type: the site's search cannot ask for it; each of its pages is kept but for what is another";

/** The channels of results that are called as was searched for. */
export function matchingChannels(videos: readonly VideoSummary[], search: string): readonly AltChannel[] {
  const words = toPlainSearch(search);
  const isCalled = ({ name, slug }: AltChannel) =>
    [name ?? '', slug].some((one) => toPlainSearch(one).includes(words) || words.includes(slug.toLowerCase()));
  const found = videos.flatMap(({ channel }) => (channel !== null && isCalled(channel) ? [channel] : []));
  return [...new Map(found.map((channel) => [channel.url, channel])).values()].slice(0, MOST_CHANNELS);
}

/** Shorts with those of the channels that are called as was searched for. */
export function withChannelShorts({ results, next }: FoundShorts, channels: readonly AltChannel[]) {
  const answer = partly(pageOf({ results }, next), FILTERED);
  const [asked, ...others] = channels;
  if (asked === undefined) return answer;
  const found: CarriedShorts = { results: [...results], next, asked, channels: others };
  return more({ origin: 'web', path: `${new URL(asked.url).pathname}/shorts` }, found, answer);
}

/** The shorts of one channel beside what was found; what is no page of its shorts adds none. */
export function readChannelShorts(given: SourcePage): ReturnType<typeof withChannelShorts> {
  const { results, next, asked, channels } = CarriedShorts.parse(given.carry);
  const page = parsePage(given.body, given.url);
  const slug = attributeAt(page, '.media-subscribe-and-notify', 'data-slug');
  const isAsked = slug?.toLowerCase() === asked.slug.toLowerCase();
  const known = new Set(results.map(({ id }) => id));
  const shorts = isAsked
    ? readSummaries(page, asked).videos.filter(({ type, id }) => type === 'short' && !known.has(id))
    : [];
  return withChannelShorts({ results: [...results, ...shorts], next }, channels);
}
