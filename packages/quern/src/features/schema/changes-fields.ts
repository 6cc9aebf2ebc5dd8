import { z } from 'zod';
import { nameSchema } from '#extract/schema/names.ts';

/** The output that compares a page with its last copy. */
export const CHANGES_OUTPUT = 'changes';

/** Maximum length of a tag. */
const MAX_TAG_CHARS = 100;

const ChangesInput = nameSchema(
  'ChangesInput',
  z
    .strictObject({
      tag: z
        .string()
        .max(MAX_TAG_CHARS)
        .default('')
        .describe('Name of a separate series of copies, such as one for other options'),
      diff: z.boolean().default(false).describe('Include the lines of the Markdown that differ'),
      fields: z.boolean().default(false).describe('Compare the fields of output json, too'),
    })
    .describe('Options of output changes'),
);

/** The parameter of output `changes`. */
export const CHANGES_FIELD = { changes: ChangesInput.optional() } as const;

/** What to compare of a page. */
export type ChangesOptions = z.output<typeof ChangesInput>;

type ChangesParameters = { readonly output: readonly string[]; readonly changes?: ChangesOptions | undefined };

/** Reports parameters that do not fit output `changes`. `refuse` gets the parameter and the sentence. */
export function checkChanges(
  { output, changes }: ChangesParameters,
  refuse: (parameter: 'changes', message: string) => void,
): void {
  if (changes === undefined) return;
  if (!output.includes(CHANGES_OUTPUT)) refuse('changes', 'add changes to output to use it');
  if (changes.fields && !output.includes('json')) refuse('changes', 'fields needs output json');
}

/** The options of output `changes`; null if it is not requested. */
export function chooseChanges({ output, changes }: ChangesParameters): ChangesOptions | null {
  return output.includes(CHANGES_OUTPUT) ? (changes ?? { tag: '', diff: false, fields: false }) : null;
}

const Hunk = nameSchema(
  'DiffHunk',
  z.object({
    old_start: z.int(),
    old_lines: z.int(),
    new_start: z.int(),
    new_lines: z.int(),
    lines: z.array(z.object({ op: z.enum(['same', 'removed', 'added']), text: z.string() })).readonly(),
  }),
);

const MarkdownDiff = nameSchema(
  'MarkdownDiff',
  z.object({
    added_lines: z.int(),
    removed_lines: z.int(),
    text: z.string().nullable().describe('Unified diff; null if too many lines differ, or a page is too long'),
    hunks: z.array(Hunk).readonly().nullable().describe('The same lines, parsed'),
    truncated: z.boolean(),
  }),
);

export const PageChanges = nameSchema(
  'PageChanges',
  z.object({
    status: z
      .enum(['new', 'same', 'changed', 'removed'])
      .describe('removed: the target answers 404 or 410, and the copy was deleted'),
    previous_at: z.iso.datetime().nullable().describe('When the last copy was fetched'),
    diff: MarkdownDiff.nullable().optional().describe('With changes.diff; null unless the Markdown differs'),
    fields: z
      .array(
        nameSchema('FieldDifference', z.object({ field: z.string(), previous: z.unknown(), current: z.unknown() })),
      )
      .readonly()
      .nullable()
      .optional()
      .describe('With changes.fields; null if the last copy has none'),
  }),
);

/** The comparison of a page with its last copy. */
export type PageChanges = z.output<typeof PageChanges>;

/** The response field of output `changes`. */
export const CHANGES_MEMBER = {
  changes: PageChanges.nullable().optional().describe('Null for an error page, which is not compared'),
} as const;
