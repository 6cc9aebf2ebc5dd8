import { isErrorPage } from '#access/classify/error-page.ts';
import type { Page } from '#access/page.ts';
import type { WorkResult } from '#engine/call/operation.ts';
import type { ChangesOptions, PageChanges } from '#features/schema/changes-fields.ts';
import type { Warning, WarningCode } from '#kernel/warnings.ts';
import type { PageCopies, TrackedPage } from './page-copies.ts';

/** Statuses of a page that the target no longer has. */
const REMOVED_STATUSES: ReadonlySet<number> = new Set([404, 410]);
/** Warning codes of a page that is not the requested one. */
const WRONG_PAGE_CODES: ReadonlySet<WarningCode> = new Set(['auth_required', 'geo_or_legal', 'refusal_page']);

/** Whether a status means that the target no longer has the page. */
export function isRemovedStatus(status: number): boolean {
  return REMOVED_STATUSES.has(status);
}

/** Whether a page with these warnings is not the requested one, so that it is not compared. */
export function isWrongPage(warnings: readonly Pick<Warning, 'code'>[]): boolean {
  return warnings.some(({ code }) => WRONG_PAGE_CODES.has(code));
}

type ReadPage = Omit<TrackedPage, 'content'> & {
  readonly page: Pick<Page, 'status' | 'body'>;
  readonly warnings: readonly Warning[];
  readonly content: NonNullable<TrackedPage['content']>;
};

/** The page to compare; null for an error page, an empty page, or a page that is not the requested one. */
export function chooseTrackedPage({ page, warnings, ...read }: ReadPage): TrackedPage | null {
  if (isRemovedStatus(page.status)) return { ...read, content: null };
  return isErrorPage(page) || isWrongPage(warnings) ? null : read;
}

type Tracking = {
  readonly copies: PageCopies;
  readonly tenant: string;
  readonly options: ChangesOptions;
  readonly page: TrackedPage | null;
};

/** Adds output `changes` to the result of work on one page. The copy is replaced when the work is charged. */
export async function addChanges<B extends object>(
  result: WorkResult<B>,
  tracking: Tracking,
): Promise<WorkResult<B & { readonly changes: PageChanges | null }>> {
  const { copies, tenant, options, page } = tracking;
  const compared = page === null ? [] : await copies.compare(tenant, [page], options);
  return {
    ...result,
    body: { ...result.body, changes: compared[0]?.changes ?? null },
    effect: {
      store: async (tx) => copies.replace(tx, compared),
      rebuild: async () => addChanges(result, tracking),
    },
  };
}
