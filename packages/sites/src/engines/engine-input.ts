import { z } from 'zod';
import { SAFE_LEVELS, TIME_RANGES } from '#sites/engines/names.ts';
import type { EngineRecord } from '#sites/engines/engine-record.ts';
import type { EndpointSource } from '#sites/framework/endpoint.ts';
import { refuseParameter } from '#sites/framework/site.ts';

export const EngineInput = z.object({
  search: z.string().min(1),
  country: z.string().optional().describe('ISO 3166-1 alpha-2'),
  language: z.string().optional().describe('BCP 47'),
  page: z.int().min(1).default(1),
  safe: z.enum(SAFE_LEVELS).optional(),
  time_range: z.enum(TIME_RANGES).optional(),
});

export type EngineInput = z.output<typeof EngineInput>;
export type EngineSource = EndpointSource<typeof EngineInput, typeof EngineRecord>;

/** The number of the first result of a page, from 0. */
export function offsetOf({ page }: EngineInput, size: number): number {
  return (page - 1) * size;
}

/** The language in two letters, null for none. */
export function shortLanguage({ language }: EngineInput): string | null {
  return language?.split('-')[0]?.toLowerCase() ?? null;
}

/** The language that a page is asked for in. */
export function inLanguage({ language }: EngineInput): { readonly language?: string } {
  return language === undefined ? {} : { language };
}

type TimeRange = NonNullable<EngineInput['time_range']>;

/** How an engine writes the time range, null for none. Throws `invalid_request` for one that it does not have. */
export function rangeOf(
  { time_range: range }: Pick<EngineInput, 'time_range'>,
  words: Readonly<Partial<Record<TimeRange, string>>>,
): string | null {
  if (range === undefined) return null;
  return words[range] ?? refuseParameter('time_range', `this engine has no results of a ${range}`);
}
