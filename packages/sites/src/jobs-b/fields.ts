import { all, lineOf } from '#extract/dom/elements.ts';
import type { ParsedPage } from '#extract/dom/parsed-page.ts';
import { attributeOf, parentOf } from '#extract/html/tree.ts';

/** The number of a job at the end of its path, null for the path of something else. */
export function jobNumberIn(path: string): string | null {
  return /^\/job\/(?:[^/?#]+\/){1,4}(\d{1,12})(?:[/?#]|$)/.exec(path)?.[1] ?? null;
}

const CLIMBED = 4;

/** The words beside an icon, which the board draws by a class; null where there is no such icon before `end`. */
export function besideIcon(page: ParsedPage, icon: string, scope = 0, end = page.tree.count): string | null {
  let [node = 0] = all(page, `i.${icon}`, scope);
  if (node >= end) return null;
  for (let step = 0; step < CLIMBED && node > scope; step++) {
    const said = lineOf(page, node);
    if (said !== null) return said;
    node = parentOf(page.tree, node);
  }
  return null;
}

/** Where the jobs begin that the page of a job suggests besides. */
export function suggestionsAt(page: ParsedPage, id: string): number {
  const isOther = (node: number): boolean => {
    const number = jobNumberIn(URL.parse(attributeOf(page.tree, node, 'href') ?? '', page.url)?.pathname ?? '');
    return number !== null && number !== id;
  };
  return all(page, 'a').find(isOther) ?? page.tree.count;
}
