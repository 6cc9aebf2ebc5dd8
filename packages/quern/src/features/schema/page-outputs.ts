import { z } from 'zod';
import { OUTCOMES, TIERS } from '#access/page.ts';
import { nameSchema } from '#extract/schema/names.ts';
import { WARNING_CODES } from '#kernel/warnings.ts';
import { ChunkOutput } from './chunking.ts';

/** Metadata of a page. */
export const Metadata = nameSchema(
  'Metadata',
  z.object({
    title: z.string().nullable(),
    description: z.string().nullable(),
    language: z.string().nullable(),
    canonical_url: z.string().nullable(),
    image: z.string().nullable(),
    site_name: z.string().nullable(),
    author: z.string().nullable().describe('Names, separated by commas'),
    published_date: z.string().nullable().describe('The calendar day as written by the source'),
    published_at: z.string().nullable().describe('The exact time, if the source has one'),
    modified_at: z.string().nullable(),
    charset: z.string().nullable(),
    word_count: z
      .int()
      .describe('Words of the main content; without an output that shows text, words outside navigation'),
    page_count: z.int().optional().describe('Pages of a PDF, slides of a presentation'),
    next_url: z.string().optional().describe('The next page of a paginated article or list'),
    prev_url: z.string().optional().describe('The previous page'),
    amp_url: z.string().optional().describe('The AMP version of the page'),
    print_url: z.string().optional().describe('The print version of the page'),
  }),
);

/** The response fields for the outputs of a page. */
export const PAGE_OUTPUTS = {
  markdown: z.string().optional(),
  text: z.string().optional(),
  html: z.string().optional(),
  raw_html: z.string().optional(),
  links: z
    .array(
      nameSchema(
        'Link',
        z.object({
          url: z.string(),
          text: z.string(),
          rel: z.string().nullable(),
          internal: z.boolean(),
          nofollow: z.boolean(),
        }),
      ),
    )
    .readonly()
    .optional(),
  images: z
    .array(
      nameSchema(
        'Image',
        z.object({
          url: z.string(),
          alt: z.string().nullable(),
          width: z.number().nullable(),
          height: z.number().nullable(),
        }),
      ),
    )
    .readonly()
    .optional(),
  tables: z
    .array(
      nameSchema(
        'Table',
        z.object({
          caption: z.string().nullable(),
          headers: z.array(z.string()).readonly(),
          rows: z.array(z.array(z.string()).readonly()).readonly(),
        }),
      ),
    )
    .readonly()
    .optional(),
  structured_data: nameSchema(
    'StructuredData',
    z.object({
      json_ld: z.array(z.unknown()).readonly(),
      microdata: z.array(z.unknown()).readonly(),
      rdfa: z.array(z.unknown()).readonly(),
      opengraph: z.record(z.string(), z.unknown()),
    }),
  ).optional(),
  attributes: z
    .array(
      nameSchema(
        'AttributeValues',
        z.object({ selector: z.string(), attribute: z.string(), values: z.array(z.string()).readonly() }),
      ),
    )
    .readonly()
    .optional()
    .describe('For each query the values as written in the page, in document order'),
  chunks: z.array(ChunkOutput).readonly().optional().describe('Parts of the Markdown for an index, in order'),
  json: z.record(z.string(), z.unknown()).optional(),
  json_unread: z
    .record(z.string(), z.string())
    .optional()
    .describe('The original text of json fields that are empty because it could not be converted to their type'),
} as const;

export const Warnings = z
  .array(nameSchema('Warning', z.object({ code: z.enum(WARNING_CODES), message: z.string() })))
  .readonly();

/** The access attempts of a call, as returned in responses. */
export const Attempts = z
  .array(
    nameSchema(
      'Attempt',
      z.object({
        tier: z.enum(TIERS),
        outcome: z.enum(OUTCOMES),
        status_code: z.int().optional(),
        reason: z.string().optional(),
        duration_ms: z.int(),
        bytes: z.int().describe('Bytes received, without headers'),
      }),
    ),
  )
  .readonly();
