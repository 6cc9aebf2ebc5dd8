import { z } from 'zod';
import { type Chunking, DEFAULT_CHUNKING, MAX_CHUNK_TOKENS, MIN_CHUNK_TOKENS } from '#extract/chunks/chunk-markdown.ts';
import { TOKENIZERS } from '#extract/chunks/tokens.ts';
import { CHUNK_KINDS } from '#extract/chunks/units.ts';
import { nameSchema } from '#extract/schema/names.ts';
import { wholeNumber } from '#extract/schema/whole-number.ts';

const { maxTokens, overlapTokens, tokenizer, headingDepth, contextual } = DEFAULT_CHUNKING;

/** The parameter that controls output `chunks`. */
export const ChunkingInput = nameSchema(
  'ChunkingInput',
  z
    .strictObject({
      max_tokens: wholeNumber(MIN_CHUNK_TOKENS, MAX_CHUNK_TOKENS)
        .default(maxTokens)
        .describe('Maximum tokens of a chunk, overlap and context included'),
      overlap_tokens: wholeNumber(0, MAX_CHUNK_TOKENS / 2)
        .default(overlapTokens)
        .describe('Tokens of the chunk before it that a chunk repeats within a section; at most half of max_tokens'),
      tokenizer: z.enum(TOKENIZERS).default(tokenizer).describe('What is counted; characters are those of UTF-16'),
      heading_depth: wholeNumber(1, 6).default(headingDepth).describe('Deepest level of headings that start a chunk'),
      contextual: z
        .boolean()
        .default(contextual)
        .describe('Start each text with the title of the page and the headings above it'),
    })
    .superRefine(({ max_tokens: most, overlap_tokens: overlap }, context) => {
      if (overlap * 2 <= most) return;
      context.addIssue({ code: 'custom', path: ['overlap_tokens'], message: 'must be at most half of max_tokens' });
    }),
);

/** Converts the parameter to options of the chunker. */
export function toChunking(input: z.output<typeof ChunkingInput>): Chunking {
  return {
    maxTokens: input.max_tokens,
    overlapTokens: input.overlap_tokens,
    tokenizer: input.tokenizer,
    headingDepth: input.heading_depth,
    contextual: input.contextual,
  };
}

/** Calls `refuse` if the parameter is given without the output that it is for. */
export function checkChunking(
  { output, chunking }: { readonly output: readonly string[]; readonly chunking?: unknown },
  refuse: (message: string) => void,
): void {
  if (chunking !== undefined && !output.includes('chunks')) refuse('add chunks to output to use chunking');
}

/** A chunk in responses. */
export const ChunkOutput = nameSchema(
  'Chunk',
  z.object({
    id: z.string().describe('Stays the same while the text of the chunk is edited'),
    text: z.string().describe('Markdown'),
    heading_path: z.array(z.string()).readonly().describe('Headings above the text, from the outermost on'),
    url: z.string().describe('The page, with the anchor of the innermost heading that has one'),
    position: z.int().describe('Index among the chunks of the page, from 0'),
    tokens: z.int(),
    content_hash: z.string().describe('SHA-256 of text, in base64url'),
    kind: z.enum(CHUNK_KINDS).describe('text also for several kinds'),
    split: z.literal(true).optional().describe('The text contains a part of a block that is too large for one chunk'),
  }),
);
