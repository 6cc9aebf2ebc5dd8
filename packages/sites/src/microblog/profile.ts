import { MicroAccountInput } from './account.ts';
import { skyProfilePage } from './bluesky-page.ts';
import { skyProfile } from './bluesky.ts';
import { tootProfile } from './mastodon.ts';
import { ProfileAnswer } from './records.ts';
import { microblog } from './site.ts';
import { xProfileEmbed } from './x-embed.ts';
import { xProfilePage } from './x-page.ts';

export const microblogProfile = microblog({
  path: '/profile',
  summary: 'An account of a network of short posts (X, Bluesky, Mastodon)',
  input: MicroAccountInput,
  record: ProfileAnswer,
  anyOf: ['username', 'url'],
  aliases: { username: ['handle', 'user'] },
  sources: [xProfilePage, xProfileEmbed, skyProfile, skyProfilePage, tootProfile],
  expected: ['profile.name', 'profile.description', 'profile.followers', 'profile.post_count', 'profile.created_at'],
  canary: { username: 'bsky.app' },
});
