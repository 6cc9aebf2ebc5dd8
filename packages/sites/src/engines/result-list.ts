import { type EngineResult, toEngineResult } from '#sites/engines/engine-record.ts';
import { all, lineAt, lineOf, one } from '#extract/dom/elements.ts';
import type { ParsedPage } from '#extract/dom/parsed-page.ts';
import { attributeOf } from '#extract/html/tree.ts';
import { toPlainUrl } from '#extract/values/web-urls.ts';

/** Where a page of results holds what, by CSS selectors. */
export type ListShape = {
  readonly box: string;
  /** Within a box, as all that follow. */
  readonly link: string;
  /** The link itself unless given. */
  readonly title?: string;
  readonly description: readonly string[];
  readonly shown: string;
  readonly published?: string;
  /** Boxes that are no results. */
  readonly isOther?: (page: ParsedPage, box: number) => boolean;
  /** What a link leads to, where that is neither the link nor named by a redirector. */
  readonly target?: (href: string) => string;
  /** The same where the box says it. */
  readonly targetOf?: (box: number) => string | null;
};

/** The results of a page that has one box for each. */
export function readResultList(page: ParsedPage, shape: ListShape): readonly EngineResult[] {
  return all(page, shape.box).flatMap((box) => {
    if (shape.isOther?.(page, box) === true) return [];
    const link = one(page, shape.link, box);
    const href = link === 0 ? null : attributeOf(page.tree, link, 'href');
    const title = shape.title === undefined ? lineOf(page, link) : lineAt(page, shape.title, box);
    if (href === null || title === null) return [];
    const target = shape.targetOf?.(box) ?? shape.target?.(href) ?? href;
    return [
      toEngineResult({
        title,
        // An address that is none stays as it is, so that it is counted where it is dropped.
        url: toPlainUrl(target, page.url) ?? target,
        shown: lineAt(page, shape.shown, box),
        description:
          shape.description.map((selector) => lineAt(page, selector, box)).find((text) => text !== null) ?? null,
        published: shape.published === undefined ? null : lineAt(page, shape.published, box),
      }),
    ];
  });
}
