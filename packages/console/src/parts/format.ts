import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { second, getServiceTime } from '#console/app/service-clock.ts';

const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
];
/** Formatters are created on first use: creating all of them takes a third of the CPU time of the first view. */
const relativeFormat = lazy(() => new Intl.RelativeTimeFormat('en', { numeric: 'auto' }));
const fullFormat = lazy(() => new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' }));
const shortFormat = lazy(
  () => new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' }),
);
const countFormat = lazy(() => new Intl.NumberFormat('en'));

function lazy<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

type TimestampProps = { readonly at: string | number | null; readonly mode?: 'relative' | 'full' | 'short' };

/** A time in the browser's zone, or how long ago it was by the clock of the service. Its title is the ISO time. */
export function Timestamp({ at, mode = 'relative' }: TimestampProps): VNode {
  const instant = at === null || at === '' ? Number.NaN : new Date(at).getTime();
  if (Number.isNaN(instant)) return html`<span class="faint">–</span>`;
  const date = new Date(instant);
  if (mode !== 'relative') {
    const text = (mode === 'full' ? fullFormat() : shortFormat()).format(date);
    return html`<time dateTime=${date.toISOString()} title=${date.toISOString()}>${text}</time>`;
  }
  return html`<time dateTime=${date.toISOString()} title=${`${fullFormat().format(date)} · ${date.toISOString()}`}>
    ${formatAgo(instant, second.value)}
  </time>`;
}

/** Formats a time as `5 minutes ago`. `_second` is passed so that the caller reads the signal and renders every second. */
function formatAgo(instant: number, _second: number): string {
  const seconds = Math.round((instant - getServiceTime()) / 1000);
  if (Math.abs(seconds) < 2) return 'now';
  const [unit, length] = UNITS.find(([, size]) => Math.abs(seconds) >= size) ?? ['second', 1];
  return relativeFormat().format(Math.trunc(seconds / length), unit);
}

/** Formats a duration as `340 ms`, `1.2 s` or `2 h 5 min`. */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  const seconds = ms / 1000;
  if (seconds < 60) return `${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return hours < 48 ? `${hours} h${rest === 0 ? '' : ` ${rest} min`}` : `${Math.round(hours / 24)} days`;
}

/** Formats a number with thousands separators. */
export function formatCount(count: number): string {
  return Number.isInteger(count) && count >= 0 && count < 1000 ? String(count) : countFormat().format(count);
}

/** Formats a size as `1.2 MB`. */
export function formatBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), units.length - 1);
  const size = bytes / 1000 ** power;
  return `${power === 0 || size >= 100 ? Math.round(size) : size.toFixed(1)} ${units[power] ?? 'B'}`;
}
