import { z } from 'zod';
import { unusable } from '#sites/framework/answers.ts';
import type { SiteAnswer } from '#sites/framework/answers.ts';
import type { Sending, SiteRequest } from '#sites/framework/request.ts';
import { at, boolean, countOf, line, mediaUrl, moment, text, url } from '#extract/values/raw.ts';
import { askResource, readResource } from './resource.ts';
import { PINBOARD_HOME } from './site.ts';

const Text = z.string().nullable();
const Count = z.int().min(0).nullable();
const Flag = z.boolean().nullable();

export const PinboardAccount = z.object({
  id: Text,
  username: z.string(),
  name: Text,
  url: z.string(),
  about: Text,
  website_url: Text,
  domain_verified: Flag,
  followers: Count,
  following: Count,
  pins: Count,
  boards: Count,
  monthly_views: Count,
  image_url: Text,
  cover_image_url: Text,
  is_partner: Flag,
  is_verified_merchant: Flag,
  is_private: Flag,
  last_pin_saved_at: Text,
  seo_title: Text,
  country: Text,
});

export type PinboardAccount = z.output<typeof PinboardAccount>;

/** Asks the interface for an account. */
export function askAccount(username: string, site: Sending): SiteRequest {
  const options = { username, field_set_key: 'unauth_profile' };
  return askResource({ name: 'User', page: `/${username}/`, handler: 'www/[username].js', options }, site);
}

/** The account in an answer of the interface, or what stands in its place. */
export function readAccount(
  body: string,
  username: string,
): { readonly account: PinboardAccount } | { readonly refusal: SiteAnswer } {
  const read = readResource(body);
  if ('refusal' in read) return read;
  const account = toAccount(read.data);
  if (account === null) return { refusal: unusable('an account') };
  return account.username.toLowerCase() === username ? { account } : { refusal: unusable('the account asked for') };
}

/** An account in the site's own data; null for what has no name. */
export function toAccount(raw: unknown): PinboardAccount | null {
  const username = line(at(raw, 'username'));
  if (username === null) return null;
  const count = (name: string): number | null => countOf(at(raw, name), null)?.value ?? null;
  const cover = at(raw, 'profile_cover', 'images');
  return {
    id: line(at(raw, 'id')),
    username,
    name: line(at(raw, 'full_name')) ?? line(at(raw, 'first_name')),
    url: `${PINBOARD_HOME}/${encodeURIComponent(username)}/`,
    about: text(at(raw, 'about')),
    website_url: url(at(raw, 'website_url'), PINBOARD_HOME),
    domain_verified: boolean(at(raw, 'domain_verified')),
    followers: count('follower_count'),
    following: count('following_count'),
    pins: count('pin_count'),
    boards: count('board_count'),
    // Views that are not told are -1.
    monthly_views: count('profile_views'),
    image_url: mediaUrl(at(raw, 'image_xlarge_url') ?? at(raw, 'image_large_url'), PINBOARD_HOME),
    cover_image_url: mediaUrl(at(cover, 'originals', 'url') ?? at(cover, 'orig', 'url'), PINBOARD_HOME),
    is_partner: boolean(at(raw, 'is_partner')),
    is_verified_merchant: boolean(at(raw, 'is_verified_merchant')),
    is_private: boolean(at(raw, 'is_private_profile')),
    last_pin_saved_at: moment(at(raw, 'last_pin_save_time'), 'en-US'),
    seo_title: line(at(raw, 'seo_title')),
    country: line(at(raw, 'country')),
  };
}
