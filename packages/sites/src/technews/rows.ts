import { attributeOf, nextOf, isElement } from '#extract/html/tree.ts';
import { all, attributeAt, lineAt, lineOf, one } from '#extract/dom/elements.ts';
import type { ParsedPage } from '#extract/dom/parsed-page.ts';
import { countOf, integer, line, moment } from '#extract/values/raw.ts';
import { bareItem, outwardLink, newsIdOf } from './item-record.ts';
import type { NewsItem } from './item-record.ts';

/** The row of a story and the row below it; null where the first is none of a story. */
export function readStoryRow(page: ParsedPage, row: number): NewsItem | null {
  const id = newsIdOf(attributeOf(page.tree, row, 'id'));
  const heading = one(page, '.titleline', row);
  // Pages of earlier years mark the link itself.
  const link = heading === 0 ? one(page, '.titlelink', row) || one(page, '.storylink', row) : one(page, 'a', heading);
  const title = lineOf(page, link);
  if (id === null || title === null) return null;
  const below = rowAfter(page, row);
  const said = all(page, 'a', below)
    .filter((node) => attributeOf(page.tree, node, 'href') === `item?id=${id}`)
    .flatMap((node) => lineOf(page, node) ?? []);
  const author = lineAt(page, '.hnuser', below);
  // Jobs have neither an author nor points.
  const type = author === null && one(page, '.score', below) === 0 ? 'job' : 'story';
  return {
    ...bareItem(id, type),
    ...outwardLink(attributeOf(page.tree, link, 'href')),
    title,
    author,
    score: integer(/^-?\d+/.exec(lineAt(page, '.score', below) ?? '')?.[0]),
    comment_count: type === 'job' ? null : commentsIn(said),
    created_at: ageOf(page, below),
  };
}

function rowAfter({ tree }: ParsedPage, row: number): number {
  let next = nextOf(tree, row);
  while (next !== 0 && !isElement(tree, next)) next = nextOf(tree, next);
  return next;
}

/** `discuss` where nobody has said anything. */
function commentsIn(said: readonly string[]): number | null {
  if (said.includes('discuss')) return 0;
  const counted = said.find((text) => /^\d+\s+comments?$/.test(text));
  return counted === undefined ? null : (countOf(counted.split(' ')[0], null)?.value ?? null);
}

/** When an item was written: the moment in digits, else the same in UTC without its zone. */
export function ageOf(page: ParsedPage, scope: number): string | null {
  const said = line(attributeAt(page, '.age', 'title', scope));
  const [stamp, seconds] = said?.split(' ') ?? [];
  return moment(seconds) ?? (stamp === undefined ? null : moment(stamp.endsWith('Z') ? stamp : `${stamp}Z`));
}
