import { open, readFile, rename, rm } from 'node:fs/promises';
import { z } from 'zod';
import { DOWNLOAD_FORMATS } from '#engine/call/command-view.ts';
import { ServiceError } from '#kernel/errors.ts';

/** The state that an interrupted command resumes from: the job, and how much of its list is written. */
export const DownloadState = z.object({
  version: z.literal(1),
  operation: z.string(),
  job: z.string(),
  /** A hash of what was asked for; null where the command only joined the job. */
  order: z.string().nullable(),
  format: z.enum(DOWNLOAD_FORMATS),
  /** The cursor of the next element; null at the start of the list. */
  cursor: z.string().nullable(),
  /** Whether the list is written to its end, after which there is no cursor. */
  whole: z.boolean(),
  /** Elements, and bytes of a file, that are written. */
  count: z.int().min(0),
  bytes: z.int().min(0),
});

export type DownloadState = z.output<typeof DownloadState>;

/** The written part of a list. */
type Kept = Pick<DownloadState, 'count' | 'bytes' | 'cursor' | 'whole'>;

/** The written part at the start, or where an earlier command stopped. */
function keptOf(state: DownloadState | null): Kept {
  const { count = 0, bytes = 0, cursor = null, whole = false } = state ?? {};
  return { count, bytes, cursor, whole };
}

/** Reads what `openProgress` kept; null where there is nothing. Throws `invalid_request` for a file of another kind. */
export async function readState(file: string): Promise<DownloadState | null> {
  try {
    return DownloadState.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch (error) {
    if (isMissing(error)) return null;
    if (!(error instanceof SyntaxError || error instanceof z.ZodError)) throw error;
    throw new ServiceError('invalid_request', `${file} does not say how to go on: it is damaged, or not ours`, {
      cause: error,
    });
  }
}

/**
 * Keeps in `file` how far a list is written, from where `state` left it; it is replaced at once, so that a kill leaves the
 * old state or the new one.
 */
export function openProgress(
  file: string,
  { operation, format, state }: Pick<DownloadState, 'operation' | 'format'> & { readonly state: DownloadState | null },
) {
  let kept = keptOf(state);
  let named: Pick<DownloadState, 'job' | 'order'> | null = state;

  async function save(): Promise<void> {
    if (named === null) return;
    const { job, order } = named;
    const now: DownloadState = { version: 1, operation, job, order, format, ...kept };
    await replaceFile(file, { beside: `${file}.new`, text: `${JSON.stringify(now)}\n` });
  }

  return {
    kept: (): Kept => kept,
    /** The members of a sink that read and start the written part. */
    ofSink: {
      count: () => kept.count,
      cursor: () => kept.cursor,
      isWhole: () => kept.whole,
      async begin(job: string, order: string | null): Promise<void> {
        named = { job, order };
        await save();
      },
    },
    /** Remembers what was written more, and that the list goes on at `next`; null at its end. */
    async note({ count, bytes }: Pick<Kept, 'count' | 'bytes'>, next: string | null): Promise<void> {
      kept = { count: kept.count + count, bytes: kept.bytes + bytes, cursor: next, whole: next === null };
      await save();
    },
    forget: async (): Promise<void> => rm(file, { force: true }),
  };
}

/** Writes a second file and renames it over the first; follows no link at either name. */
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
  const code = systemErrorCode(error);
  return code === 'ENOENT' || code === 'ENOTDIR';
}

/** A file or folder that cannot be made or opened where `--out` names it. */
export function refuseNew(path: string, error: unknown): never {
  if (systemErrorCode(error) === null || !(error instanceof Error)) throw error;
  throw new ServiceError('invalid_request', `--out: ${path} cannot be written: ${error.message}`, { cause: error });
}

/** The code of an error of the file system, null for any other error. */
export function systemErrorCode(error: unknown): string | null {
  if (!(error instanceof Error && 'code' in error && 'syscall' in error)) return null;
  return typeof error.code === 'string' ? error.code : null;
}
