import { empty, pageOf, unusable } from '#sites/framework/answers.ts';
import type { Sending, SiteRequest } from '#sites/framework/request.ts';
import { at, line, list } from '#extract/values/raw.ts';
import { askResource, readResource } from './resource.ts';
import { toPin } from './to-pin.ts';

/** Pins in one answer of the interface. */
const SIZE = 25;

/** Where a list goes on: the number of the account, where it is needed, and the site's own token. */
type PinsToken = { readonly user: string | null; readonly bookmark: string | null };

/** What a token of ours holds; nothing of none. */
export function pinsTokenOf(cursor: string | null): PinsToken {
  const [, user, bookmark] = /^(\d{0,25}):(.+)$/s.exec(cursor ?? '') ?? [];
  return { user: user === undefined || user === '' ? null : user, bookmark: bookmark ?? null };
}

type Wanted = { readonly username: string; readonly bookmark: string | null };

/** Asks for pins that an account made. */
export function askCreated(
  { username, user, bookmark }: Wanted & { readonly user: string },
  site: Pick<Sending, 'now'>,
): SiteRequest {
  const options = {
    exclude_add_pin_rep: true,
    field_set_key: 'grid_item',
    is_own_profile_pins: false,
    page_size: SIZE,
    user_id: user,
    username,
    ...bookmarksOf(bookmark),
  };
  const page = `/${username}/_created/`;
  return askResource({ name: 'UserActivityPins', page, handler: 'www/[username]/_created.js', options }, site);
}

/** Asks for all pins that an account keeps. */
export function askSaved({ username, bookmark }: Wanted, site: Pick<Sending, 'now'>): SiteRequest {
  const options = {
    field_set_key: 'grid_item',
    is_own_profile_pins: false,
    page_size: SIZE,
    username,
    ...bookmarksOf(bookmark),
  };
  const page = `/${username}/_saved/`;
  return askResource({ name: 'UserPins', page, handler: 'www/[username]/_saved.js', options }, site);
}

function bookmarksOf(bookmark: string | null) {
  return bookmark === null ? {} : { bookmarks: [bookmark] };
}

/** The pins of an answer, and where they go on. */
export function readPins(
  body: string,
  { username, user }: { readonly username: string; readonly user: string | null },
) {
  const read = readResource(body);
  if ('refusal' in read) return read.refusal;
  const { data, next, asked } = read;
  if ((line(at(asked, 'username'))?.toLowerCase() ?? username) !== username)
    return unusable('the pins of another account');
  if (!Array.isArray(data)) return unusable('a list of pins');
  const pins = list(data).flatMap((one) => toPin(one) ?? []);
  const token = next === null ? null : `${user ?? ''}:${next}`;
  if (pins.length > 0) return pageOf({ pins }, token);
  return data.length === 0 ? empty() : unusable('pins that can be read');
}
