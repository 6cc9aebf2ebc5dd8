import { constants, type FileHandle, mkdir, open, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { DownloadFormat } from '#engine/call/command-view.ts';
import { InvariantError } from '#extract/invariant-error.ts';
import { ServiceError } from '#kernel/errors.ts';
import { type DownloadState, isNotFound, openProgressFile, throwOutputError } from './state-file.ts';

/** An output to which the elements of a list are written as they arrive. */
export type Sink = {
  /** The number of written elements. */
  readonly count: () => number;
  /** The cursor of the next element; null at the start of the list. */
  readonly cursor: () => string | null;
  /** Whether the whole list is written. */
  readonly isComplete: () => boolean;
  /** Records the job whose list is written, and the hash of its input (`order`). */
  readonly saveJob: (job: string, order: string | null) => Promise<void>;
  /** Writes elements, then records the cursor `next`; null at the end of the list. */
  readonly write: (elements: readonly unknown[], next: string | null) => Promise<void>;
  /** Completes the output. */
  readonly finish: () => Promise<void>;
  /** Closes the output, so that another command can resume. */
  readonly close: () => Promise<void>;
  /** Removes what opening created; only while nothing is written. */
  readonly discard: () => Promise<void>;
};

/** The text format of a list's elements. */
export type ElementFormat = {
  readonly element: (element: unknown, at: number) => string;
  readonly end: (count: number) => string;
};

const ELEMENT_FORMATS: Readonly<Record<Exclude<DownloadFormat, 'markdown'>, ElementFormat>> = {
  jsonl: { element: (element) => `${JSON.stringify(element)}\n`, end: () => '' },
  text: { element: (element) => `${getUrl(element)}\n`, end: () => '' },
  json: {
    element: (element, at) => (at === 0 ? '[\n' : ',\n') + JSON.stringify(element),
    end: (count) => (count === 0 ? '[]\n' : '\n]\n'),
  },
};

/** Returns the element format of a single-file format. */
export function getElementFormat(format: DownloadFormat): ElementFormat {
  if (format === 'markdown') throw new InvariantError('markdown needs one file per page');
  return ELEMENT_FORMATS[format];
}

function getUrl(element: unknown): string {
  return typeof element === 'object' && element !== null && 'url' in element ? String(element.url) : '';
}

/** Creates a sink that cannot be resumed, such as for standard output. */
export function createStreamSink(out: (text: string) => void, { element, end }: ElementFormat): Sink {
  let count = 0;
  let cursor: string | null = null;
  let isWhole = false;
  return {
    count: () => count,
    cursor: () => cursor,
    isComplete: () => isWhole,
    saveJob: async () => undefined,
    async write(elements, next) {
      if (elements.length > 0) out(elements.map((one, at) => element(one, count + at)).join(''));
      count += elements.length;
      cursor = next;
      isWhole = next === null;
    },
    async finish() {
      const last = end(count);
      if (last !== '') out(last);
    },
    close: async () => undefined,
    discard: async () => undefined,
  };
}

const STATE_SUFFIX = '.quern';

/** Returns the path of the state file next to a file. */
export function getFileStatePath(file: string): string {
  return `${file}${STATE_SUFFIX}`;
}

/**
 * Opens one file for the whole list. With the state of an earlier command, it resumes at the last recorded position and
 * truncates anything after it. Throws `invalid_request` if the file does not fit the state.
 */
export async function openLineFile(
  file: string,
  {
    operation,
    format,
    state,
  }: { readonly operation: string; readonly format: DownloadFormat; readonly state: DownloadState | null },
): Promise<Sink> {
  const form = getElementFormat(format);
  const handle = state === null ? await openNewFile(file) : await reopenFile(file, state);
  const progress = openProgressFile(getFileStatePath(file), { operation, format, state });

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

async function openNewFile(file: string): Promise<FileHandle> {
  const handle = await mkdir(dirname(file), { recursive: true })
    .then(async () => open(file, constants.O_RDWR | constants.O_CREAT))
    .catch((error: unknown) => throwOutputError(file, error));
  const stats = await handle.stat();
  if (stats.isFile() && stats.size === 0) return handle;
  await handle.close();
  throw new ServiceError(
    'invalid_request',
    `--out: ${file} exists already: choose another file, or resume with --resume`,
  );
}

async function reopenFile(file: string, { bytes }: DownloadState): Promise<FileHandle> {
  const handle = await open(file, 'r+').catch((error: unknown) => throwReopenError(file, error));
  const { size } = await handle.stat();
  if (size < bytes) {
    await handle.close();
    throw new ServiceError(
      'invalid_request',
      `--resume: ${file} has ${size} bytes and had ${bytes}: it was changed since; use another --out with the job id`,
    );
  }
  await handle.truncate(bytes);
  return handle;
}

function throwReopenError(file: string, error: unknown): never {
  if (isNotFound(error)) throw new ServiceError('invalid_request', `--resume: ${file} no longer exists`);
  return throwOutputError(file, error);
}

async function writeAt(handle: FileHandle, text: string, position: number): Promise<number> {
  const bytes = Buffer.from(text);
  for (let done = 0; done < bytes.length;) {
    done += (await handle.write(bytes, done, bytes.length - done, position + done)).bytesWritten;
  }
  return bytes.length;
}
