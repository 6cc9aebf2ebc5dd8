import type { JobRecord } from '#engine/job-record.ts';

/** The rate is that of the last moments, not of the whole. */
const WINDOW_MS = 10_000;
const FAST = 10;

type Sight = { readonly at: number; readonly completed: number };

/** What a meter is read from: the job, the elements that are written, and the instant (ms, monotonic). */
export type Reading = { readonly record: JobRecord; readonly written: number; readonly now: number };

/** Measures how a job gets on and says it in a line; for a crawl what is written, for a map the pages that were read. */
export function buildMeter(operation: string) {
  let sights: readonly Sight[] = [];

  /** Pages a second, null while nothing can be said. */
  function rateOf({ record: { progress }, now }: Reading): number | null {
    sights = [...sights.filter(({ at }) => now - at <= WINDOW_MS), { at: now, completed: progress.completed }];
    const [first] = sights;
    if (first === undefined || now === first.at) return null;
    return ((progress.completed - first.completed) * 1000) / (now - first.at);
  }

  return {
    line(reading: Reading): string {
      const { record, written } = reading;
      const { completed, failed, pending } = record.progress;
      if (record.status === 'queued')
        return `${record.id} waits for ${record.attempt === 0 ? 'its turn' : `attempt ${record.attempt + 1}`}`;
      const rate = rateOf(reading);
      const isCrawl = operation === 'crawl';
      const parts = [
        isCrawl ? count(written, 'page') : `${count(completed, 'page')} read`,
        rate === null ? '–/s' : `${toRate(rate)}/s`,
        ...(pending === undefined ? [] : [`${number(pending)} queued`]),
        count(failed, 'error'),
        ...(isCrawl ? [count(record.usage?.credits ?? 0, 'credit')] : []),
        `ETA ${toEta(record, rate)}`,
      ];
      return parts.join(' · ');
    },
  };
}

/** `1,204 pages`, `1 page`. */
export function count(n: number, noun: string): string {
  return `${number(n)} ${noun}${n === 1 ? '' : 's'}`;
}

/** `1,204`. */
export function number(n: number): string {
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
  return rate >= FAST ? number(Math.round(rate)) : String(Math.round(rate * 10) / 10);
}

/** What is still to come, as far as it is known, at the rate of now. */
function toEta({ kind, progress: { completed, pending }, input }: JobRecord, rate: number | null): string {
  const most = input?.['max_pages'];
  // A crawl without a number of its own ends somewhere before all that waits is read.
  const isOpen = kind === 'crawl' && most === undefined && input?.['urls'] === undefined;
  if (rate === null || rate <= 0 || pending === undefined || isOpen) return '–';
  const left = typeof most === 'number' ? Math.min(pending, most - completed) : pending;
  return toSpan((Math.max(0, left) * 1000) / rate);
}
