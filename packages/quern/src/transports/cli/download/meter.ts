import type { DownloadView } from '#engine/call/command-view.ts';
import type { JobRecord } from '#engine/jobs/job-record.ts';

/** Window of the moving average of the rate. */
const WINDOW_MS = 10_000;
const FAST = 10;

type ProgressSample = { readonly at: number; readonly completed: number };

/** The input of a meter: the job, the count of written elements, and the time (ms, monotonic). */
export type MeterReading = { readonly record: JobRecord; readonly written: number; readonly now: number };

/** Formats the progress of a job as one line: the elements of a list that grows, else the pages that are read for it. */
export function buildMeter({ grows, noun, remaining }: DownloadView) {
  let samples: readonly ProgressSample[] = [];

  /** Pages a second, null while nothing can be said. */
  function rateOf({ record: { progress }, now }: MeterReading): number | null {
    samples = [...samples.filter(({ at }) => now - at <= WINDOW_MS), { at: now, completed: progress.completed }];
    const [first] = samples;
    if (first === undefined || now === first.at) return null;
    return ((progress.completed - first.completed) * 1000) / (now - first.at);
  }

  return {
    line(reading: MeterReading): string {
      const { record, written } = reading;
      const { completed, failed, pending } = record.progress;
      if (record.status === 'queued')
        return `${record.id} waits for ${record.attempt === 0 ? 'its turn' : `attempt ${record.attempt + 1}`}`;
      const rate = rateOf(reading);
      const parts = [
        grows ? countNoun(written, noun) : `${countNoun(completed, 'page')} read`,
        rate === null ? '–/s' : `${toRate(rate)}/s`,
        ...(pending === undefined ? [] : [`${formatNumber(pending)} queued`]),
        countNoun(failed, 'error'),
        ...(grows ? [countNoun(record.usage?.credits ?? 0, 'credit')] : []),
        `ETA ${toEta(record, rate, remaining)}`,
      ];
      return parts.join(' · ');
    },
  };
}

/** `1,204 pages`, `1 page`. */
export function countNoun(n: number, noun: string): string {
  return `${formatNumber(n)} ${noun}${n === 1 ? '' : 's'}`;
}

/** `1,204`. */
export function formatNumber(n: number): string {
  return n.toLocaleString('en-US');
}

/** `0:31`, `1:02:03`. */
export function toSpan(ms: number): string {
  const seconds = Math.round(ms / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const tail = String(seconds % 60).padStart(2, '0');
  return hours === 0 ? `${minutes}:${tail}` : `${hours}:${String(minutes).padStart(2, '0')}:${tail}`;
}

function toRate(rate: number): string {
  return rate >= FAST ? formatNumber(Math.round(rate)) : String(Math.round(rate * 10) / 10);
}

/** Time for the known remaining pages at the current rate. */
function toEta({ progress, input }: JobRecord, rate: number | null, remaining: DownloadView['remaining']): string {
  const { completed, pending } = progress;
  const left = pending === undefined ? null : remaining(input ?? {}, { completed, pending });
  if (rate === null || rate <= 0 || left === null) return '–';
  return toSpan((Math.max(0, left) * 1000) / rate);
}
