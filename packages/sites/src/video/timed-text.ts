import { readXml } from '#extract/converters/xml.ts';
import type { XmlElement } from '#extract/converters/xml.ts';
import { readRich } from '#extract/dom/elements.ts';
import { tryParse } from '#extract/values/json.ts';
import { at, decimal, integer, list, text } from '#extract/values/raw.ts';
import type { SubtitleSegment } from './subtitles-input.ts';

/** The segments of a subtitle file of the site, in whichever of its three forms; null for what is none. */
export function readTimedText(body: string): readonly SubtitleSegment[] | null {
  // Of half a file the end would be missing, and nothing else would say so.
  if (/^\s*</.test(body)) return /<\/(?:transcript|timedtext)>\s*$/.test(body) ? fromXml(readXml(body)) : null;
  const events = at(tryParse(body), 'events');
  return Array.isArray(events) ? fromEvents(events) : null;
}

/** Events in milliseconds; one without text moves a window, and one that appends belongs to the one before it. */
function fromEvents(events: readonly unknown[]): readonly SubtitleSegment[] {
  const found: SubtitleSegment[] = [];
  for (const event of events) {
    const said = list(at(event, 'segs'))
      .map((one) => at(one, 'utf8'))
      .filter((one) => typeof one === 'string')
      .join('');
    const last = found.at(-1);
    if (at(event, 'aAppend') === 1 && last !== undefined)
      found.splice(-1, 1, { ...last, text: `${last.text}${said}`.trim() });
    else
      found.push({ ...timesOf(integer(at(event, 'tStartMs')), integer(at(event, 'dDurationMs'))), text: said.trim() });
  }
  return found.filter((one) => one.text !== '');
}

function fromXml(root: XmlElement | null): readonly SubtitleSegment[] | null {
  if (root?.name === 'transcript')
    return segmentsOf(root.children, 'text', ({ attributes }) =>
      timesOf(inMs(attributes.get('start')), inMs(attributes.get('dur'))),
    );
  if (root?.name !== 'timedtext') return null;
  const body = root.children.find(({ name }) => name === 'body');
  return segmentsOf(body?.children ?? [], 'p', ({ attributes }) =>
    timesOf(integer(attributes.get('t')), integer(attributes.get('d'))),
  );
}

function segmentsOf(
  elements: readonly XmlElement[],
  wanted: string,
  times: (element: XmlElement) => Omit<SubtitleSegment, 'text'>,
): readonly SubtitleSegment[] {
  return elements
    .filter(({ name }) => name === wanted)
    .map((element) => ({ ...times(element), text: textOf(element) }))
    .filter((one) => one.text !== '');
}

/** Own text, else that of its words; marks and entities may be written out once more. */
function textOf({ text: own, children }: XmlElement): string {
  const said = own.trim() === '' ? children.map((one) => one.text).join('') : own;
  const plain = /[<&]/.test(said) ? (readRich(said, 'https://subtitles.example/')?.text ?? '') : said;
  return text(plain) ?? '';
}

function timesOf(start: number | null, duration: number | null): Omit<SubtitleSegment, 'text'> {
  return { start_ms: Math.max(0, start ?? 0), duration_ms: duration === null || duration < 0 ? null : duration };
}

function inMs(raw: string | undefined): number | null {
  const value = decimal(raw);
  return value === null ? null : Math.round(value * 1000);
}
