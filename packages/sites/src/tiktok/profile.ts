import { z } from 'zod';
import { unusable } from '#sites/framework/answers.ts';
import type { SourcePage } from '#sites/framework/request.ts';
import { getPath, toBoolean, toHomepageUrl, toLine, toMediaUrl, toNatural, toText } from '#extract/values/raw.ts';
import {
  AccountInput,
  Count,
  parseTime,
  readLegacyState,
  readPageData,
  readRefusal,
  readUsername,
  Text,
} from './shared.ts';
import { HOME, tiktok } from './site.ts';

/** A person or a channel. */
const Profile = z.object({
  id: z.string(),
  username: z.string(),
  name: Text,
  url: z.string(),
  description: Text,
  website: Text,
  avatar_url: Text,
  verified: z.boolean().nullable(),
  is_private: z.boolean().nullable(),
  language: Text,
  followers: Count,
  following: Count,
  like_count: Count,
  video_count: Count,
  created_at: Text,
});

type Profile = z.output<typeof Profile>;

export const tiktokProfile = tiktok({
  path: '/profile',
  summary: 'A profile by username or url',
  input: AccountInput,
  record: z.object({ profile: Profile }),
  anyOf: ['username', 'url'],
  aliases: { username: ['handle', 'user'] },
  expected: ['profile.name', 'profile.followers', 'profile.like_count', 'profile.video_count', 'profile.avatar_url'],
  canary: { username: 'tiktok' },
  request: (input, site) => ({ origin: 'web', path: `/@${readUsername(input, site)}` }),
  parse(page, input, site) {
    const name = readUsername(input, site);
    const part = readPageData(page, 'webapp.user-detail');
    const profile = parseProfile(getPath(part, 'userInfo') ?? readLegacyInfo(page, name));
    if (profile === null) return readRefusal(part) ?? unusable('no profile');
    return profile.username.toLowerCase() === name
      ? { profile }
      : unusable(`profile of another account: ${profile.username}`);
  },
});

/** Reads the data of the profile in the format used before 2024. */
function readLegacyInfo(page: SourcePage, name: string) {
  const old = getPath(readLegacyState(page), 'UserModule');
  return { user: getPath(old, 'users', name), stats: getPath(old, 'stats', name) };
}

/** Parses a profile. Of its counts, only those of `statsV2` are exact. */
function parseProfile(info: unknown): Profile | null {
  const user = getPath(info, 'user');
  const id = toLine(getPath(user, 'id'));
  const username = toLine(getPath(user, 'uniqueId'));
  if (id === null || username === null) return null;
  const stat = (name: string): number | null =>
    toNatural(getPath(info, 'statsV2', name)) ?? toNatural(getPath(info, 'stats', name));
  return {
    id,
    username,
    name: toLine(getPath(user, 'nickname')),
    url: `${HOME}/@${username}`,
    description: toText(getPath(user, 'signature')),
    website: toHomepageUrl(getPath(user, 'bioLink', 'link'), HOME),
    avatar_url: toMediaUrl(getPath(user, 'avatarLarger') ?? getPath(user, 'avatarMedium'), HOME),
    verified: toBoolean(getPath(user, 'verified')),
    is_private: toBoolean(getPath(user, 'privateAccount')),
    language: toLine(getPath(user, 'language')),
    followers: stat('followerCount'),
    following: stat('followingCount'),
    like_count: stat('heartCount') ?? stat('heart'),
    video_count: stat('videoCount'),
    created_at: parseTime(getPath(user, 'createTime')),
  };
}
