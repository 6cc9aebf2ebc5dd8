import { notInSource, unusable } from '#sites/framework/answers.ts';
import type { EndpointSource } from '#sites/framework/endpoint.ts';
import { listEntities } from '#extract/dom/elements.ts';
import { type ParsedPage, parsePage } from '#extract/dom/parsed-page.ts';
import { findInteractionCount } from '#extract/structured/structured-data.ts';
import { toList, parseJsonValue } from '#extract/values/json.ts';
import { getPath, toLine, toMediaUrl, toTimestamp, toText, toCleanUrl } from '#extract/values/raw.ts';
import { BLUESKY_HOME, toBlueskyProfile } from './bluesky.ts';
import { buildLookup, buildServerName, toMastodonProfile } from './mastodon.ts';
import { AccountInput, findAccount, matchAccounts, type Profile, ProfileAnswer } from './shared.ts';
import { microblog } from './site.ts';
import { buildTimelineRequest, findRemoval, readEmbeddedTimeline, toXProfile, X_HOME } from './x.ts';

/** The page of an account with its structured data. */
const xProfilePage: EndpointSource<typeof AccountInput, typeof ProfileAnswer> = {
  name: 'x_page',
  when: matchAccounts('x'),
  request: (input, site) => ({ origin: 'web', path: `/${findAccount(input, site).name}` }),
  parse(source, input, site) {
    const page = parsePage(source.body, source.url);
    const { name } = findAccount(input, site);
    for (const { members } of listEntities(page, 'ProfilePage')) {
      const profile = readProfile(page, members);
      if (profile !== null) {
        const isWanted = profile.username.toLowerCase() === name.toLowerCase();
        return isWanted ? { profile } : unusable(`profile of another account: ${profile.username}`);
      }
    }
    return findRemoval(page) ?? unusable('no profile');
  },
};

const xProfileEmbed: EndpointSource<typeof AccountInput, typeof ProfileAnswer> = {
  name: 'x_timeline',
  when: matchAccounts('x'),
  request: buildTimelineRequest,
  parse(page, input, site) {
    const { name } = findAccount(input, site);
    for (const raw of readEmbeddedTimeline(page).entries) {
      const profile = toXProfile(getPath(raw, 'user'));
      if (profile?.username.toLowerCase() === name.toLowerCase()) return { profile };
    }
    return notInSource('the embedded timeline has no account with that name');
  },
};

const blueskyProfile: EndpointSource<typeof AccountInput, typeof ProfileAnswer> = {
  name: 'bluesky',
  when: matchAccounts('bluesky'),
  request: (input, site) => ({
    origin: 'appview',
    path: '/xrpc/app.bsky.actor.getProfile',
    query: { actor: findAccount(input, site).name },
  }),
  parse(page, input, site) {
    const profile = toBlueskyProfile(parseJsonValue(page.body));
    const { name } = findAccount(input, site);
    const isWanted = profile?.id === name || profile?.username.toLowerCase() === name.toLowerCase();
    return profile !== null && isWanted ? { profile } : unusable('the requested profile is missing');
  },
};

/** The page of a Bluesky account with its structured data. */
const blueskyProfilePage: EndpointSource<typeof AccountInput, typeof ProfileAnswer> = {
  name: 'bluesky_page',
  lacks: 'the page does not show the banner, the website and whether the account is verified',
  when: matchAccounts('bluesky'),
  request: (input, site) => ({ origin: 'bluesky', path: `/profile/${findAccount(input, site).name}` }),
  parse(source, input, site) {
    const { name } = findAccount(input, site);
    for (const { members } of listEntities(parsePage(source.body, source.url), 'ProfilePage')) {
      const person = getPath(members, 'mainEntity');
      const id = toLine(getPath(person, 'identifier'));
      const username = toLine(getPath(person, 'alternateName'))?.replace(/^@/, '') ?? null;
      if (id === null || username === null) continue;
      if (id !== name && username.toLowerCase() !== name.toLowerCase())
        return unusable(`profile of another account: ${username}`);
      const own = getPath(person, 'agentInteractionStatistic');
      const profile = {
        id,
        username,
        name: toLine(getPath(person, 'name')),
        url: `${BLUESKY_HOME}/profile/${username}`,
        network: 'bluesky' as const,
        description: toText(getPath(person, 'description')),
        location: null,
        website: null,
        followers: findInteractionCount(getPath(person, 'interactionStatistic'), 'FollowAction'),
        following: findInteractionCount(own, 'FollowAction'),
        post_count: findInteractionCount(own, 'WriteAction'),
        created_at: toTimestamp(getPath(members, 'dateCreated')),
        verified: null,
        avatar_url: toMediaUrl(getPath(person, 'image'), BLUESKY_HOME),
        banner_url: null,
        is_protected: false,
      };
      return { profile };
    }
    return unusable('no profile');
  },
};

const mastodonProfile: EndpointSource<typeof AccountInput, typeof ProfileAnswer> = {
  name: 'mastodon',
  when: matchAccounts('mastodon'),
  request: buildLookup,
  parse(page, input, site) {
    const profile = toMastodonProfile(parseJsonValue(page.body));
    const wanted = findAccount(input, site).name;
    return profile !== null && buildServerName(profile) === buildServerName({ username: wanted, url: profile.url })
      ? { profile }
      : unusable('the requested profile is missing');
  },
};

export const microblogProfile = microblog({
  path: '/profile',
  summary: 'An account on a network of short posts (X, Bluesky, Mastodon)',
  input: AccountInput,
  record: ProfileAnswer,
  anyOf: ['username', 'url'],
  aliases: { username: ['handle', 'user'] },
  sources: [xProfilePage, xProfileEmbed, blueskyProfile, blueskyProfilePage, mastodonProfile],
  expected: ['profile.name', 'profile.description', 'profile.followers', 'profile.post_count', 'profile.created_at'],
  canary: { username: 'bsky.app' },
});

function readProfile({ url: base }: ParsedPage, members: unknown): Profile | null {
  const person = getPath(members, 'mainEntity');
  const [id, username] = [toLine(getPath(person, 'identifier')), toLine(getPath(person, 'additionalName'))];
  if (id === null || username === null) return null;
  const counters = getPath(person, 'interactionStatistic');
  const links = toList(getPath(members, 'relatedLink')).flatMap((link) => toCleanUrl(link, base) ?? []);
  return {
    id,
    username,
    name: toLine(getPath(person, 'name')),
    url: `${X_HOME}/${username}`,
    network: 'x',
    description: toText(getPath(person, 'description')),
    location: toLine(getPath(person, 'homeLocation', 'name')),
    // The list contains the site's own short links next to their targets.
    website: links.find((link) => !link.startsWith('https://t.co/')) ?? links[0] ?? null,
    followers: findInteractionCount(counters, 'FollowAction'),
    following: findInteractionCount(counters, 'SubscribeAction'),
    post_count: findInteractionCount(counters, 'WriteAction'),
    created_at: toTimestamp(getPath(members, 'dateCreated')),
    verified: null,
    avatar_url: toMediaUrl(getPath(person, 'image', 'contentUrl'), base),
    banner_url: null,
    is_protected: null,
  };
}
