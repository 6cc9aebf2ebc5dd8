import type { SubtitleSegment } from './subtitles-input.ts';

const HOUR_MS = 3_600_000;
/** How long a segment is shown whose end nobody says. */
const SHOWN_MS = 2000;

/** Subtitles as a SubRip file. */
export function toSrt(segments: readonly SubtitleSegment[]): string {
  return segments.map((one, at) => `${at + 1}\n${spanOf(segments, at, ',')}\n${linesOf(one)}\n`).join('\n');
}

/** Subtitles as a WebVTT file. */
export function toVtt(segments: readonly SubtitleSegment[]): string {
  const cues = segments.map((one, at) => `${spanOf(segments, at, '.')}\n${escaped(linesOf(one))}\n`);
  return ['WEBVTT\n', ...cues].join('\n');
}

/** From when to when, at most until the next begins where the end is not said. */
function spanOf(segments: readonly SubtitleSegment[], at: number, mark: string): string {
  const { start_ms: start = 0, duration_ms: duration = null } = segments[at] ?? {};
  const next = segments[at + 1]?.start_ms ?? Infinity;
  const end = duration === null ? Math.max(start, Math.min(next, start + SHOWN_MS)) : start + duration;
  return `${clock(start, mark)} --> ${clock(end, mark)}`;
}

function clock(ms: number, mark: string): string {
  const rest = new Date(ms % HOUR_MS).toISOString().slice(14, 23).replace('.', mark);
  return `${String(Math.floor(ms / HOUR_MS)).padStart(2, '0')}:${rest}`;
}

/** An empty line would end the segment. */
function linesOf({ text }: SubtitleSegment): string {
  return text.replaceAll(/\n\s*\n/g, '\n');
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('-->', '--&gt;');
}
