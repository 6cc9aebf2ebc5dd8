import { ServiceError } from '#kernel/errors.ts';
import { isJsonObject, type JsonObject } from '#extract/values/json-object.ts';
import type { ServedEndpoint } from './endpoint.ts';
import { hasSome } from '#sites/framework/fill-nulls.ts';
import { CANARY_CALLER } from './health.ts';
import type { SiteWork } from './site-work.ts';

/** A reading of a site, as far as the health of the endpoint is concerned. */
type SourcedReading = { readonly source: string; readonly record: JsonObject };

/** Whose health is told; `telling` are the failures that speak of it. */
type ObservedEndpoint = Pick<ServedEndpoint, 'expected' | 'list'> & {
  readonly operation: { readonly id: string };
  readonly telling?: ReadonlySet<string>;
};

/** A reading, whether it may find the end of a list, and whether it asks for the well-known entity of the endpoint. */
type ObservedReading<T> = { readonly read: () => Promise<T>; readonly mayEnd: boolean; readonly isCanary?: boolean };

/** Failures that may be those of an endpoint that no longer fits its site. */
const HEALTH_FAILURES: ReadonlySet<string> = new Set(['unusable_response', 'target_blocked']);

/**
 * Tells the health of an endpoint what a reading of its site came to, and gives that on. `mayEnd` is for a further page of a
 * list: that it has no elements is the end of the list, and no sign of a parser that is blind.
 */
export async function observed<T extends SourcedReading>(
  { operation: { id }, expected, list, telling = HEALTH_FAILURES }: ObservedEndpoint,
  { observe, tenant }: Pick<SiteWork, 'observe' | 'tenant'>,
  { read, mayEnd, isCanary = false }: ObservedReading<T>,
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
      filled: new Map(expected.map((path) => [path, hasSome(record, path)])),
    });
  return served;
}

/** Whether a list is empty, or each of several that page together. */
function hasNoElements(given: unknown): boolean {
  if (Array.isArray(given)) return given.length === 0;
  return isJsonObject(given) && Object.values(given).every((one) => one === null || hasNoElements(one));
}
