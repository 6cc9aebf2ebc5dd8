import { z } from 'zod';
import { setMember } from '#extract/values/json.ts';
import { cutValue, sizeOf } from './cutting.ts';
import type { Observation } from './observation.ts';

/** Characters of JSON of one value that a run keeps, and of all of them. */
const MOST_OF_VALUE = 32 * 1024;
const MOST_IN_ALL = 256 * 1024;

/** What a completed run has seen, as its record keeps it. */
export const Seen = z.object({
  values: z.record(z.string(), z.unknown()),
  field_meta: z.record(z.string(), z.looseObject({ source: z.string() })),
  content_hash: z.string().nullable(),
  final_url: z.string().nullable(),
  http_status: z.int().nullable(),
  first_run: z.boolean(),
  /** Whether it began to compare anew, because what is watched has changed. */
  baseline_reset: z.boolean(),
  warnings: z.array(z.string()),
});

export type Seen = z.output<typeof Seen>;

type Facts = {
  readonly observation: Observation;
  readonly body: Readonly<Record<string, unknown>>;
  readonly warnings: readonly string[];
  readonly isFirst: boolean;
  readonly isReset: boolean;
};

/** The record of an observation; values that are too large to be kept with every run are cut, and say so. */
export function toSeen({ observation, body, warnings, isFirst, isReset }: Facts): Seen {
  const values: Record<string, unknown> = {};
  const meta: Record<string, z.output<typeof Seen>['field_meta'][string]> = {};
  let left = MOST_IN_ALL;
  for (const [name, value] of Object.entries(observation.values)) {
    const most = Math.min(left, MOST_OF_VALUE);
    const chars = sizeOf(value);
    const fits = chars <= most;
    setMember(values, name, fits ? value : cutValue(value, most));
    setMember(meta, name, {
      source: 'record',
      ...observation.field_meta[name],
      ...(fits ? {} : { truncated: true }),
    });
    left = Math.max(0, left - Math.min(chars, most));
  }
  const { final_url: url, status_code: status } = body;
  return {
    values,
    field_meta: meta,
    content_hash: observation.content?.hash ?? null,
    final_url: typeof url === 'string' ? url : null,
    http_status: typeof status === 'number' ? status : null,
    first_run: isFirst,
    baseline_reset: isReset,
    warnings: [...warnings],
  };
}
