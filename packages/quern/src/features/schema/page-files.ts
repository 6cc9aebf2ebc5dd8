import { z } from 'zod';
import { type Page, type RenderOptions, SCREENSHOT_FORMATS } from '#access/page.ts';
import { ArtifactMember } from '#engine/results/artifacts.ts';
import type { WorkCall } from '#engine/call/operation.ts';
import { OUTPUTS } from '#extract/reading.ts';
import { named } from '#extract/schema/names.ts';

/** The formats that are files, which only a browser makes. */
export const FILES = ['screenshot', 'pdf'] as const;

export const FETCH_OUTPUTS = [...OUTPUTS, ...FILES, 'summary'] as const;

export const FetchOutputs = z
  .array(z.enum(FETCH_OUTPUTS))
  .min(1)
  .refine((names) => new Set(names).size === names.length, 'must not name a format twice')
  .default(['markdown'])
  .describe(
    'Formats to return; screenshot and pdf are made by a browser and kept as files, summary by the model of the operator',
  );

export const Screenshot = named(
  'ScreenshotInput',
  z
    .strictObject({
      full_page: z.boolean().default(false).describe('All of the page instead of what a window shows of it'),
      format: z.enum(SCREENSHOT_FORMATS).default('png'),
    })
    .describe('How output screenshot is taken'),
);

const NULL_MEANING = 'null where the target is nothing that a browser shows';

/** The members of an answer that name files. */
export const FILE_MEMBERS = {
  screenshot: ArtifactMember.nullable().optional().describe(`The screenshot; ${NULL_MEANING}`),
  pdf: ArtifactMember.nullable().optional().describe(`The page as PDF; ${NULL_MEANING}`),
} as const;

type FileInput = {
  readonly output: readonly (typeof FETCH_OUTPUTS)[number][];
  readonly screenshot?: z.output<typeof Screenshot> | undefined;
};

/** The files that a browser is to make. */
export function chooseFiles({ output, screenshot }: FileInput): Pick<RenderOptions, 'screenshot' | 'pdf'> {
  const shot = { fullPage: screenshot?.full_page ?? false, format: screenshot?.format ?? 'png' };
  return { screenshot: output.includes('screenshot') ? shot : null, pdf: output.includes('pdf') };
}

/** Keeps the files of a page; each that was asked for has its member. */
export async function keepFiles(
  { output }: FileInput,
  { artifacts = [] }: Pick<Page, 'artifacts'>,
  keep: WorkCall['keep'],
) {
  const members: Partial<Record<(typeof FILES)[number], ArtifactMember | null>> = {};
  for (const kind of FILES) {
    if (!output.includes(kind)) continue;
    const file = artifacts.find((one) => one.kind === kind);
    members[kind] = file === undefined ? null : await keep(file);
  }
  return members;
}
