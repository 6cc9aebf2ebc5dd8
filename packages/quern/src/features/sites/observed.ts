import { ServiceError } from '#kernel/errors.ts';
import { isJsonObject, type JsonObject } from '#extract/values/json-object.ts';
import type { ServedEndpoint } from './endpoint.ts';
import { hasValueAt } from '#sites/framework/answers.ts';
import { CANARY_CALLER, type SiteHealth } from './health.ts';

/** The parts of a response that matter for health. */
type SourcedReading = { readonly source: string; readonly record: JsonObject };

/** The observed endpoint. `telling` are the error codes that count as failures. */
type ObservedEndpoint = Pick<ServedEndpoint, 'expected' | 'list'> & {
  readonly operation: { readonly id: string };
  readonly healthFailures?: ReadonlySet<string>;
};

/** A reading to observe, whether an empty list is normal, and whether it uses the canary input. */
type ObservedReading<T> = {
  readonly read: () => Promise<T>;
  readonly canBeEmpty: boolean;
  readonly isCanary?: boolean;
};

/** Errors that may mean that the endpoint no longer matches its site. */
const HEALTH_FAILURES: ReadonlySet<string> = new Set(['unusable_response', 'target_blocked']);

/**
 * Runs a reading, reports its outcome to the health of the endpoint, and returns its result. `canBeEmpty` is set for
 * further pages of a list: there an empty page is the end of the list, not a sign of a broken parser.
 */
export async function observeReading<T extends SourcedReading>(
  { operation: { id }, expected, list, healthFailures: telling = HEALTH_FAILURES }: ObservedEndpoint,
  { observe, tenant }: { readonly observe: SiteHealth['observe']; readonly tenant: string },
  { read, canBeEmpty: mayEnd, isCanary = false }: ObservedReading<T>,
): Promise<T> {
  const by = isCanary ? CANARY_CALLER : tenant;
  const served = await read().catch((error: unknown) => {
    if (error instanceof ServiceError && telling.has(error.code)) observe(id, { by, kind: 'failed', code: error.code });
    throw error;
  });
  const { source, record } = served;
  const elements = list === null ? undefined : record[list];
  const isEmpty = hasNoElements(elements);
  if (!isEmpty || !mayEnd)
    observe(id, {
      by,
      kind: 'served',
      source,
      isEmpty,
      filled: new Map(expected.map((path) => [path, hasValueAt(record, path)])),
    });
  return served;
}

/** Whether a list, or each of several parallel lists, is empty. */
function hasNoElements(given: unknown): boolean {
  if (Array.isArray(given)) return given.length === 0;
  return isJsonObject(given) && Object.values(given).every((one) => one === null || hasNoElements(one));
}
