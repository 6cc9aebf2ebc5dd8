import { z } from 'zod';
import { buildPage, unusable } from '#sites/framework/answers.ts';
import type { EndpointSource } from '#sites/framework/endpoint.ts';
import type { SiteContext, SourcePage } from '#sites/framework/request.ts';
import { refuseReference } from '#sites/framework/site.ts';
import { findCanonicalUrl, readAttributeAt, readLineAt, selectFirst } from '#extract/dom/elements.ts';
import { type ParsedPage, parsePage } from '#extract/dom/parsed-page.ts';
import { toCount, toMediaUrl } from '#extract/values/raw.ts';
import {
  findNextPage,
  Owner,
  parseOwnerPath,
  parsePath,
  readSummaries,
  refuseAddress,
  toChannel,
  VideoSummary,
} from './shared.ts';
import { rumble } from './site.ts';

const ChannelInput = z.object({
  channel: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('Name in the address, also as @name, c/name or user/name; takes precedence over url'),
  url: z.url().max(2000).optional().describe('Address of the channel'),
  type: z.enum(['video', 'short', 'livestream', 'all']).default('all').describe('List of the channel'),
});

type ChannelInput = z.output<typeof ChannelInput>;

const Channel = Owner.extend({
  follower_count: z.int().min(0).nullable(),
  follower_count_text: z.string().nullable(),
  avatar_url: z.string().nullable(),
  banner_url: z.string().nullable(),
  description: z.string().nullable(),
});

const ChannelPage = z.object({ channel: Channel, videos: z.array(VideoSummary).readonly() });

/** A channel or a person, and the videos of one of its lists. */
export const rumbleChannelVideos = rumble({
  path: '/channel/videos',
  summary: 'A channel and its videos, one page per request',
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
  sources: [createListSource('channel'), createListSource('user')],
});

const CHANNEL_NAME = /^(?:\/?(c|user)\/|@)?([\w.-]{1,100})$/;

/** Finds the requested channel or person. Throws `not_found`, and `invalid_request` for another address. */
function findChannel(
  { channel, url }: ChannelInput,
  { locate }: Pick<SiteContext, 'locate'>,
): { readonly kind: 'c' | 'user'; readonly slug: string } {
  if (channel === undefined || channel.includes('://')) {
    const place = locate(channel ?? url ?? '');
    const name = channel === undefined ? 'url' : 'channel';
    return parseOwnerPath(place?.path ?? '') ?? refuseAddress(name, place?.path ?? '', 'a channel');
  }
  const [, kind, slug] = CHANNEL_NAME.exec(channel.trim()) ?? [];
  if (slug === undefined) return refuseReference('channel', 'is not a channel of this site');
  return { kind: kind === 'user' ? 'user' : 'c', slug };
}

const TABS = { all: '', video: '/videos', short: '/shorts', livestream: '/livestreams' } as const;

/** Creates the source for a channel, or for a person of the same name. */
function createListSource(name: 'channel' | 'user'): EndpointSource<typeof ChannelInput, typeof ChannelPage> {
  return {
    name,
    request(input, site) {
      const { kind, slug } = findChannel(input, site);
      const owner = name === 'user' ? 'user' : kind;
      return { origin: 'web', path: `/${owner}/${slug}${TABS[input.type]}`, query: { page: site.cursor } };
    },
    parse: (given, input, site) => readChannel(given, { slug: findChannel(input, site).slug, cursor: site.cursor }),
  };
}

function readChannel(source: SourcePage, { slug, cursor }: { readonly slug: string; readonly cursor: string | null }) {
  const page = parsePage(source.body, source.url);
  const channel = readChannelHead(page);
  if (channel === null) return unusable('no channel');
  if (channel.slug.toLowerCase() !== slug.toLowerCase()) return unusable(`another channel: ${channel.slug}`);
  const { slug: name, url, verified } = channel;
  const { shown, videos } = readSummaries(page, { slug: name, name: channel.name, url, verified });
  if (videos.length === 0 && (shown > 0 || !EMPTY_LIST.test(readLineAt(page, 'main') ?? '')))
    return unusable('no videos of the channel');
  return buildPage({ channel, videos }, findNextPage(page, cursor));
}

const EMPTY_LIST = /\bno (?:videos|shorts|live ?streams) (?:found|yet)|has(?:n't| not) (?:posted|uploaded|streamed)/i;

/** Reads the head of a channel page; null for any other page. */
function readChannelHead(page: ParsedPage): z.output<typeof Channel> | null {
  const notify = '.media-subscribe-and-notify';
  const slug = readAttributeAt(page, notify, 'data-slug');
  const kind = readAttributeAt(page, notify, 'data-type') === 'user' ? 'user' : 'c';
  const name = readLineAt(page, '.channel-header--title h1') ?? readAttributeAt(page, notify, 'data-title');
  const verified = selectFirst(page, '.channel-header--verified') !== 0;
  const known = toChannel(slug === null ? parsePath(findCanonicalUrl(page)) : `/${kind}/${slug}`, { name, verified });
  if (known === null || name === null) return null;
  const followers = readLineAt(page, '.channel-header--followers');
  return {
    ...known,
    follower_count: toCount(followers, 'en-US')?.value ?? null,
    follower_count_text: followers,
    avatar_url: toMediaUrl(readAttributeAt(page, 'img.channel-header--img', 'src'), page.url),
    banner_url: toMediaUrl(readAttributeAt(page, 'img.channel-header--backsplash-img', 'src'), page.url),
    description: readLineAt(page, '.channel-header--description'),
  };
}
