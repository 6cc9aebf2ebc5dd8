import { empty, pageOf, unusable } from '#sites/framework/answers.ts';
import { all, attributeAt, one } from '#extract/dom/elements.ts';
import { parsePage } from '#extract/dom/parsed-page.ts';
import { readStoryRow } from './rows.ts';

/** Addresses of further pages, as the forum writes them. */
const NEXT = /^(?:news|newest|best|ask|show|shownew|jobs)\?[\w=&]{1,100}$/;

/** Of a page that is read: it has 30 rows in some 40,000 characters. */
const MOST = { rows: 200, characters: 600_000 } as const;

/** The stories of a page of a list, and the address of the next. */
export function readFrontPage(body: string, address: string) {
  const page = parsePage(body.slice(0, MOST.characters), address);
  const rows = all(page, 'tr.athing').slice(0, MOST.rows);
  const items = rows.flatMap((row) => readStoryRow(page, row) ?? []);
  if (items.length === 0) {
    const isWhole = one(page, '#hnmain') !== 0 && one(page, '.yclinks') !== 0;
    return rows.length === 0 && isWhole ? empty() : unusable('a list of stories');
  }
  const next = attributeAt(page, 'a.morelink', 'href')?.replace(/^\?/, `${new URL(address).pathname.slice(1)}?`);
  return pageOf({ items }, next !== undefined && NEXT.test(next) ? next : null);
}
