import { isJsonObject } from '#extract/values/json-object.ts';
import type { PageCopies, TrackedChange, TrackedPage } from '#features/changes/page-copies.ts';
import type { ChangesOptions, PageChanges } from '#features/schema/changes-fields.ts';
import type { Queryable } from '#store/db.ts';
import type { FailedFate, FailedPage, PageEnd, ResultElement } from './crawl-page.ts';

/** Compares the pages of a crawl with the last copies of its tenant. */
export type CrawlTracking = {
  readonly copies: PageCopies;
  readonly tenant: string;
  readonly options: ChangesOptions;
};

/** Ended pages with their comparisons, and the comparisons whose copies are replaced when the pages are stored. */
type ComparedEnds = { readonly ends: readonly PageEnd[]; readonly changes: readonly TrackedChange[] };

/** Adds output `changes` to the elements of ended pages. Without tracking it returns them as they are. */
export async function compareEnds(tracking: CrawlTracking | null, ends: readonly PageEnd[]): Promise<ComparedEnds> {
  if (tracking === null) return { ends, changes: [] };
  const { copies, tenant, options } = tracking;
  const tracked = ends.map(findTrackedPage).filter((page) => page !== null);
  const changes = await copies.compare(tenant, tracked, options);
  const byUrl = mapByUrl(tracked, changes);
  return { ends: ends.map((end) => addToEnd(end, byUrl.get(end.claim.url) ?? null)), changes };
}

/** The page of an end that is compared; null if it is not. */
export function findTrackedPage({ fate }: Pick<PageEnd, 'fate'>): TrackedPage | null {
  return 'tracked' in fate ? (fate.tracked ?? null) : null;
}

function addToEnd(end: PageEnd, changes: PageChanges | null): PageEnd {
  const { fate } = end;
  if (fate.kind === 'stored') {
    return fate.element === null ? end : { ...end, fate: { ...fate, element: addToElement(fate.element, changes) } };
  }
  if (fate.kind !== 'failed') return end;
  if (fate.element !== undefined) {
    return { ...end, fate: { ...fate, element: addToElement(fate.element, changes) } };
  }
  return changes === null ? end : { ...end, fate: { ...fate, ...describeRemoval(fate, changes) } };
}

function addToElement(element: ResultElement, changes: PageChanges | null): ResultElement {
  return { ...element, tail: { ...element.tail, changes } };
}

/** A failed page that is no element of the result has no other place for the comparison. */
function describeRemoval({ message }: Pick<FailedFate, 'message'>, { previous_at: at }: PageChanges) {
  return { code: 'removed' as const, message: `${message}; the copy fetched at ${at} was deleted` };
}

/** The pages of an inline crawl, which are stored when the call is charged. */
type InlinePages = {
  readonly elements: readonly unknown[];
  readonly errors: readonly FailedPage[];
  readonly tracked: readonly TrackedPage[];
};

type ComparedPages = Pick<InlinePages, 'elements' | 'errors'> & { readonly store: (tx: Queryable) => Promise<void> };

/** Adds output `changes` to the pages of an inline crawl. `store` replaces their copies. */
export async function comparePages(
  { copies, tenant, options }: CrawlTracking,
  { elements, errors, tracked }: InlinePages,
): Promise<ComparedPages> {
  const changes = await copies.compare(tenant, tracked, options);
  const byUrl = mapByUrl(tracked, changes);
  return {
    elements: elements.map((element) =>
      isJsonObject(element) ? { ...element, changes: byUrl.get(String(element['url'])) ?? null } : element,
    ),
    errors: errors.map((error) => {
      const change = byUrl.get(error.url) ?? null;
      return change === null ? error : { ...error, ...describeRemoval(error, change) };
    }),
    store: async (tx) => copies.replace(tx, changes),
  };
}

function mapByUrl(
  tracked: readonly TrackedPage[],
  changes: readonly TrackedChange[],
): ReadonlyMap<string, PageChanges | null> {
  return new Map(tracked.map(({ url }, at) => [url, changes[at]?.changes ?? null]));
}
