import { open, readFile, rename, rm } from 'node:fs/promises';
import { z } from 'zod';
import { ServiceError } from '#kernel/errors.ts';

export const FORMATS = ['jsonl', 'markdown', 'text', 'json'] as const;

export type Format = (typeof FORMATS)[number];

/** What a command that was left needs to go on: the job, and how far its list is written. */
export const WalkState = z.object({
  version: z.literal(1),
  operation: z.string(),
  job: z.string(),
  /** A hash of what was asked for; null where the command only joined the job. */
  order: z.string().nullable(),
  format: z.enum(FORMATS),
  /** Where the list goes on; null at its start. */
  cursor: z.string().nullable(),
  /** Whether the list is written to its end, after which there is no cursor. */
  whole: z.boolean(),
  /** Elements, and bytes of a file, that are written. */
  count: z.int().min(0),
  bytes: z.int().min(0),
});

export type WalkState = z.output<typeof WalkState>;

/** How far a list is written. */
export type Kept = Pick<WalkState, 'count' | 'bytes' | 'cursor' | 'whole'>;

/** How far it is at the beginning, or where an earlier command left it. */
export function keptOf(state: WalkState | null): Kept {
  const { count = 0, bytes = 0, cursor = null, whole = false } = state ?? {};
  return { count, bytes, cursor, whole };
}

/** Reads what `saveState` wrote; null where there is nothing. Throws `invalid_request` for a file of another kind. */
export async function readState(file: string): Promise<WalkState | null> {
  try {
    return WalkState.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch (error) {
    if (isMissing(error)) return null;
    if (!(error instanceof SyntaxError || error instanceof z.ZodError)) throw error;
    throw new ServiceError('invalid_request', `${file} does not say how to go on: it is damaged, or not ours`, {
      cause: error,
    });
  }
}

/** Replaces the file at once, so that a kill leaves the old state or the new one. */
export async function saveState(file: string, state: WalkState): Promise<void> {
  await replaceFile(file, { beside: `${file}.new`, text: `${JSON.stringify(state)}\n` });
}

/** Writes beside the file and renames; follows no link, at either name. */
export async function replaceFile(
  file: string,
  { beside, text }: { readonly beside: string; readonly text: string },
): Promise<void> {
  await rm(beside, { force: true });
  const handle = await open(beside, 'wx');
  try {
    await handle.writeFile(text);
  } finally {
    await handle.close();
  }
  await rename(beside, file);
}

/** Whether a call of the file system found nothing. */
export function isMissing(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'ENOENT' || code === 'ENOTDIR';
}

/** The code of an error of the file system, null for any other error. */
export function codeOf(error: unknown): string | null {
  if (!(error instanceof Error && 'code' in error && 'syscall' in error)) return null;
  return typeof error.code === 'string' ? error.code : null;
}
