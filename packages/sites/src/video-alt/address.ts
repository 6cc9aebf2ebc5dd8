import { decodeHTML } from 'entities';
import { line, url } from '#extract/values/raw.ts';
import { placeKindAt, refuseKind } from '#sites/place-kinds.ts';
import type { PlaceKinds } from '#sites/place-kinds.ts';
import { VIDEO_ALT_HOME } from './site.ts';
import type { AltChannel } from './summary-record.ts';

const VIDEO = /^\/(shorts\/)?(v[0-9a-z]+)(?:-[^/?#]*)?(?:\.html)?\/?(?:[?#]|$)/;
const EMBED = /^\/embed\/(?:[0-9a-z]+\.)?(v[0-9a-z]+)\/?(?:[?#]|$)/;
const OWNER = /^\/(c|user)\/([\w.-]{1,100})(?:[/?#]|$)/;

/** What a path of the site leads to: a video, a short, or the player of a video, which has an id of its own. */
export type VideoAddress = { readonly kind: 'video' | 'short' | 'embed'; readonly id: string };

/** The video that a path leads to; null for any other path. */
export function videoAddressOf(path: string): VideoAddress | null {
  const embed = EMBED.exec(path)?.[1];
  if (embed !== undefined) return { kind: 'embed', id: embed };
  const [, short, id] = VIDEO.exec(path) ?? [];
  // A word of the site's own begins like an id.
  if (id === undefined || (short === undefined && RESERVED.has(id))) return null;
  return { kind: short === undefined ? 'video' : 'short', id };
}

const RESERVED: ReadonlySet<string> = new Set(['videos']);

/** Whose a path is: a channel or a person. */
export function ownerOf(path: string): { readonly kind: 'c' | 'user'; readonly slug: string } | null {
  const [, kind, slug] = OWNER.exec(path) ?? [];
  if (slug === undefined) return null;
  return { kind: kind === 'c' ? 'c' : 'user', slug };
}

const PLACES: PlaceKinds = [
  [/^\/(?:c|user)\//, 'a channel'],
  [/^\/shorts\/v/, 'a short'],
  [/^\/embed\/v/, 'an embedded player'],
  [/^\/playlists\//, 'a playlist'],
  [/^\/search\b/, 'a search'],
  [/^\/(?:videos|browse|category|editor-picks)\b/, 'a list of videos'],
];

/** Refuses an address that leads to something else than is wanted, and says to what. Throws `invalid_request`. */
export function refuseAltAddress(parameter: string, path: string, wanted: string): never {
  const kind = placeKindAt(PLACES, path) ?? (videoAddressOf(path) === null ? null : 'a video');
  return refuseKind({ parameter, kind, wanted });
}

/** The same from a link of a page. */
export function channelOf(
  href: string | null,
  { name, verified }: Pick<AltChannel, 'name' | 'verified'>,
): AltChannel | null {
  const found = linkedPath(href);
  const owner = found === null ? null : ownerOf(found);
  if (owner === null) return null;
  const { kind, slug } = owner;
  return { slug, name, url: `${VIDEO_ALT_HOME}/${kind}/${slug}`, verified };
}

/** The path of a link of a page, whichever host it was fetched from. */
export function linkedPath(href: string | null): string | null {
  return URL.parse(href ?? '', VIDEO_ALT_HOME)?.pathname ?? null;
}

/** A name or title of the site's interface, which writes characters as HTML does. */
export function plainLine(raw: unknown): string | null {
  const given = line(raw);
  return given === null || !given.includes('&') ? given : line(decodeHTML(given));
}

/** A link of a page as an address of the site. */
export function addressOf(href: string | null): string | null {
  const path = linkedPath(href);
  return path === null ? null : url(path, VIDEO_ALT_HOME);
}
