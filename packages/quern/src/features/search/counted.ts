import type { Served, WorkCall } from '#engine/call/operation.ts';
import { observed } from '#features/sites/observed.ts';
import type { SiteHealth } from '#features/sites/health.ts';
import type { JsonObject } from '#extract/values/json-object.ts';

/** Failures that say that what answers is not there, or not as it was. */
const TELLING: ReadonlySet<string> = new Set(['unusable_response', 'target_blocked', 'backend_unavailable']);

/** What a search or an answer came to, and what it came from. */
type Sourced<B> = Served<B> & { readonly source: string };

/** Counts the calls of a search or an answer, whose results are in a list of its body. */
export function buildCounted(siteHealth: Pick<SiteHealth, 'observe'>) {
  const observe: SiteHealth['observe'] = (id, seen) => siteHealth.observe(id, seen);
  return async function counted<B extends JsonObject>(
    operation: { readonly id: string },
    { account: { tenant } }: Pick<WorkCall, 'account'>,
    list: keyof B & string,
    run: () => Promise<Sourced<B>>,
  ): Promise<Served<B>> {
    const { served } = await observed(
      { operation, list, expected: [list], telling: TELLING },
      { observe, tenant },
      {
        mayEnd: false,
        async read() {
          const { source, ...rest } = await run();
          return { source, record: rest.body, served: rest };
        },
      },
    );
    return served;
  };
}
