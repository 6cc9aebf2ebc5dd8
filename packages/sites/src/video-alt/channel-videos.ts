import { z } from 'zod';
import { pageOf, unusable } from '#sites/framework/answers.ts';
import type { EndpointSource } from '#sites/framework/endpoint.ts';
import type { SourcePage } from '#sites/framework/request.ts';
import { attributeAt, lineAt, one } from '#extract/dom/elements.ts';
import { canonicalOf } from '#extract/dom/described.ts';
import { parsePage } from '#extract/dom/parsed-page.ts';
import type { ParsedPage } from '#extract/dom/parsed-page.ts';
import { countOf, mediaUrl } from '#extract/values/raw.ts';
import { channelOf, linkedPath } from './address.ts';
import { ChannelInput, wantedChannel } from './channel-input.ts';
import { videoAlt } from './site.ts';
import { nextPage, readSummaries } from './summaries.ts';
import { AltChannel, VideoSummary } from './summary-record.ts';

const Channel = AltChannel.extend({
  follower_count: z.int().min(0).nullable(),
  follower_count_text: z.string().nullable(),
  avatar_url: z.string().nullable(),
  banner_url: z.string().nullable(),
  description: z.string().nullable(),
});

const ChannelPage = z.object({ channel: Channel, videos: z.array(VideoSummary).readonly() });

const TABS = { all: '', video: '/videos', short: '/shorts', livestream: '/livestreams' } as const;

/** The list of a channel, or of a person of that name. */
function listOf(name: 'channel' | 'user'): EndpointSource<typeof ChannelInput, typeof ChannelPage> {
  return {
    name,
    request(input, site) {
      const { kind, slug } = wantedChannel(input, site);
      const owner = name === 'user' ? 'user' : kind;
      return { origin: 'web', path: `/${owner}/${slug}${TABS[input.type]}`, query: { page: site.cursor } };
    },
    parse: (given, input, site) => readChannel(given, { slug: wantedChannel(input, site).slug, cursor: site.cursor }),
  };
}

function readChannel(given: SourcePage, { slug, cursor }: { readonly slug: string; readonly cursor: string | null }) {
  const page = parsePage(given.body, given.url);
  const channel = channelAt(page);
  if (channel === null) return unusable('a channel');
  if (channel.slug.toLowerCase() !== slug.toLowerCase()) return unusable(`another channel: ${channel.slug}`);
  const { slug: name, url, verified } = channel;
  const { shown, videos } = readSummaries(page, { slug: name, name: channel.name, url, verified });
  if (videos.length === 0 && (shown > 0 || !NOTHING.test(lineAt(page, 'main') ?? '')))
    return unusable('videos of the channel');
  return pageOf({ channel, videos }, nextPage(page, cursor));
}

const NOTHING = /\bno (?:videos|shorts|live ?streams) (?:found|yet)|has(?:n't| not) (?:posted|uploaded|streamed)/i;

/** What the head of its page says; null for a page of something else. */
function channelAt(page: ParsedPage): z.output<typeof Channel> | null {
  const notify = '.media-subscribe-and-notify';
  const slug = attributeAt(page, notify, 'data-slug');
  const kind = attributeAt(page, notify, 'data-type') === 'user' ? 'user' : 'c';
  const name = lineAt(page, '.channel-header--title h1') ?? attributeAt(page, notify, 'data-title');
  const verified = one(page, '.channel-header--verified') !== 0;
  const known = channelOf(slug === null ? linkedPath(canonicalOf(page)) : `/${kind}/${slug}`, { name, verified });
  if (known === null || name === null) return null;
  const followers = lineAt(page, '.channel-header--followers');
  return {
    ...known,
    follower_count: countOf(followers, 'en-US')?.value ?? null,
    follower_count_text: followers,
    avatar_url: mediaUrl(attributeAt(page, 'img.channel-header--img', 'src'), page.url),
    banner_url: mediaUrl(attributeAt(page, 'img.channel-header--backsplash-img', 'src'), page.url),
    description: lineAt(page, '.channel-header--description'),
  };
}

/** A channel, or a person, and the videos of one of its lists. */
export const channelVideos = videoAlt({
  path: '/channel/videos',
  summary: 'A channel and its videos, one page a request',
  input: ChannelInput,
  anyOf: ['channel', 'url'],
  record: ChannelPage,
  list: 'videos',
  expected: [
    'channel.follower_count',
    'channel.avatar_url',
    'videos.published_at',
    'videos.view_count',
    'videos.duration_ms',
  ],
  canary: { channel: 'Bongino' },
  sources: [listOf('channel'), listOf('user')],
});
