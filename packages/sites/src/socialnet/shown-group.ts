import type { SourcePage } from '#sites/framework/request.ts';
import { canonicalOf, openGraph } from '#extract/dom/described.ts';
import type { ParsedPage } from '#extract/dom/parsed-page.ts';
import { objectsWith } from '#extract/dom/scripts.ts';
import { merged } from '#extract/json/search.ts';
import { isJsonObject } from '#extract/values/json-object.ts';
import type { JsonObject } from '#extract/values/json-object.ts';
import { at, line, list } from '#extract/values/raw.ts';
import { groupWordAt } from './group-input.ts';
import { isSameName } from './profile-input.ts';
import { SOCIAL_WEB } from './site.ts';

/** A group as its page tells it. */
export type ShownGroup = {
  readonly id: string | null;
  readonly name: string;
  /** Its fragments as one; empty where the page only tells what it tells those who share it. */
  readonly raw: JsonObject;
};

/** Members of the fragments in which pages tell a group. */
const MEMBERS = [
  'group_member_profiles',
  'privacy_info',
  'cover_renderer',
  'description_with_entities',
  'group_locations',
  'group_feed',
  'comet_discussion_tab_cards',
] as const;

/** The group of a page when it is the wanted one, else null. */
export function shownGroup(source: SourcePage, parsed: ParsedPage, wanted: string): ShownGroup | null {
  const fragments = [...new Set(MEMBERS.flatMap((member) => objectsWith(parsed, member)))];
  const ids = new Set(fragments.flatMap((one) => line(one['id']) ?? []));
  const id = /^\d{5,20}$/.test(wanted) ? wanted : (idOf(source, parsed, { wanted, ids }) ?? null);
  const own = fragments.filter((one) => id !== null && line(one['id']) === id);
  // The card that describes a group stands below it, and may not repeat its number.
  const cards = own.flatMap((one) => list(one['comet_discussion_tab_cards']).map((card) => at(card, 'group')));
  const raw = merged([...own, ...cards.filter(isJsonObject)]);
  const name = line(raw['name']) ?? line(at(raw, 'featurable_title', 'text'));
  if (name !== null && own.length > 0) return { id, name, raw };
  const title = openGraph(parsed, 'og:title')?.replace(/ \| Facebook$/, '');
  const isShared = addressesOf(source, parsed).some((word) => word === wanted || isSameName(word, wanted));
  return title !== undefined && isShared ? { id, name: title, raw: {} } : null;
}

/** The number behind a name: that of the group with such an address, or of the only one where the page has it. */
function idOf(
  source: SourcePage,
  parsed: ParsedPage,
  { wanted, ids }: { readonly wanted: string; readonly ids: ReadonlySet<string> },
): string | undefined {
  const named = objectsWith(parsed, 'id', 'url').find((one) => {
    const address = URL.parse(line(one['url']) ?? '', SOCIAL_WEB);
    const word = address === null ? null : groupWordAt(address.pathname);
    return word !== null && isSameName(word, wanted) && ids.has(line(one['id']) ?? '');
  });
  if (named !== undefined) return line(named['id']) ?? undefined;
  const words = addressesOf(source, parsed);
  const [told] = objectsWith(parsed, 'groupID').flatMap((one) => line(one['groupID']) ?? []);
  return words.some((word) => isSameName(word, wanted)) ? told : undefined;
}

/** The words of the addresses that a page says it has. */
function addressesOf({ url }: SourcePage, parsed: ParsedPage): readonly string[] {
  return [openGraph(parsed, 'og:url'), canonicalOf(parsed)].flatMap((one) => {
    const address = URL.parse(one ?? '', url);
    return address === null ? [] : (groupWordAt(address.pathname) ?? []);
  });
}

/** The address of a group, by its own word where it has one. */
export function groupAddress({ id, raw }: ShownGroup, wanted: string): string {
  const address = URL.parse(line(at(raw, 'url')) ?? '', SOCIAL_WEB);
  const word = address === null ? null : groupWordAt(address.pathname);
  return `${SOCIAL_WEB}/groups/${word ?? id ?? wanted}/`;
}
