import { open, rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { Operation } from '#engine/call/operation.ts';
import { EXPORT_FORMATS, EXPORTERS, isExportFormat } from '#features/jobs/exports/exports.ts';
import { type OpenedBucket, parseObjectUrl } from '#kernel/artifacts-url.ts';
import { findBucketAccess } from '#kernel/config.ts';
import { ServiceError } from '#kernel/errors.ts';
import type { RunAdministration } from './administration.ts';
import type { CommandContext } from './context.ts';
import { EXIT } from './exit.ts';
import { type CommandArguments, getArgument, getFlag, hasFlag } from './spec.ts';

type ExportParts = Pick<CommandContext, 'ask' | 'interrupted'> & {
  /** The operation that returns the result of a job. */
  readonly result: Operation;
  /** Writes an object of a bucket; nothing of it stays if it fails. */
  readonly upload: (
    place: OpenedBucket & { readonly key: string },
    body: Readable,
    signal: AbortSignal,
  ) => Promise<void>;
};

type Write = (pieces: AsyncIterable<Uint8Array>, signal: AbortSignal) => Promise<void>;

/** `quern jobs export`: writes the whole result of a job to a file, or to an object of a bucket. */
export function createExportCommand({ ask, interrupted, result, upload }: ExportParts): RunAdministration {
  return async (args, { out, note }) => {
    const id = getArgument(args, 0, 'ID');
    const { format, to } = readTarget(args, id);
    const write = to.startsWith('s3://') ? openObject(to, upload) : openFile(to);
    const { stream } = await ask(result, { id, format, ...(hasFlag(args, 'chunks') ? { rows: 'chunks' } : {}) });
    if (stream === null)
      throw new ServiceError('invalid_request', 'format: must be one of a whole result, such as jsonl');
    const signal = interrupted();
    let bytes = 0;
    async function* count(pieces: AsyncIterable<string | Uint8Array>): AsyncGenerator<Uint8Array, void> {
      for await (const piece of pieces) {
        signal.throwIfAborted();
        const part = typeof piece === 'string' ? Buffer.from(piece) : piece;
        bytes += part.length;
        yield part;
      }
    }
    await write(count(stream), signal);
    const shown = to.replace(/^s3:\/\/[^@/]*@/, 's3://');
    if (hasFlag(args, 'json')) out(`${JSON.stringify({ id, format, to: shown, bytes })}\n`);
    else note(`quern: wrote ${bytes} bytes to ${shown}`);
    return EXIT.ok;
  };
}

/** Reads the format, which may also follow from the name of the file, and where to write. */
function readTarget(args: CommandArguments, id: string): { readonly format: string; readonly to: string } {
  const to = getFlag(args, 'to');
  const format = getFlag(args, 'format') ?? (to === undefined ? undefined : findFormat(to));
  if (format === undefined)
    throw new ServiceError('invalid_request', 'format: is missing, and --to does not end with one, such as pages.csv');
  return { format, to: to ?? id + (isExportFormat(format) ? EXPORTERS[format].suffix : `.${format}`) };
}

/** Finds the format that the name of a file or object ends with. */
function findFormat(to: string): string | undefined {
  const name = to.replace(/^(s3:[^?]*).*$/, '$1');
  return ['jsonl', ...EXPORT_FORMATS].toReversed().find((format) => name.endsWith(format));
}

/** Writes to a file beside the wanted one first, so that a failure leaves an existing file unchanged. */
function openFile(file: string): Write {
  return async (pieces, signal) => {
    const temporary = `${file}.new`;
    try {
      const handle = await open(temporary, 'w');
      try {
        for await (const piece of pieces) await handle.writeFile(piece, { signal });
      } finally {
        await handle.close();
      }
      await rename(temporary, file);
    } catch (error) {
      await rm(temporary, { force: true });
      if (error instanceof ServiceError || signal.aborted || !isSystemError(error)) throw error;
      throw new ServiceError('invalid_request', `to: ${file} cannot be written: ${error.message}`, { cause: error });
    }
  };
}

function isSystemError(error: unknown): error is Error {
  return error instanceof Error && 'syscall' in error;
}

function openObject(text: string, upload: ExportParts['upload']): Write {
  const place = parseObjectUrl(text);
  if (typeof place === 'string') throw new ServiceError('invalid_request', `to: ${place}`);
  const access = findBucketAccess(place);
  if (typeof access === 'string') throw new ServiceError('invalid_request', `to: ${access}`);
  return async (pieces, signal) => {
    try {
      await upload({ ...place, ...access }, Readable.from(pieces, { objectMode: false }), signal);
    } catch (error) {
      if (error instanceof ServiceError || signal.aborted) throw error;
      const why = error instanceof Error ? error.message : String(error);
      throw new ServiceError('backend_unavailable', `the bucket ${place.bucket} refused the object: ${why}`, {
        cause: error,
      });
    }
  };
}
