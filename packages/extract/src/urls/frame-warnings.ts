import type { ReadWarning } from '#extract/warnings.ts';
import type { Frame } from './find-frames.ts';

/** A frame, and why it is not part of the page or only in part. */
export type FrameNote = { readonly frame: Frame; readonly reason: string };

/** Frames that one warning names. */
const MAX_LISTED = 5;
/** Characters of an address in a warning. */
const MAX_URL_LENGTH = 300;

/** Says that a page has frames whose documents can be content, and how to ask for them. */
export function leftOutFrames(frames: readonly Frame[]): ReadWarning {
  const message = `the content of frames is not part of the page: ${formatList(frames.map(formatFrame))}; frames: true reads it`;
  return { code: 'frames_left_out', message };
}

/** Says which frames are part of the page as far as they came, each with what its own reading says. */
export function cutFrames(cut: readonly FrameNote[]): ReadWarning {
  return { code: 'truncated', message: `frames that came only in part: ${formatList(cut.map(formatNote))}` };
}

/** Says which frames were asked for and are not part of the page, each with its reason. */
export function unreadFrames(unread: readonly FrameNote[]): ReadWarning {
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
