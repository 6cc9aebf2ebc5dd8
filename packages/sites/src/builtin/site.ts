import { selectAll, readSingleLine } from '#extract/dom/elements.ts';
import type { ParsedPage } from '#extract/dom/parsed-page.ts';
import { getAttribute, getParent } from '#extract/html/tree.ts';
import { defineSite } from '#sites/framework/endpoint.ts';
import type { PathKinds } from '#sites/framework/site.ts';

/** The canonical origin of the board's pages, wherever they are fetched. */
export const HOME = 'https://builtin.com';

/** The board's hosts for cities and regions, which have the same paths. */
const CITIES = [
  'builtinnyc.com',
  'builtinla.com',
  'builtinsf.com',
  'builtinboston.com',
  'builtinseattle.com',
  'builtinaustin.com',
  'builtincolorado.com',
  'builtinchicago.org',
  'builtincharlotte.com',
  'builtinlondon.uk',
  'builtinsydney.au',
  'builtinmelbourne.au',
  'builtintoronto.com',
  'builtinvancouver.org',
  'builtinsingapore.com',
] as const;

/** The kinds of the board's addresses other than jobs. */
export const PATH_KINDS: PathKinds = [
  [/^\/company\/[^/]+\/jobs/, 'the jobs of a company'],
  [/^\/company\//, 'a company'],
  [/^\/compan(?:y|ies)/, 'a list of companies'],
  [/^\/jobs(?:[/?]|$)/, 'a search'],
  [/^\/articles\//, 'an article'],
];

/** Built In. Its pages are read. */
export const builtIn = defineSite({
  name: 'jobs-b',
  about: 'job board: technology companies',
  origins: { web: HOME },
  hosts: Object.fromEntries(
    ['builtin.com', ...CITIES].flatMap((host) => [[host, 'web'] as const, [`www.${host}`, 'web'] as const]),
  ),
});

/** Finds the id at the end of the path of a job. Null for any other path. */
export function parseJobNumber(path: string): string | null {
  return /^\/job\/(?:[^/?#]+\/){1,4}(\d{1,12})(?:[/?#]|$)/.exec(path)?.[1] ?? null;
}

const MAX_ICON_CLIMB = 4;

/** Finds the text next to an icon, by the class of the icon. Null if there is no such icon before `end`. */
export function findTextByIcon(page: ParsedPage, icon: string, scope = 0, end = page.tree.count): string | null {
  let [node = 0] = selectAll(page, `i.${icon}`, scope);
  if (node >= end) return null;
  for (let step = 0; step < MAX_ICON_CLIMB && node > scope; step++) {
    const line = readSingleLine(page, node);
    if (line !== null) return line;
    node = getParent(page.tree, node);
  }
  return null;
}

/** Finds the first link to another job, where the suggestions of the page begin. */
export function findSuggestions(page: ParsedPage, id: string): number {
  const isOther = (node: number): boolean => {
    const number = parseJobNumber(URL.parse(getAttribute(page.tree, node, 'href') ?? '', page.url)?.pathname ?? '');
    return number !== null && number !== id;
  };
  return selectAll(page, 'a').find(isOther) ?? page.tree.count;
}
