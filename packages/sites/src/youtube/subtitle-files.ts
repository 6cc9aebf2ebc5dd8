import { z } from 'zod';
import { parseXml, type XmlElement } from '#extract/converters/xml.ts';
import { parseRichText } from '#extract/dom/elements.ts';
import { parseJsonValue } from '#extract/values/json.ts';
import { getPath, toNumber, toInteger, toArray, toText } from '#extract/values/raw.ts';

/** Reads a subtitle file in any of the three formats of the site; null for any other text. */
export function readTimedText(body: string): readonly SubtitleSegment[] | null {
  // Without the end tag the file was cut off.
  if (/^\s*</.test(body)) return /<\/(?:transcript|timedtext)>\s*$/.test(body) ? readXmlFile(parseXml(body)) : null;
  const events = getPath(parseJsonValue(body), 'events');
  return Array.isArray(events) ? readEvents(events) : null;
}

/** Reads events in milliseconds. An event without text moves a window; one with `aAppend` belongs to the previous event. */
function readEvents(events: readonly unknown[]): readonly SubtitleSegment[] {
  const segments: SubtitleSegment[] = [];
  for (const event of events) {
    const segmentTexts = toArray(getPath(event, 'segs'))
      .map((one) => getPath(one, 'utf8'))
      .filter((one) => typeof one === 'string')
      .join('');
    const last = segments.at(-1);
    if (getPath(event, 'aAppend') === 1 && last !== undefined)
      segments.splice(-1, 1, { ...last, text: `${last.text}${segmentTexts}`.trim() });
    else
      segments.push({
        ...toTimes(toInteger(getPath(event, 'tStartMs')), toInteger(getPath(event, 'dDurationMs'))),
        text: segmentTexts.trim(),
      });
  }
  return segments.filter((one) => one.text !== '');
}

function readXmlFile(root: XmlElement | null): readonly SubtitleSegment[] | null {
  if (root?.name === 'transcript')
    return readSegments(root.children, 'text', ({ attributes }) =>
      toTimes(parseMs(attributes.get('start')), parseMs(attributes.get('dur'))),
    );
  if (root?.name !== 'timedtext') return null;
  const body = root.children.find(({ name }) => name === 'body');
  return readSegments(body?.children ?? [], 'p', ({ attributes }) =>
    toTimes(toInteger(attributes.get('t')), toInteger(attributes.get('d'))),
  );
}

function readSegments(
  elements: readonly XmlElement[],
  wanted: string,
  times: (element: XmlElement) => Omit<SubtitleSegment, 'text'>,
): readonly SubtitleSegment[] {
  return elements
    .filter(({ name }) => name === wanted)
    .map((element) => ({ ...times(element), text: readElementText(element) }))
    .filter((one) => one.text !== '');
}

/** Reads the text of an element, else of its child elements. Markup and entities can be escaped twice. */
function readElementText({ text: own, children }: XmlElement): string {
  const content = own.trim() === '' ? children.map((one) => one.text).join('') : own;
  const plain = /[<&]/.test(content) ? (parseRichText(content, 'https://subtitles.example/')?.text ?? '') : content;
  return toText(plain) ?? '';
}

function toTimes(start: number | null, duration: number | null): Omit<SubtitleSegment, 'text'> {
  return { start_ms: Math.max(0, start ?? 0), duration_ms: duration === null || duration < 0 ? null : duration };
}

function parseMs(raw: string | undefined): number | null {
  const value = toNumber(raw);
  return value === null ? null : Math.round(value * 1000);
}

const HOUR_MS = 3_600_000;
/** The duration of a segment without an end. */
const DEFAULT_DURATION_MS = 2000;

/** Writes subtitles as a SubRip file. */
export function toSrt(segments: readonly SubtitleSegment[]): string {
  return segments
    .map((one, index) => `${index + 1}\n${formatSpan(segments, index, ',')}\n${removeEmptyLines(one)}\n`)
    .join('\n');
}

/** Writes subtitles as a WebVTT file. */
export function toVtt(segments: readonly SubtitleSegment[]): string {
  const cues = segments.map(
    (one, index) => `${formatSpan(segments, index, '.')}\n${escapeCue(removeEmptyLines(one))}\n`,
  );
  return ['WEBVTT\n', ...cues].join('\n');
}

/** Formats start and end. A segment without a duration ends at the latest when the next one begins. */
function formatSpan(segments: readonly SubtitleSegment[], index: number, mark: string): string {
  const { start_ms: start = 0, duration_ms: duration = null } = segments[index] ?? {};
  const next = segments[index + 1]?.start_ms ?? Infinity;
  const end = duration === null ? Math.max(start, Math.min(next, start + DEFAULT_DURATION_MS)) : start + duration;
  return `${formatTime(start, mark)} --> ${formatTime(end, mark)}`;
}

function formatTime(ms: number, mark: string): string {
  const rest = new Date(ms % HOUR_MS).toISOString().slice(14, 23).replace('.', mark);
  return `${String(Math.floor(ms / HOUR_MS)).padStart(2, '0')}:${rest}`;
}

/** Removes empty lines, because an empty line ends a cue. */
function removeEmptyLines(segment: SubtitleSegment): string {
  return segment.text.replaceAll(/\n\s*\n/g, '\n');
}

function escapeCue(lines: string): string {
  return lines.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('-->', '--&gt;');
}

/** One cue of subtitles. */
export const SubtitleSegment = z.object({
  start_ms: z.int().min(0),
  duration_ms: z.int().min(0).nullable(),
  text: z.string(),
});

export type SubtitleSegment = z.output<typeof SubtitleSegment>;
