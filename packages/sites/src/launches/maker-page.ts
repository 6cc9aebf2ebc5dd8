import { notFound, unusable } from '#sites/framework/answers.ts';
import type { SiteAnswer } from '#sites/framework/answers.ts';
import type { SourcePage } from '#sites/framework/request.ts';
import type { JsonObject } from '#extract/values/json-object.ts';
import { canonicalOf, things } from '#extract/dom/described.ts';
import { parsePage } from '#extract/dom/parsed-page.ts';
import type { ParsedPage } from '#extract/dom/parsed-page.ts';
import { variablesOf } from '#extract/dom/scripts.ts';
import { findObjects, findWith, merged } from '#extract/json/search.ts';
import { line } from '#extract/values/raw.ts';
import type { Maker } from './maker-record.ts';
import { DATA, LAUNCHES_HOME } from './site.ts';
import { toMaker } from './to-maker.ts';

/** Reads the profile of a person: its data, and what it describes of itself. */
export function readProfile(source: SourcePage, username: string): Maker | SiteAnswer {
  const page = parsePage(source.body, source.url);
  const shown = nameIn(canonicalOf(page) ?? '') ?? nameIn(source.url);
  if (shown !== username) return unusable('the person asked for');
  const data = variablesOf(page, DATA);
  const known = [...findObjects(data, (user) => isNamed(user, username)), ...describedIn(page, username)];
  if (known.length > 0) return toMaker(merged(known)) ?? unusable('the name of the person');
  const isNobody = findWith(data, 'profile').some((one) => one['profile'] === null);
  return isNobody ? notFound('nobody has that name') : unusable('a person');
}

/** Whether a person in the site's own data has a name, which is given in lower case. */
export function isNamed(user: JsonObject, username: string): boolean {
  return line(user['username'])?.toLowerCase() === username;
}

function nameIn(address: string): string | null {
  return /^\/@([^/?#]+)/.exec(URL.parse(address, LAUNCHES_HOME)?.pathname ?? '')?.[1]?.toLowerCase() ?? null;
}

/** What a profile describes of its person for search engines, in the form of the site's data. */
function describedIn(page: ParsedPage, username: string): readonly JsonObject[] {
  const people = things(page, 'Person').map(({ members }) => members);
  return people
    .filter((person) => nameIn(line(person['url']) ?? '') === username)
    .map(({ name, description, image, sameAs }) => ({
      username,
      name,
      headline: description,
      avatarUrl: image,
      links: sameAs,
    }));
}
