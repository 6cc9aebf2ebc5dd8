import { all, lineOf } from '#extract/dom/elements.ts';
import type { ParsedPage } from '#extract/dom/parsed-page.ts';
import { attributeOf, parentOf } from '#extract/html/tree.ts';

/** Finds the id at the end of the path of a job. Null for any other path. */
export function parseJobNumber(path: string): string | null {
  return /^\/job\/(?:[^/?#]+\/){1,4}(\d{1,12})(?:[/?#]|$)/.exec(path)?.[1] ?? null;
}

const MAX_ICON_CLIMB = 4;

/** Finds the text next to an icon, by the class of the icon. Null if there is no such icon before `end`. */
export function findTextByIcon(page: ParsedPage, icon: string, scope = 0, end = page.tree.count): string | null {
  let [node = 0] = all(page, `i.${icon}`, scope);
  if (node >= end) return null;
  for (let step = 0; step < MAX_ICON_CLIMB && node > scope; step++) {
    const said = lineOf(page, node);
    if (said !== null) return said;
    node = parentOf(page.tree, node);
  }
  return null;
}

/** Finds the first link to another job, where the suggestions of the page begin. */
export function findSuggestions(page: ParsedPage, id: string): number {
  const isOther = (node: number): boolean => {
    const number = parseJobNumber(URL.parse(attributeOf(page.tree, node, 'href') ?? '', page.url)?.pathname ?? '');
    return number !== null && number !== id;
  };
  return all(page, 'a').find(isOther) ?? page.tree.count;
}
