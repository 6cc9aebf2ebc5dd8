import { z } from 'zod';
import type { DownloadView } from '#engine/call/command-view.ts';
import type { JobRecord } from '#engine/jobs/job-record.ts';

/** Window of the moving average of the rate. */
const WINDOW_MS = 10_000;
const FAST_RATE = 10;

type ProgressSample = { readonly at: number; readonly completed: number };

/** The input of a meter: the job, the number of written elements, and the monotonic time in ms. */
export type ProgressReading = { readonly record: JobRecord; readonly written: number; readonly now: number };

/** Formats the progress of a job as one line. It counts list elements if the list grows, else the pages read so far. */
export function createMeter({ grows, noun, remaining }: DownloadView) {
  let samples: readonly ProgressSample[] = [];

  /** Computes the rate in pages per second; null until it is known. */
  function computeRate({ record: { progress }, now }: ProgressReading): number | null {
    samples = [...samples.filter(({ at }) => now - at <= WINDOW_MS), { at: now, completed: progress.completed }];
    const [first] = samples;
    if (first === undefined || now === first.at) return null;
    return ((progress.completed - first.completed) * 1000) / (now - first.at);
  }

  return {
    line(reading: ProgressReading): string {
      const { record, written } = reading;
      const { completed, failed, pending } = record.progress;
      if (record.status === 'queued')
        return `${record.id} waits for ${record.attempt === 0 ? 'its turn' : `attempt ${record.attempt + 1}`}`;
      const rate = computeRate(reading);
      const parts = [
        grows ? formatCount(written, noun) : `${formatCount(completed, 'page')} read`,
        rate === null ? '–/s' : `${formatRate(rate)}/s`,
        ...(pending === undefined ? [] : [`${formatNumber(pending)} queued`]),
        formatCount(failed, 'error'),
        ...(grows ? [formatCount(record.usage?.credits ?? 0, 'credit')] : []),
        `ETA ${formatEta(record, rate, remaining)}`,
      ];
      return parts.join(' · ');
    },
  };
}

/** Formats a count as `1,204 pages` or `1 page`. */
export function formatCount(n: number, noun: string): string {
  return `${formatNumber(n)} ${noun}${n === 1 ? '' : 's'}`;
}

/** Formats a number as `1,204`. */
export function formatNumber(n: number): string {
  return n.toLocaleString('en-US');
}

/** Formats a duration as `0:31` or `1:02:03`. */
export function formatDuration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const tail = String(seconds % 60).padStart(2, '0');
  return hours === 0 ? `${minutes}:${tail}` : `${hours}:${String(minutes).padStart(2, '0')}:${tail}`;
}

function formatRate(rate: number): string {
  return rate >= FAST_RATE ? formatNumber(Math.round(rate)) : String(Math.round(rate * 10) / 10);
}

/** Formats the time for the known remaining pages at the current rate. */
function formatEta({ progress, input }: JobRecord, rate: number | null, remaining: DownloadView['remaining']): string {
  const { completed, pending } = progress;
  const left = pending === undefined ? null : remaining(input ?? {}, { completed, pending });
  if (rate === null || rate <= 0 || left === null) return '–';
  return formatDuration((Math.max(0, left) * 1000) / rate);
}

const Warnings = z.array(z.object({ code: z.string(), message: z.string() })).default([]);
const Errors = z.array(z.object({ code: z.string() })).default([]);
const Usage = z.object({ credits: z.number() }).nullish();

/** The result bodies of crawl and map, without their lists. */
const ResultEnd = z.object({
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

type DownloadResult = {
  /** The noun for a list element: `page`, `URL`. */
  readonly noun: string;
  readonly record: JobRecord;
  /** The result body; its list is ignored. */
  readonly body: unknown;
  readonly written: number;
  /** The output path, null for standard output. */
  readonly path: string | null;
};

/** The summary of a finished crawl or map, one line each. */
export function summarizeDownload({ noun, record, body, written, path }: DownloadResult): readonly string[] {
  const end = ResultEnd.parse(body);
  const credits = end.usage?.credits ?? record.usage?.credits ?? 0;
  const first = [
    formatCount(written, noun) +
      (end.total === undefined || end.total === written ? '' : ` of ${formatNumber(end.total)} found`),
    `${end.complete === true ? 'complete' : 'not complete'}${end.stop_reason === undefined ? '' : ` (${end.stop_reason})`}`,
    formatCount(credits, 'credit'),
    formatElapsed(record),
  ];
  const ofFiles = Object.values(end.sources).flatMap((source) => source.errors);
  // A crawl counts failed pages itself; failed sitemap files are reported as warnings.
  const errors = end.stats === undefined ? [...end.errors, ...ofFiles] : end.errors;
  const failed = end.stats?.failed ?? errors.length;
  const skipped = Object.entries(end.skipped).filter(([, n]) => n > 0);
  const sources = Object.entries(end.sources).filter(([, { found }]) => found > 0);
  return [
    first.join(' · '),
    ...(sources.length === 0
      ? []
      : [`found in ${sources.map(([name, { found }]) => `${name} ${formatNumber(found)}`).join(', ')}`]),
    ...(failed === 0 ? [] : [`${formatCount(failed, 'error')}: ${formatErrorCodes(errors, failed)}`]),
    ...(skipped.length === 0
      ? []
      : [
          `${formatNumber(sumCounts(skipped))} skipped: ${skipped.map(([reason, n]) => `${reason} ${formatNumber(n)}`).join(', ')}`,
        ]),
    ...end.warnings.map(({ code, message }) => `warning: ${code}: ${message}`),
    ...(path === null ? [] : [`written to ${path}`]),
  ];
}

function formatElapsed({ created_at: from, finished_at: to }: JobRecord): string {
  return to === null ? '–' : formatDuration(Date.parse(to) - Date.parse(from));
}

function sumCounts(counts: readonly (readonly [string, number])[]): number {
  return counts.reduce((all, [, n]) => all + n, 0);
}

/** Formats error counts by code, most frequent first. A result lists only its first errors. */
function formatErrorCodes(errors: readonly { readonly code: string }[], failed: number): string {
  const counts = new Map<string, number>();
  for (const { code } of errors) counts.set(code, (counts.get(code) ?? 0) + 1);
  const codes = [...counts].toSorted(([, a], [, b]) => b - a).map(([code, n]) => `${code} ${formatNumber(n)}`);
  return codes.join(', ') + (errors.length < failed ? ` among the first ${formatNumber(errors.length)}` : '');
}
