import { constants, type FileHandle, mkdir, open, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { DownloadFormat } from '#engine/call/command-view.ts';
import { InvariantError } from '#extract/invariant-error.ts';
import { ServiceError } from '#kernel/errors.ts';
import { type DownloadState, isMissing, openProgress, refuseNew } from './state-file.ts';

/** The place that the elements of a list are written to as they come. */
export type Sink = {
  /** Elements that are written. */
  readonly count: () => number;
  /** The cursor of the next element, null at the start of the list. */
  readonly cursor: () => string | null;
  /** Whether the list is written to its end. */
  readonly isWhole: () => boolean;
  /** Remembers which job is written here. */
  readonly begin: (job: string, order: string | null) => Promise<void>;
  /** Writes elements, and then remembers that the list goes on at `next`; null at its end. */
  readonly write: (elements: readonly unknown[], next: string | null) => Promise<void>;
  /** Ends what is written: there is no more. */
  readonly finish: () => Promise<void>;
  /** Leaves it so that another command can go on. */
  readonly close: () => Promise<void>;
  /** Takes back what `open` made, as long as nothing is written. */
  readonly discard: () => Promise<void>;
};

/** The text format of a list's elements. */
export type Form = {
  readonly element: (element: unknown, at: number) => string;
  readonly end: (count: number) => string;
};

const FORMS: Readonly<Record<Exclude<DownloadFormat, 'markdown'>, Form>> = {
  jsonl: { element: (element) => `${JSON.stringify(element)}\n`, end: () => '' },
  text: { element: (element) => `${urlOf(element)}\n`, end: () => '' },
  json: {
    element: (element, at) => (at === 0 ? '[\n' : ',\n') + JSON.stringify(element),
    end: (count) => (count === 0 ? '[]\n' : '\n]\n'),
  },
};

/** The text format of a format that makes one file. */
export function formOf(format: DownloadFormat): Form {
  if (format === 'markdown') throw new InvariantError('markdown is a file for each page');
  return FORMS[format];
}

function urlOf(element: unknown): string {
  return typeof element === 'object' && element !== null && 'url' in element ? String(element.url) : '';
}

/** Writes where nothing can be gone on with, such as to standard output. */
export function openOutput(out: (text: string) => void, { element, end }: Form): Sink {
  let count = 0;
  let cursor: string | null = null;
  let isWhole = false;
  return {
    count: () => count,
    cursor: () => cursor,
    isWhole: () => isWhole,
    begin: async () => undefined,
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
