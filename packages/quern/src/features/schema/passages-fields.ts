import { z } from 'zod';
import { nameSchema } from '#extract/schema/names.ts';
import { wholeNumber } from '#extract/schema/whole-number.ts';

/** The output that quotes the passages of a page that match a query. */
export const PASSAGES_OUTPUT = 'passages';

const PassagesInput = nameSchema(
  'PassagesInput',
  z
    .strictObject({
      query: z.string().trim().min(1).max(1000).describe('A question, or words to look for'),
      max_chars: wholeNumber(100, 20_000).default(2000).describe('Most characters of all passages together'),
      answer: z
        .boolean()
        .default(false)
        .describe('Also answer the query from the passages with the language model, in one or two sentences'),
    })
    .describe('Options of output passages'),
);

/** The parameter of output `passages`. */
export const PASSAGES_FIELD = { passages: PassagesInput.optional() } as const;

/** Which passages of a page to quote. */
export type PassagesOptions = z.output<typeof PassagesInput>;

type PassagesParameters = { readonly output: readonly string[]; readonly passages?: PassagesOptions | undefined };

/** Reports parameters that do not fit output `passages`. `refuse` gets the parameter and the sentence. */
export function checkPassages(
  { output, passages }: PassagesParameters,
  refuse: (parameter: 'passages', message: string) => void,
): void {
  const isWanted = output.includes(PASSAGES_OUTPUT);
  if (isWanted && passages === undefined) refuse('passages', 'is required for output passages');
  if (!isWanted && passages !== undefined) refuse('passages', 'add passages to output to use it');
}

/** The options of output `passages`; null if it is not requested. */
export function choosePassages({ output, passages }: PassagesParameters): PassagesOptions | null {
  return output.includes(PASSAGES_OUTPUT) ? (passages ?? null) : null;
}

/** The question that a model answers from the passages; null for none. */
export function chooseQuestion(options: PassagesOptions | null): string | null {
  return options?.answer === true ? options.query : null;
}

/** The response field of output `passages`. */
export const PASSAGES_MEMBER = {
  passages: z
    .array(z.string())
    .readonly()
    .optional()
    .describe('The sentences of the main text that match the query best, in the order of the page; empty if none does'),
} as const;
