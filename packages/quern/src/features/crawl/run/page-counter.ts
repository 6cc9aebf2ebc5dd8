import type { Account } from '#engine/credits/billing.ts';
import type { VisitedPage } from '#features/crawl/crawl-page.ts';
import type { Observe } from '#kernel/events.ts';

type CountedCall = { readonly operation: string; readonly account: Account };

/** Notes the fates of committed pages. */
export function pageCounter({ observe }: { readonly observe: Observe }, { operation, account }: CountedCall) {
  return (pages: readonly VisitedPage[]): void => {
    const fates: Record<string, number> = {};
    for (const { end } of pages) fates[end.fate.kind] = (fates[end.fate.kind] ?? 0) + 1;
    observe({ type: 'pages', call: account.key, tenant: account.tenant, operation, fates });
  };
}
