import { z } from 'zod';
import { setMember } from '#extract/values/json.ts';
import { NO_SPREAD_REASONS, Spread } from './spread.ts';
import { truncateValue, countJsonChars } from './change-entries.ts';
import type { RunObservation } from './observation.ts';

/** Maximum JSON size of one value in a snapshot, and of all values. */
const MAX_VALUE_CHARS = 32 * 1024;
const MAX_TOTAL_CHARS = 256 * 1024;

/** Additional fields of runs over several channels. */
const RunFacts = z.object({
  channels: z.array(z.record(z.string(), z.unknown())).optional(),
  spread: Spread.nullable().optional(),
  reason: z.enum(NO_SPREAD_REASONS).optional(),
});

export type RunFacts = z.output<typeof RunFacts>;

/** The observed values of a completed run as stored in its record. */
export const RunSnapshot = z.object({
  values: z.record(z.string(), z.unknown()),
  field_meta: z.record(z.string(), z.looseObject({ source: z.string() })),
  content_hash: z.string().nullable(),
  final_url: z.string().nullable(),
  http_status: z.int().nullable(),
  first_run: z.boolean(),
  /** Whether the comparison restarted because the watched target was changed. */
  baseline_reset: z.boolean(),
  /** Whether some values were not compared because what they include has changed. */
  rebased: z.boolean().default(false),
  warnings: z.array(z.string()),
  ...RunFacts.shape,
});

export type RunSnapshot = z.output<typeof RunSnapshot>;

type SnapshotFacts = {
  readonly observation: RunObservation;
  readonly body: Readonly<Record<string, unknown>>;
  readonly warnings: readonly string[];
  readonly isFirst: boolean;
  readonly isReset: boolean;
  readonly isRebased: boolean;
  readonly facts: RunFacts;
};

/** Builds the snapshot of an observation, with large values truncated and marked. */
export function buildRunSnapshot({ observation, body, warnings, facts, ...is }: SnapshotFacts): RunSnapshot {
  const values: Record<string, unknown> = {};
  const meta: Record<string, z.output<typeof RunSnapshot>['field_meta'][string]> = {};
  let left = MAX_TOTAL_CHARS;
  for (const [name, value] of Object.entries(observation.values)) {
    const most = Math.min(left, MAX_VALUE_CHARS);
    const chars = countJsonChars(value);
    const fits = chars <= most;
    setMember(values, name, fits ? value : truncateValue(value, most));
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
    first_run: is.isFirst,
    baseline_reset: is.isReset,
    rebased: is.isRebased,
    ...facts,
    warnings: [...warnings],
  };
}
