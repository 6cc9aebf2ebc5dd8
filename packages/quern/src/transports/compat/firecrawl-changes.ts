import { z } from 'zod';
import { PageChanges } from '#features/schema/changes-fields.ts';
import type { JsonObject } from '#extract/values/json-object.ts';
import { formatHunkHead } from '#kernel/text-diff.ts';

/** The options of format `changeTracking`. Mode `json` compares what the schema extracts. */
export const ChangesFormat = z.looseObject({
  modes: z.array(z.enum(['git-diff', 'json'])).nullish(),
  tag: z.string().nullish(),
});

/** Converts the options to those of output `changes`. */
export function toChangesInput({ modes, tag }: z.output<typeof ChangesFormat>): JsonObject {
  const has = (mode: 'git-diff' | 'json'): boolean => modes?.includes(mode) === true;
  return { tag: tag ?? '', diff: has('git-diff'), fields: has('json') };
}

/** Converts output `changes` to `changeTracking`; nothing for a page that was not compared. */
export function toChangeTracking(body: unknown): JsonObject {
  const read = PageChanges.safeParse(body);
  if (!read.success) return {};
  const { status, previous_at: previousAt, diff, fields } = read.data;
  return {
    changeTracking: {
      previousScrapeAt: previousAt,
      changeStatus: status,
      // Hidden pages are those known only from earlier crawls, and a crawl of Quern has no such pages.
      visibility: 'visible',
      ...(diff?.text ? { diff: { text: diff.text, json: { files: [toFile(diff.hunks ?? [])] } } } : {}),
      ...(fields ? { json: Object.fromEntries(fields.map(({ field, ...values }) => [field, values])) } : {}),
    },
  };
}

type Hunk = NonNullable<NonNullable<PageChanges['diff']>['hunks']>[number];

function toFile(hunks: readonly Hunk[]): JsonObject {
  return { from: null, to: null, chunks: hunks.map(toChunk) };
}

/** Numbers each line in the texts that have it. */
function toChunk({ old_start: oldStart, old_lines: oldLines, new_start: newStart, new_lines: newLines, lines }: Hunk) {
  const place = { oldStart, oldLines, newStart, newLines };
  let [ln1, ln2] = [oldStart, newStart];
  const changes = lines.map(({ op, text }) => {
    if (op === 'removed') return { type: 'del', del: true, ln: ln1++, content: `-${text}` };
    if (op === 'added') return { type: 'add', add: true, ln: ln2++, content: `+${text}` };
    return { type: 'normal', normal: true, ln1: ln1++, ln2: ln2++, content: ` ${text}` };
  });
  return { content: formatHunkHead(place), ...place, changes };
}
