import type { ReadWarning } from '#extract/warnings.ts';
import type { Frame } from './find-frames.ts';

/** A frame, and why it is missing from the page or truncated. */
export type FrameNote = { readonly frame: Frame; readonly reason: string };

/** The most frames that a warning lists. */
const MAX_LISTED = 5;
/** The most characters of a URL in a warning. */
const MAX_URL_LENGTH = 300;

/** The warning that a page has frames that may contain content, and how to request them. */
export function buildOmittedFramesWarning(frames: readonly Frame[]): ReadWarning {
  const message = `the content of frames is not part of the page: ${formatList(frames.map(formatFrame))}; frames: true reads it`;
  return { code: 'frames_left_out', message };
}

/** The warning that the content of frames is truncated, with the reason for each. */
export function buildCutFramesWarning(cut: readonly FrameNote[]): ReadWarning {
  return { code: 'truncated', message: `frames that came only in part: ${formatList(cut.map(formatNote))}` };
}

/** The warning that requested frames could not be read, with the reason for each. */
export function buildUnreadFramesWarning(unread: readonly FrameNote[]): ReadWarning {
  return { code: 'frames_left_out', message: `frames that could not be read: ${formatList(unread.map(formatNote))}` };
}

function formatNote({ frame, reason }: FrameNote): string {
  return `${formatFrame(frame)} (${reason})`;
}

function formatFrame(frame: Frame): string {
  return frame.kind === 'srcdoc' ? 'srcdoc' : frame.url.slice(0, MAX_URL_LENGTH);
}

function formatList(texts: readonly string[]): string {
  const each = [...new Set(texts)];
  const more = each.length > MAX_LISTED ? ` and ${each.length - MAX_LISTED} more` : '';
  return `${each.slice(0, MAX_LISTED).join(', ')}${more}`;
}
