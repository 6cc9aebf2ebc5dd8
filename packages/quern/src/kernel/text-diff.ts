import { structuredPatch } from 'diff';

/** Maximum number of inserted and deleted lines for which two texts are aligned. */
const MAX_EDITS = 1000;
const MAX_DIFF_BYTES = 256 * 1024;

/** Lines of two texts, from given lines on. A start is 0 if the hunk has no lines of that text, as unified diffs write it. */
export type DiffHunk = {
  readonly oldStart: number;
  readonly oldLines: number;
  readonly newStart: number;
  readonly newLines: number;
  /** Each line starts with ` `, or with `-` or `+` if only the old or the new text has it. */
  readonly lines: readonly string[];
};

/** The lines in which two texts differ. */
export type TextDiff = {
  readonly addedLines: number;
  readonly removedLines: number;
  /** The hunks within 256 KiB; null if too many lines differ to align the texts. */
  readonly hunks: readonly DiffHunk[] | null;
  /** Whether hunks or lines are missing. */
  readonly isTruncated: boolean;
};

/**
 * Compares two texts line by line, with three lines of context. A text ends with a line break unless it is empty. If
 * more than 1,000 lines differ, lines are only counted, regardless of their position.
 */
export function diffTexts(before: string, after: string): TextDiff {
  const patch = structuredPatch('', '', terminateText(before), terminateText(after), '', '', {
    context: 3,
    maxEditLength: MAX_EDITS,
  });
  if (patch === undefined) return { ...countLines(before, after), hunks: null, isTruncated: true };
  const lines = patch.hunks.flatMap((hunk) => hunk.lines);
  return {
    addedLines: lines.filter((line) => line.startsWith('+')).length,
    removedLines: lines.filter((line) => line.startsWith('-')).length,
    ...truncateHunks(patch.hunks.map(setEmptyStarts)),
  };
}

/** Only a hunk of an empty text has no lines of it, because of the lines around differences. */
function setEmptyStarts(hunk: DiffHunk): DiffHunk {
  const { oldStart, oldLines, newStart, newLines } = hunk;
  return { ...hunk, oldStart: oldLines === 0 ? 0 : oldStart, newStart: newLines === 0 ? 0 : newStart };
}

/** Formats hunks as the body of a unified diff, without the lines that name the files. */
export function formatHunks(hunks: readonly DiffHunk[]): string {
  return hunks.map((hunk) => [formatHunkHead(hunk), ...hunk.lines, ''].join('\n')).join('');
}

/** Formats the first line of a hunk, such as `@@ -1,3 +1,4 @@`. */
export function formatHunkHead({ oldStart, oldLines, newStart, newLines }: Omit<DiffHunk, 'lines'>): string {
  return `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`;
}

function terminateText(text: string): string {
  return text === '' ? '' : `${text}\n`;
}

/** Cuts hunks after the last line that fits. */
function truncateHunks(hunks: readonly DiffHunk[]): Pick<TextDiff, 'hunks' | 'isTruncated'> {
  let bytes = 0;
  const shown: DiffHunk[] = [];
  for (const { lines, ...place } of hunks) {
    bytes += formatHunkHead(place).length + 1;
    const end =
      bytes > MAX_DIFF_BYTES ? 0 : lines.findIndex((line) => (bytes += Buffer.byteLength(line) + 1) > MAX_DIFF_BYTES);
    if (end !== 0) shown.push({ ...place, lines: end < 0 ? lines : lines.slice(0, end) });
    if (bytes > MAX_DIFF_BYTES) return { hunks: shown, isTruncated: true };
  }
  return { hunks: shown, isTruncated: false };
}

/** Counts added and removed lines regardless of their position. */
function countLines(before: string, after: string): Pick<TextDiff, 'addedLines' | 'removedLines'> {
  const counts = new Map<string, number>();
  for (const line of after.split('\n')) counts.set(line, (counts.get(line) ?? 0) + 1);
  let removed = 0;
  for (const line of before.split('\n')) {
    const left = counts.get(line) ?? 0;
    if (left === 0) removed += 1;
    else counts.set(line, left - 1);
  }
  const added = [...counts.values()].reduce((sum, count) => sum + count, 0);
  return { addedLines: added, removedLines: removed };
}
