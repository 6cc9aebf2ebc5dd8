import { z } from 'zod';
import { type Page, type RenderOptions, SCREENSHOT_FORMATS } from '#access/page.ts';
import { ArtifactMember } from '#engine/results/artifacts.ts';
import type { WorkCall } from '#engine/call/operation.ts';
import { OUTPUTS } from '#extract/reading.ts';
import { CHANGES_OUTPUT } from './changes-fields.ts';
import { PASSAGES_OUTPUT } from './passages-fields.ts';
import { wholeNumber } from '#extract/schema/whole-number.ts';
import { nameSchema } from '#extract/schema/names.ts';
import { Selector } from './page-fields.ts';

/** Output formats that are files, which need a browser. */
export const FILE_OUTPUTS = ['screenshot', 'pdf'] as const;

export const FETCH_OUTPUTS = [...OUTPUTS, ...FILE_OUTPUTS, 'summary', PASSAGES_OUTPUT, CHANGES_OUTPUT] as const;

export const FetchOutputs = z
  .array(z.enum(FETCH_OUTPUTS))
  .min(1)
  .refine((names) => new Set(names).size === names.length, 'must not contain duplicates')
  .default(['markdown'])
  .describe(
    'Formats to return; screenshot and pdf need a browser and are stored as files, summary needs a language model, passages quotes what matches a query, changes compares the page with its last copy',
  );

/** Maximum side of a viewport, CSS pixels. */
const MAX_VIEWPORT_PX = 4000;
/** Maximum position and side of a clip, CSS pixels. */
const MAX_OFFSET_PX = 1_000_000;

export const Screenshot = nameSchema(
  'ScreenshotInput',
  z
    .strictObject({
      full_page: z.boolean().default(false).describe('Capture the whole page instead of the visible part'),
      format: z.enum(SCREENSHOT_FORMATS).default('png'),
      quality: wholeNumber(1, 100).optional().describe('Quality of jpeg and webp, default 85'),
      viewport: z
        .strictObject({ width: wholeNumber(100, MAX_VIEWPORT_PX), height: wholeNumber(100, MAX_VIEWPORT_PX) })
        .optional()
        .describe('Size of the visible part in CSS pixels; default that of the device'),
      clip: z
        .strictObject({
          x: wholeNumber(0, MAX_OFFSET_PX),
          y: wholeNumber(0, MAX_OFFSET_PX),
          width: wholeNumber(1, MAX_OFFSET_PX),
          height: wholeNumber(1, MAX_OFFSET_PX),
        })
        .optional()
        .describe('The part of the page to show, in CSS pixels from its top left corner'),
      selector: Selector.optional().describe('Show the first visible element that this CSS selector matches'),
    })
    .superRefine(({ full_page: fullPage, format, quality, clip, selector }, context) => {
      const refuse = (path: string, message: string): void =>
        context.addIssue({ code: 'custom', path: [path], message });
      if (quality !== undefined && format === 'png') refuse('quality', 'cannot be used with png, which has no quality');
      if (clip !== undefined && fullPage) refuse('clip', 'cannot be combined with full_page');
      if (selector !== undefined && (fullPage || clip !== undefined))
        refuse('selector', 'cannot be combined with full_page or clip');
    })
    .describe('Options of output screenshot'),
);

const NULL_MEANING = 'null if a browser cannot display the target';
const NO_ELEMENT = 'or nothing visible matches its selector';

/** The response fields for files. */
export const FILE_FIELDS = {
  screenshot: ArtifactMember.nullable().optional().describe(`The screenshot; ${NULL_MEANING}, ${NO_ELEMENT}`),
  pdf: ArtifactMember.nullable().optional().describe(`The page as PDF; ${NULL_MEANING}`),
} as const;

/** The outputs of a page, and the options of its screenshot. */
export type FileInput = {
  readonly output: readonly (typeof FETCH_OUTPUTS)[number][];
  readonly screenshot?: z.output<typeof Screenshot> | undefined;
};

/** Returns the files that a browser must make. */
export function chooseFiles({ output, screenshot }: FileInput): Pick<RenderOptions, 'screenshot' | 'pdf'> {
  const { full_page: fullPage = false, format = 'png', quality, viewport, clip, selector } = screenshot ?? {};
  const shot = { fullPage, format, quality, viewport, clip, selector };
  return { screenshot: output.includes('screenshot') ? shot : null, pdf: output.includes('pdf') };
}

/** Stores the files of a page. Returns a field for each requested file. */
export async function storeFiles(
  { output }: FileInput,
  { artifacts = [] }: Pick<Page, 'artifacts'>,
  keep: WorkCall['storeArtifact'],
) {
  const members: Partial<Record<(typeof FILE_OUTPUTS)[number], ArtifactMember | null>> = {};
  for (const kind of FILE_OUTPUTS) {
    if (!output.includes(kind)) continue;
    const file = artifacts.find((one) => one.kind === kind);
    members[kind] = file === undefined ? null : await keep(file);
  }
  return members;
}
