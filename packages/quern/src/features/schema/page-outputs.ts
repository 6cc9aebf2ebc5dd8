import { z } from 'zod';
import { OUTCOMES, TIERS } from '#access/page.ts';
import { named } from '#extract/schema/names.ts';
import { WARNING_CODES } from '#kernel/warnings.ts';

/** Facts about a page, in every answer. */
export const Metadata = named(
  'Metadata',
  z.object({
    title: z.string().nullable(),
    description: z.string().nullable(),
    language: z.string().nullable(),
    canonical_url: z.string().nullable(),
    image: z.string().nullable(),
    site_name: z.string().nullable(),
    author: z.string().nullable().describe('Names joined by a comma'),
    published_date: z.string().nullable().describe('The calendar day as the source writes it'),
    published_at: z.string().nullable().describe('The instant, where the source has one'),
    modified_at: z.string().nullable(),
    charset: z.string().nullable(),
    word_count: z.int(),
    page_count: z.int().optional().describe('Pages of a PDF, slides of a presentation'),
    next_url: z.string().optional().describe('The page after this one, of an article or listing parted over several'),
    prev_url: z.string().optional().describe('The page before this one'),
    amp_url: z.string().optional().describe('The AMP page of the same'),
    print_url: z.string().optional().describe('The print view of the same'),
  }),
);

/** The outputs of one page, as the members that answers have for them. */
export const PAGE_OUTPUTS = {
  markdown: z.string().optional(),
  text: z.string().optional(),
  html: z.string().optional(),
  raw_html: z.string().optional(),
  links: z
    .array(
      named(
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
      named(
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
      named(
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
  structured_data: named(
    'StructuredData',
    z.object({
      json_ld: z.array(z.unknown()).readonly(),
      microdata: z.array(z.unknown()).readonly(),
      rdfa: z.array(z.unknown()).readonly(),
      opengraph: z.record(z.string(), z.unknown()),
    }),
  ).optional(),
  json: z.record(z.string(), z.unknown()).optional(),
  json_unread: z
    .record(z.string(), z.string())
    .optional()
    .describe('What the page has where a member of json is empty because it cannot be read as its type'),
} as const;

export const Warnings = z
  .array(named('Warning', z.object({ code: z.enum(WARNING_CODES), message: z.string() })))
  .readonly();

/** The steps of the ladder that a call took, as answers show them. */
export const Attempts = z
  .array(
    named(
      'Attempt',
      z.object({
        tier: z.enum(TIERS),
        outcome: z.enum(OUTCOMES),
        status_code: z.int().optional(),
        reason: z.string().optional(),
        duration_ms: z.int(),
        bytes: z.int().describe('Received on the wire, headers aside'),
      }),
    ),
  )
  .readonly();
