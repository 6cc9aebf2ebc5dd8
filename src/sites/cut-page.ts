import type { SourcePage } from '#features/sites/request.ts';

/** The end that every whole page of the sites has; comments and scripts of those who deliver it may follow. */
const END = /<\/html\s*>/i;
/** Where the end is looked for. */
const TAIL = 10_000;

/** Whether a page ends before its end: what it does not show says nothing then. */
export function isCut({ body }: Pick<SourcePage, 'body'>): boolean {
  return !END.test(body.slice(-TAIL));
}
