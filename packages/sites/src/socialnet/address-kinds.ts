import { placeKindAt, refuseKind } from '#sites/place-kinds.ts';
import type { PlaceKinds } from '#sites/place-kinds.ts';
import { permalinkAt } from './permalink.ts';
import type { Permalink } from './permalink.ts';
import { profileAt } from './profile-path.ts';

const POSTS: Readonly<Record<Permalink['kind'], string>> = {
  post: 'a post',
  group: 'a post of a group',
  photo: 'a photo',
  video: 'a video',
  reel: 'a reel',
  share: 'what somebody shares',
};

/** What the other addresses of the site lead to, the narrower kinds first. */
const PLACES: PlaceKinds = [
  [/^\/groups\/[^/?]+/, 'a group'],
  [/^\/events\/(?:.*\/)?\d{5,20}\/?(?:\?|$)/, 'an event'],
  [/^\/events\b/, 'a list of events'],
  [/^\/marketplace\/(?:[^/]+\/)?item\//, 'a listing'],
  [/^\/marketplace\b/, 'the marketplace'],
  [/^\/ads\/library\b/, 'the library of ads'],
  [/^\/media\/set\b/, 'an album'],
  [/^\/stories\//, 'a story'],
  [/^\/hashtag\//, 'a hashtag'],
  [/^\/(?:login|checkpoint)\b/, 'the form to log in'],
];

/** What a path of the site leads to, in words; null where nobody knows. */
function kindAt(path: string): string | null {
  const post = permalinkAt(path);
  if (post !== null) return POSTS[post.kind];
  return placeKindAt(PLACES, path) ?? (profileAt(path) === null ? null : 'a page');
}

/** Refuses an address that leads to something else than is wanted, and says to what. Throws `invalid_request`. */
export function refuseAddress(path: string, wanted: string): never {
  return refuseKind({ parameter: 'url', kind: kindAt(path), wanted });
}
