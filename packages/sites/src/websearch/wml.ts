import { type EngineRecord, toEngineResult } from '#sites/engines/engine-record.ts';
import { blocked, empty, type SiteAnswer, unusable } from '#sites/framework/answers.ts';
import type { SourcePage } from '#sites/framework/request.ts';
import { all, lineAt, lineOf, one } from '#extract/dom/elements.ts';
import { parsePage } from '#extract/dom/parsed-page.ts';
import { attributeOf } from '#extract/html/tree.ts';
import { isTurnedAway } from './rendered.ts';
import { toPlainUrl } from '#extract/values/web-urls.ts';

/** Reads the page for telephones without scripts. It shows nothing that is paid for. */
export function readWml({ body, url }: SourcePage): EngineRecord | SiteAnswer {
  const page = parsePage(body, url);
  const results = all(page, 'div.zMzFAb').flatMap((box) => {
    const link = one(page, 'a.fuLhoc', box);
    const href = link === 0 ? null : attributeOf(page.tree, link, 'href');
    const target = href === null ? null : toPlainUrl(href, url);
    const title = lineAt(page, 'span.CVA68e', box) ?? lineOf(page, link);
    if (target === null || title === null) return [];
    return [toEngineResult({ title, url: target, description: lineAt(page, '.taTFJ span.FrIlee', box) })];
  });
  if (results.length > 0) return { results, has_more: /[?&;]start=\d/.test(body), features: null };
  if (isTurnedAway(page)) return blocked('soft_block');
  return /did not match any documents/i.test(body) ? empty() : unusable('results');
}
