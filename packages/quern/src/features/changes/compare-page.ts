import { hash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { JsonObject } from '#extract/values/json-object.ts';
import { getMember } from '#extract/values/json.ts';
import { toTimestamp } from '#kernel/clock.ts';
import { type DiffHunk, diffTexts, formatHunks } from '#kernel/text-diff.ts';
import type { ChangesOptions, PageChanges } from '#features/schema/changes-fields.ts';

/** The content of a page that is compared. */
export type PageContent = {
  /** The whole Markdown; null if it was too long to be stored. */
  readonly markdown: string | null;
  /** Output `json`; null if it was not requested, or was too long to be stored. */
  readonly fields: JsonObject | null;
};

/** The last copy of a page. */
export type PageCopy = {
  /** When the page was fetched, ms. */
  readonly fetchedAt: number;
  /** SHA-256 of the Markdown, in hex. */
  readonly digest: string;
  /** Null if it was not read, because only the digest is compared. */
  readonly content: PageContent | null;
};

/** SHA-256 of a text, in hex. */
export function computeDigest(text: string): string {
  return hash('sha256', text, 'hex');
}

/** Compares a page with its last copy, null for none. `digest` is that of its Markdown. */
export function comparePage(
  copy: PageCopy | null,
  page: PageContent & { readonly digest: string },
  options: Pick<ChangesOptions, 'diff' | 'fields'>,
): PageChanges {
  const isSameText = copy !== null && copy.digest === page.digest;
  const fields = compareFields(copy?.content?.fields ?? null, page.fields);
  const differs = !isSameText || (options.fields && (fields ?? []).length > 0);
  return {
    status: copy === null ? 'new' : differs ? 'changed' : 'same',
    previous_at: toPreviousAt(copy),
    ...(options.diff ? { diff: copy === null || isSameText ? null : buildDiff(copy.content, page) } : {}),
    ...(options.fields ? { fields } : {}),
  };
}

/** Builds the answer for a page that the target no longer has. */
export function buildRemoval(copy: PageCopy, options: Pick<ChangesOptions, 'diff' | 'fields'>): PageChanges {
  return {
    status: 'removed',
    previous_at: toPreviousAt(copy),
    ...(options.diff ? { diff: null } : {}),
    ...(options.fields ? { fields: null } : {}),
  };
}

function toPreviousAt(copy: PageCopy | null): string | null {
  return copy === null ? null : toTimestamp(copy.fetchedAt);
}

/** Lists the top fields that differ; null if one side has no fields. */
function compareFields(before: JsonObject | null, after: JsonObject | null) {
  if (before === null || after === null) return null;
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((field) => {
    const [previous, current] = [getMember(before, field) ?? null, getMember(after, field) ?? null];
    return isDeepStrictEqual(previous, current) ? [] : [{ field, previous, current }];
  });
}

/** The lines that name the two texts in a unified diff. */
const DIFF_HEAD = '--- previous\n+++ current\n';

const UNKNOWN_DIFF = { added_lines: 0, removed_lines: 0, text: null, hunks: null, truncated: true };

function buildDiff(before: PageContent | null, { markdown: after }: PageContent): PageChanges['diff'] {
  const old = before?.markdown ?? null;
  if (old === null || after === null) return UNKNOWN_DIFF;
  const { addedLines, removedLines, hunks, isTruncated } = diffTexts(old, after);
  return {
    added_lines: addedLines,
    removed_lines: removedLines,
    text: hunks === null ? null : DIFF_HEAD + formatHunks(hunks),
    hunks: hunks?.map(toHunk) ?? null,
    truncated: isTruncated,
  };
}

const OPS = { ' ': 'same', '-': 'removed', '+': 'added' } as const;

function toHunk({ oldStart, oldLines, newStart, newLines, lines }: DiffHunk) {
  return {
    old_start: oldStart,
    old_lines: oldLines,
    new_start: newStart,
    new_lines: newLines,
    lines: lines.map((line) => {
      const [mark] = line;
      return { op: OPS[mark === '-' || mark === '+' ? mark : ' '], text: line.slice(1) };
    }),
  };
}
