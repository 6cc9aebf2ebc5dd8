import { z } from 'zod';
import type { JsonObject } from '#extract/values/json-object.ts';
import { isSingleThreshold, StoredWatch } from '#features/monitors/compare/watch.ts';
import type { MonitorDefinition } from '#features/monitors/store/definition.ts';
import { buildInputChecker } from '#engine/call/validation.ts';
import { ServiceError } from '#kernel/errors.ts';
import {
  buildPatch,
  buildPresetFields,
  completeDefinition,
  type DefinitionFacts,
  MONITOR_FIELDS,
  omitUndefined,
  OWN_NAMES,
  WEBHOOK_FIELD,
} from './definition-input.ts';

/** The operation that returns the profile of a product, with its upvotes. */
const PRODUCT_OPERATION = 'launches.product';

const LaunchWatch = StoredWatch.pick({
  thresholds: true,
  notify_on_first_run: true,
  digest: true,
  failing_after: true,
});

/** The fields that a change may have. */
const FIELDS = buildPresetFields(LaunchWatch.prefault({}));
const ShortText = z.string().min(1).max(2000);
const TARGET = {
  slug: ShortText.optional().describe('Slug of the product in its URL'),
  id: ShortText.optional().describe('Id of the product'),
  url: ShortText.optional().describe('URL of the product page'),
} as const;

/** The input of a new launch monitor. */
export const LaunchInput = z
  .strictObject({
    ...TARGET,
    product: ShortText.optional().describe('Alias of slug'),
    product_id: ShortText.optional().describe('Alias of id'),
    ...FIELDS,
    ...WEBHOOK_FIELD,
  })
  .superRefine(({ slug, product, id, product_id, url }, context) => {
    const targets = [slug ?? product, id ?? product_id, url].filter((target) => target !== undefined);
    if (targets.length === 1) return;
    const message =
      targets.length === 0 ? 'one of slug, id and url is required' : 'only one of slug, id and url is allowed';
    context.addIssue({ code: 'custom', path: ['slug'], message });
  })
  .transform(({ product, product_id, ...body }) => {
    const { slug = product, id = product_id } = body;
    return { ...body, slug, id };
  });

/** A change of a launch monitor. Its product cannot be changed. */
export const LaunchPatch = buildPatch(FIELDS);

const checkBody = buildInputChecker({
  input: z.strictObject({
    slug: TARGET.slug,
    url: TARGET.url,
    product_id: TARGET.id,
    metadata: MONITOR_FIELDS.metadata,
    ...FIELDS,
  }),
});

/** Builds the definition of a launch monitor. Throws `invalid_request`. */
export function buildLaunchDefinition({ id, ...rest }: JsonObject, facts: DefinitionFacts): MonitorDefinition {
  const body = checkBody(omitUndefined({ product_id: id, ...rest })).input;
  const { slug, product_id: productId, url, watch } = body;
  if (watch.thresholds !== undefined && !isSingleThreshold(watch.thresholds))
    throw new ServiceError('invalid_request', 'watch.thresholds: must have abs and pct for the upvotes');
  const input = omitUndefined({ slug, id: productId, url });
  const examined = facts.examine({ kind: PRODUCT_OPERATION, input, named: OWN_NAMES });
  return completeDefinition(
    {
      ...body,
      ...examined,
      kind: 'launch',
      name: body.name ?? (slug ?? productId ?? url ?? '').slice(0, 200),
      input,
      // `id` is already the id of the monitor.
      what: omitUndefined({ slug, product_id: productId, url }),
      member: 'slug',
      expiresAt: null,
      providers: [],
    },
    facts,
  );
}
