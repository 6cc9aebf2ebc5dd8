import { z } from 'zod';
import { unusable } from '#sites/framework/answers.ts';
import type { SourcePage } from '#sites/framework/request.ts';
import { at } from '#extract/values/raw.ts';
import { clipAuthorOf, ClipAuthorInput } from './clip-input.ts';
import { ClipProfile } from './clip-record.ts';
import { oldStateOf, clipRefusal, pageScope } from './page-data.ts';
import { readClipProfile } from './read-clip.ts';
import { shortvideo } from './site.ts';

/** The same of a page before 2024. */
function oldInfoOf(page: SourcePage, name: string) {
  const old = at(oldStateOf(page), 'UserModule');
  return { user: at(old, 'users', name), stats: at(old, 'stats', name) };
}

export const clipProfile = shortvideo({
  path: '/profile',
  summary: 'Who publishes short videos',
  input: ClipAuthorInput,
  record: z.object({ profile: ClipProfile }),
  anyOf: ['username', 'url'],
  aliases: { username: ['handle', 'user'] },
  expected: ['profile.name', 'profile.followers', 'profile.like_count', 'profile.video_count', 'profile.avatar_url'],
  canary: { username: 'tiktok' },
  request: (input, site) => ({ origin: 'web', path: `/@${clipAuthorOf(input, site)}` }),
  parse(page, input, site) {
    const name = clipAuthorOf(input, site);
    const part = pageScope(page, 'webapp.user-detail');
    const profile = readClipProfile(at(part, 'userInfo') ?? oldInfoOf(page, name));
    if (profile === null) return clipRefusal(part) ?? unusable('a profile');
    return profile.username.toLowerCase() === name
      ? { profile }
      : unusable(`the profile of another: ${profile.username}`);
  },
});
