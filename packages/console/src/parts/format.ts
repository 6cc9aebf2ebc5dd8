import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { second, serviceNow } from '#console/app/service-clock.ts';

const STEPS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
];
/** Formats are made when they are first needed: all of them together take a third of the first view's processor time. */
const relative = late(() => new Intl.RelativeTimeFormat('en', { numeric: 'auto' }));
const full = late(() => new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' }));
const short = late(
  () => new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' }),
);
const counts = late(() => new Intl.NumberFormat('en'));

function late<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

type WhenProps = { readonly at: string | number | null; readonly mode?: 'relative' | 'full' | 'short' };

/** An instant in the reader's zone, or how long ago it is by the service's clock; its title is the whole ISO time. */
export function When({ at, mode = 'relative' }: WhenProps): VNode {
  const instant = at === null || at === '' ? Number.NaN : new Date(at).getTime();
  if (Number.isNaN(instant)) return html`<span class="faint">–</span>`;
  const date = new Date(instant);
  if (mode !== 'relative') {
    const text = (mode === 'full' ? full() : short()).format(date);
    return html`<time dateTime=${date.toISOString()} title=${date.toISOString()}>${text}</time>`;
  }
  return html`<time dateTime=${date.toISOString()} title=${`${full().format(date)} · ${date.toISOString()}`}>
    ${toAgo(instant, second.value)}
  </time>`;
}

/** `5 minutes ago`; the second that is passed keeps a component drawn anew. */
function toAgo(instant: number, _second: number): string {
  const seconds = Math.round((instant - serviceNow()) / 1000);
  if (Math.abs(seconds) < 2) return 'now';
  const [unit, length] = STEPS.find(([, size]) => Math.abs(seconds) >= size) ?? ['second', 1];
  return relative().format(Math.trunc(seconds / length), unit);
}

/** `1.2 s`, `340 ms`, `2 h 5 min`. */
export function toDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  const seconds = ms / 1000;
  if (seconds < 60) return `${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return hours < 48 ? `${hours} h${rest === 0 ? '' : ` ${rest} min`}` : `${Math.round(hours / 24)} days`;
}

/** A count with its thousands apart. */
export function toCount(count: number): string {
  return Number.isInteger(count) && count >= 0 && count < 1000 ? String(count) : counts().format(count);
}

/** A size in bytes, in words: `1.2 MB`. */
export function toSize(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), units.length - 1);
  const size = bytes / 1000 ** power;
  return `${power === 0 || size >= 100 ? Math.round(size) : size.toFixed(1)} ${units[power] ?? 'B'}`;
}
