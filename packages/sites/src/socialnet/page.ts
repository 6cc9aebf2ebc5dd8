import { pageEmbed } from './page-embed.ts';
import { PageAnswer } from './page-record.ts';
import { pageWeb } from './page-web.ts';
import { ProfileInput } from './profile-input.ts';
import { socialnet } from './site.ts';

/** A page of a business, a place or a public person. */
export const socialnetPage = socialnet({
  path: '/page',
  summary: 'A public page by username, id or url',
  input: ProfileInput,
  anyOf: ['id', 'username', 'url'],
  record: PageAnswer,
  aliases: { username: ['handle', 'page'] },
  expected: ['page.id', 'page.name', 'page.category', 'page.likes', 'page.profile_image_url'],
  canary: { username: 'bbcnews' },
  sources: [pageWeb, pageEmbed],
});
