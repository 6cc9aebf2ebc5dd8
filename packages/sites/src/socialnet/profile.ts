import type { SourcePage } from '#sites/framework/request.ts';
import { canonicalOf, openGraph } from '#extract/dom/described.ts';
import type { ParsedPage } from '#extract/dom/parsed-page.ts';
import { objectsWith } from '#extract/dom/scripts.ts';
import { merged } from '#extract/json/search.ts';
import { isJsonObject } from '#extract/values/json-object.ts';
import type { JsonObject } from '#extract/values/json-object.ts';
import { at, line } from '#extract/values/raw.ts';
import { permalinkAt } from './permalink.ts';
import { isSameName } from './profile-input.ts';
import { profileAt } from './profile-path.ts';
import type { AskedProfile } from './profile-path.ts';

/** What a page says of whose it is. */
export type ShownProfile = {
  /** The person or page of its header. */
  readonly user: JsonObject;
  /** The page behind it, empty for a person. */
  readonly page: JsonObject;
  /** The name of its address, null where it has none. */
  readonly name: string | null;
};

/** The profile of a page when it is the wanted one, else null. */
export function shownProfile(source: SourcePage, parsed: ParsedPage, wanted: AskedProfile): ShownProfile | null {
  const headers = objectsWith(parsed, 'profile_header_renderer').map((one) =>
    at(one, 'profile_header_renderer', 'user'),
  );
  const [header, ...fragments] = headers.filter(isJsonObject);
  const user = header === undefined ? {} : merged([header, ...fragments.filter((one) => one['id'] === header['id'])]);
  const id = line(at(user, 'delegate_page', 'id'));
  const pages = objectsWith(parsed, 'delegate_page').map((one) => one['delegate_page']);
  const own = pages.filter(isJsonObject).filter((one) => id === null || line(one['id']) === id);
  const page = merged(own);
  const addresses = [line(user['url']), openGraph(parsed, 'og:url'), canonicalOf(parsed)];
  const profiles = addresses.flatMap((one) => (one === null ? [] : (toProfile(one, source.url) ?? [])));
  const names = profiles.flatMap((one) => ('name' in one ? [one.name] : []));
  const ids = [line(user['id']), line(page['id']), ...profiles.flatMap((one) => ('id' in one ? [one.id] : []))];
  const isWanted = 'id' in wanted ? ids.includes(wanted.id) : names.some((name) => isSameName(name, wanted.name));
  return isWanted || isRenamed(source, names) ? { user, page, name: names[0] ?? null } : null;
}

/** The site leads from a number or an older name to the present one. */
function isRenamed({ url, requested }: SourcePage, names: readonly string[]): boolean {
  const [from, to] = [new URL(requested), new URL(url)];
  const ended = from.pathname === to.pathname ? null : profileAt(to.pathname);
  return ended !== null && 'name' in ended && names.some((name) => isSameName(name, ended.name));
}

/** Whose page an address is; that of a post begins with the name of its page too. */
function toProfile(address: string, base: string): AskedProfile | null {
  const url = URL.parse(address, base);
  const path = url === null ? '' : `${url.pathname}${url.search}`;
  return permalinkAt(path) === null ? profileAt(path) : null;
}
