import { constants, type FileHandle, mkdir, open, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ServiceError } from '#kernel/errors.ts';
import { formOf, type Sink } from './sinks.ts';
import { type DownloadState, isMissing, openProgress, refuseNew } from './state-file.ts';
import type { DownloadFormat } from '#engine/call/command-view.ts';

const STATE_SUFFIX = '.quern';

/** The path of a file's state: next to it. */
export function stateOfFile(file: string): string {
  return `${file}${STATE_SUFFIX}`;
}

/**
 * One file for the whole list. With the state of an earlier command it goes on where that was sure of: what was written
 * after, whole or half, is cut off and written again. Throws `invalid_request` for a file that is not ours.
 */
export async function openLineFile(
  file: string,
  {
    operation,
    format,
    state,
  }: { readonly operation: string; readonly format: DownloadFormat; readonly state: DownloadState | null },
): Promise<Sink> {
  const form = formOf(format);
  const handle = state === null ? await openNew(file) : await openAgain(file, state);
  const progress = openProgress(stateOfFile(file), { operation, format, state });

  return {
    ...progress.ofSink,
    async write(elements, next) {
      const { count, bytes: end } = progress.kept();
      const text = elements.map((element, at) => form.element(element, count + at)).join('');
      const bytes = await writeAt(handle, text, end);
      await handle.datasync();
      await progress.note({ count: elements.length, bytes }, next);
    },
    async finish() {
      const { count, bytes } = progress.kept();
      await writeAt(handle, form.end(count), bytes);
      await handle.close();
      await progress.forget();
    },
    close: async () => handle.close(),
    async discard() {
      await handle.close();
      await progress.forget();
      await rm(file, { force: true });
    },
  };
}

async function openNew(file: string): Promise<FileHandle> {
  const handle = await mkdir(dirname(file), { recursive: true })
    .then(async () => open(file, constants.O_RDWR | constants.O_CREAT))
    .catch((error: unknown) => refuseNew(file, error));
  const found = await handle.stat();
  if (found.isFile() && found.size === 0) return handle;
  await handle.close();
  throw new ServiceError(
    'invalid_request',
    `--out: ${file} is there already: name another file, or go on with what it has by --resume`,
  );
}

async function openAgain(file: string, { bytes }: DownloadState): Promise<FileHandle> {
  const handle = await open(file, 'r+').catch((error: unknown) => refuseAgain(file, error));
  const { size } = await handle.stat();
  if (size < bytes) {
    await handle.close();
    throw new ServiceError(
      'invalid_request',
      `--resume: ${file} has ${size} bytes and had ${bytes}: it was changed since; name another --out and the job`,
    );
  }
  await handle.truncate(bytes);
  return handle;
}

function refuseAgain(file: string, error: unknown): never {
  if (isMissing(error)) throw new ServiceError('invalid_request', `--resume: ${file} is not there any more`);
  return refuseNew(file, error);
}

async function writeAt(handle: FileHandle, text: string, position: number): Promise<number> {
  const bytes = Buffer.from(text);
  for (let done = 0; done < bytes.length;) {
    done += (await handle.write(bytes, done, bytes.length - done, position + done)).bytesWritten;
  }
  return bytes.length;
}
