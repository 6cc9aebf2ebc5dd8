import { open, readFile, rename, rm } from 'node:fs/promises';
import { z } from 'zod';
import { DOWNLOAD_FORMATS } from '#engine/call/command-view.ts';
import { ServiceError } from '#kernel/errors.ts';

/** The state for resuming an interrupted command: the job, and how much of its list is written. */
export const DownloadState = z.object({
  version: z.literal(1),
  operation: z.string(),
  job: z.string(),
  /** Hash of the input; null if the command only followed an existing job. */
  order: z.string().nullable(),
  format: z.enum(DOWNLOAD_FORMATS),
  /** The cursor of the next element; null at the start of the list. */
  cursor: z.string().nullable(),
  /** Whether the whole list is written; then there is no cursor. */
  whole: z.boolean(),
  /** Numbers of written elements and of written bytes of a file. */
  count: z.int().min(0),
  bytes: z.int().min(0),
});

export type DownloadState = z.output<typeof DownloadState>;

/** The written part of a list. */
type WrittenPart = Pick<DownloadState, 'count' | 'bytes' | 'cursor' | 'whole'>;

/** Returns the written part of an earlier command, or an empty one. */
function getWrittenPart(state: DownloadState | null): WrittenPart {
  const { count = 0, bytes = 0, cursor = null, whole = false } = state ?? {};
  return { count, bytes, cursor, whole };
}

/** Reads a state file; null if there is none. Throws `invalid_request` if it is damaged or of another program. */
export async function readState(file: string): Promise<DownloadState | null> {
  try {
    return DownloadState.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch (error) {
    if (isNotFound(error)) return null;
    if (!(error instanceof SyntaxError || error instanceof z.ZodError)) throw error;
    throw new ServiceError(
      'invalid_request',
      `${file} is not a valid state file: it is damaged, or of another program`,
      {
        cause: error,
      },
    );
  }
}

/**
 * Records in `file` how much of a list is written, starting from `state`. The file is replaced atomically, so a kill leaves
 * the old or the new state.
 */
export function openProgressFile(
  file: string,
  { operation, format, state }: Pick<DownloadState, 'operation' | 'format'> & { readonly state: DownloadState | null },
) {
  let writtenPart = getWrittenPart(state);
  let named: Pick<DownloadState, 'job' | 'order'> | null = state;

  async function save(): Promise<void> {
    if (named === null) return;
    const { job, order } = named;
    const now: DownloadState = { version: 1, operation, job, order, format, ...writtenPart };
    await replaceFile(file, { beside: `${file}.new`, text: `${JSON.stringify(now)}\n` });
  }

  return {
    kept: (): WrittenPart => writtenPart,
    /** The members of a `Sink` that depend only on the state. */
    ofSink: {
      count: () => writtenPart.count,
      cursor: () => writtenPart.cursor,
      isComplete: () => writtenPart.whole,
      async saveJob(job: string, order: string | null): Promise<void> {
        named = { job, order };
        await save();
      },
    },
    /** Records further written elements and the next cursor; null at the end of the list. */
    async note({ count, bytes }: Pick<WrittenPart, 'count' | 'bytes'>, next: string | null): Promise<void> {
      writtenPart = {
        count: writtenPart.count + count,
        bytes: writtenPart.bytes + bytes,
        cursor: next,
        whole: next === null,
      };
      await save();
    },
    forget: async (): Promise<void> => rm(file, { force: true }),
  };
}

/** Writes the file `beside` and renames it to `file`. Follows no symbolic links. */
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

/** Whether an error means that a file or folder does not exist. */
export function isNotFound(error: unknown): boolean {
  const code = getSystemErrorCode(error);
  return code === 'ENOENT' || code === 'ENOTDIR';
}

/** Throws `invalid_request` if the path of `--out` cannot be created or opened. */
export function throwOutputError(path: string, error: unknown): never {
  if (getSystemErrorCode(error) === null || !(error instanceof Error)) throw error;
  throw new ServiceError('invalid_request', `--out: ${path} cannot be written: ${error.message}`, { cause: error });
}

/** Returns the code of a file system error, such as `ENOENT`; null for any other error. */
export function getSystemErrorCode(error: unknown): string | null {
  if (!(error instanceof Error && 'code' in error && 'syscall' in error)) return null;
  return typeof error.code === 'string' ? error.code : null;
}
