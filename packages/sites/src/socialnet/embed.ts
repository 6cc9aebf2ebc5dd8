import type { ParsedPage } from '#extract/dom/parsed-page.ts';
import { attributeAt, lineAt } from '#extract/dom/elements.ts';
import { line } from '#extract/values/raw.ts';
import { isSameName } from './profile-input.ts';
import { profileAt } from './profile-path.ts';
import type { AskedProfile } from './profile-path.ts';

/** The head of an embed: whose page it shows. */
export type EmbeddedPage = { readonly id: string | null; readonly username: string | null; readonly name: string };

const LINK = 'a[href*="ref=embed_page"]';
/** The number as the embed gives it to its own scripts. */
const NUMBERS = [/initializeClickLoggers",\[[^\]]{0,500}\],\[(?:true|false),"(\d{5,20})"/, /"pageID":"(\d{5,20})"/];

/** The page of an embed when it is the wanted one, else null. */
export function embeddedPage(page: ParsedPage, wanted: AskedProfile): EmbeddedPage | null {
  const link = URL.parse(attributeAt(page, LINK, 'href') ?? '', page.url);
  const name = line(attributeAt(page, LINK, 'title')) ?? lineAt(page, LINK);
  if (link === null || name === null) return null;
  const shown = profileAt(`${link.pathname}${link.search}`);
  const [told = null] = NUMBERS.flatMap((number) => number.exec(page.source)?.[1] ?? []);
  const id = told ?? (shown !== null && 'id' in shown ? shown.id : null);
  const username = shown !== null && 'name' in shown ? shown.name : null;
  const isWanted = 'id' in wanted ? wanted.id === id : username !== null && isSameName(username, wanted.name);
  return isWanted ? { id, username, name } : null;
}
