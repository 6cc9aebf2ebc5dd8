import { z } from 'zod';
import type { JobRecord } from '#engine/jobs/job-record.ts';
import { countNoun, formatNumber, toSpan } from './meter.ts';

const Warnings = z.array(z.object({ code: z.string(), message: z.string() })).default([]);
const Errors = z.array(z.object({ code: z.string() })).default([]);
const Usage = z.object({ credits: z.number() }).nullish();

/** The ends of the bodies of Crawl and Map, without their lists. */
const End = z.object({
  stop_reason: z.string().optional(),
  complete: z.boolean().optional(),
  total: z.number().optional(),
  errors: Errors,
  skipped: z.record(z.string(), z.number()).default({}),
  stats: z.object({ failed: z.number() }).optional(),
  sources: z.record(z.string(), z.object({ found: z.number(), errors: Errors })).default({}),
  warnings: Warnings,
  usage: Usage,
});

export type Summed = {
  /** One element of the list: `page`, `URL`. */
  readonly noun: string;
  readonly record: JobRecord;
  /** The body of the result, whatever of its list is in it. */
  readonly body: unknown;
  readonly written: number;
  /** The output path, null for standard output. */
  readonly path: string | null;
};

/** The summary of a finished crawl or map, one line each. */
export function toSummary({ noun, record, body, written, path }: Summed): readonly string[] {
  const end = End.parse(body);
  const credits = end.usage?.credits ?? record.usage?.credits ?? 0;
  const first = [
    countNoun(written, noun) +
      (end.total === undefined || end.total === written ? '' : ` of ${formatNumber(end.total)} found`),
    `${end.complete === true ? 'complete' : 'not complete'}${end.stop_reason === undefined ? '' : ` (${end.stop_reason})`}`,
    countNoun(credits, 'credit'),
    toTook(record),
  ];
  const ofFiles = Object.values(end.sources).flatMap((source) => source.errors);
  // A crawl counts the pages that failed; a warning names a file that did.
  const errors = end.stats === undefined ? [...end.errors, ...ofFiles] : end.errors;
  const failed = end.stats?.failed ?? errors.length;
  const skipped = Object.entries(end.skipped).filter(([, n]) => n > 0);
  const sources = Object.entries(end.sources).filter(([, { found }]) => found > 0);
  return [
    first.join(' · '),
    ...(sources.length === 0
      ? []
      : [`found in ${sources.map(([name, { found }]) => `${name} ${formatNumber(found)}`).join(', ')}`]),
    ...(failed === 0 ? [] : [`${countNoun(failed, 'error')}: ${toCodes(errors, failed)}`]),
    ...(skipped.length === 0
      ? []
      : [
          `${formatNumber(sum(skipped))} skipped: ${skipped.map(([reason, n]) => `${reason} ${formatNumber(n)}`).join(', ')}`,
        ]),
    ...end.warnings.map(({ code, message }) => `warning: ${code}: ${message}`),
    ...(path === null ? [] : [`written to ${path}`]),
  ];
}

function toTook({ created_at: from, finished_at: to }: JobRecord): string {
  return to === null ? '–' : toSpan(Date.parse(to) - Date.parse(from));
}

function sum(counts: readonly (readonly [string, number])[]): number {
  return counts.reduce((all, [, n]) => all + n, 0);
}

/** Errors by code, most first; a result lists only the first of very many. */
function toCodes(errors: readonly { readonly code: string }[], failed: number): string {
  const counts = new Map<string, number>();
  for (const { code } of errors) counts.set(code, (counts.get(code) ?? 0) + 1);
  const codes = [...counts].toSorted(([, a], [, b]) => b - a).map(([code, n]) => `${code} ${formatNumber(n)}`);
  return codes.join(', ') + (errors.length < failed ? ` among the first ${formatNumber(errors.length)}` : '');
}
