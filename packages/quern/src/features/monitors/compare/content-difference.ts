import { structuredPatch } from 'diff';
import type { ContentBaseline, ComparedValue } from './baseline.ts';
import type { ContentChange } from './change.ts';
import type { WatchedContent } from './observation.ts';
import { advanceBaseline, type ConfirmationRules } from './advance-baseline.ts';

/** Most inserted and deleted lines for which two texts are aligned. */
const MAX_EDITS = 1000;
const MAX_DIFF_BYTES = 256 * 1024;

/** The content baseline after a run, and the change to report. */
export type AdvancedContent = { readonly next: ContentBaseline; readonly change: ContentChange | null };

/** Advances the baseline of a watched text by one run; a page without text counts as null does for a field. */
export function advanceContent(known: ContentBaseline, now: WatchedContent, rules: ConfirmationRules): AdvancedContent {
  const { pending: waited, ...held } = known;
  const pending = waited && { ...waited, seen: { value: waited.hash } };
  const { next, confirmed } = advanceBaseline(
    { held: { value: held.hash }, pending },
    { value: now.hash },
    isSameHash,
    rules,
  );
  if (next.pending !== undefined) {
    const { count, side } = next.pending;
    return { next: { ...held, pending: { hash: now.hash, count, side } }, change: null };
  }
  const moved = next.held.value === held.hash ? held : { ...held, hash: now.hash, text: now.text };
  return { next: moved, change: confirmed === null ? null : compareContent(held, now) };
}

function isSameHash(one: ComparedValue, other: ComparedValue): boolean {
  return one.value === other.value;
}

/** The line difference of two texts in their normal form. */
export function compareContent(before: WatchedContent, after: WatchedContent): ContentChange {
  const hashes = { previous_hash: before.hash, new_hash: after.hash };
  const unknown = { ...hashes, added_lines: 0, removed_lines: 0, unified_diff: null, diff_truncated: true };
  if ((before.text === null && before.hash !== null) || (after.text === null && after.hash !== null)) return unknown;
  const [old, text] = [before.text ?? '', after.text ?? ''];
  const patch = structuredPatch('', '', toLines(old), toLines(text), '', '', { context: 3, maxEditLength: MAX_EDITS });
  if (patch === undefined) return { ...unknown, ...countLines(old, text) };
  const lines = patch.hunks.flatMap((hunk) => [
    `@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@`,
    ...hunk.lines,
  ]);
  const written = cutLines(lines);
  return {
    ...hashes,
    added_lines: lines.filter((line) => line.startsWith('+')).length,
    removed_lines: lines.filter((line) => line.startsWith('-')).length,
    unified_diff: written.text,
    diff_truncated: written.isCut,
  };
}

function toLines(text: string): string {
  return text === '' ? '' : `${text}\n`;
}

function cutLines(lines: readonly string[]): { readonly text: string; readonly isCut: boolean } {
  let bytes = 0;
  const kept: string[] = [];
  for (const line of lines) {
    bytes += Buffer.byteLength(line) + 1;
    if (bytes > MAX_DIFF_BYTES) return { text: kept.join(''), isCut: true };
    kept.push(`${line}\n`);
  }
  return { text: kept.join(''), isCut: false };
}

/** Counts added and removed lines regardless of their position. */
function countLines(before: string, after: string): { readonly added_lines: number; readonly removed_lines: number } {
  const counts = new Map<string, number>();
  for (const line of after.split('\n')) counts.set(line, (counts.get(line) ?? 0) + 1);
  let removed = 0;
  for (const line of before.split('\n')) {
    const left = counts.get(line) ?? 0;
    if (left === 0) removed += 1;
    else counts.set(line, left - 1);
  }
  const added = [...counts.values()].reduce((sum, count) => sum + count, 0);
  return { added_lines: added, removed_lines: removed };
}
