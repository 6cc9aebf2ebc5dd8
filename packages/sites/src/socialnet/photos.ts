import { z } from 'zod';
import { ProfileInput, askedProfileOf } from './profile-input.ts';
import { Photo, readPhotos } from './photos-page.ts';
import { tabOf } from './profile-tab.ts';
import { socialnet } from './site.ts';

/** The newest pictures of a page: those that its grid holds. */
export const photos = socialnet({
  path: '/photos',
  summary: "A page's photo grid",
  input: ProfileInput,
  anyOf: ['id', 'username', 'url'],
  record: z.object({ photos: z.array(Photo).readonly() }),
  aliases: { username: ['handle', 'page'], limit: ['per_page'] },
  list: 'photos',
  limit: { default: 20, most: 50 },
  expected: ['photos.url', 'photos.image_url', 'photos.width', 'photos.alt'],
  canary: { username: 'bbcnews' },
  request: (input, site) => tabOf(askedProfileOf(input, site), 'photos'),
  parse: readPhotos,
});
