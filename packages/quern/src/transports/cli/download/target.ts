import { extname, resolve } from 'node:path';
import type { DownloadFormat, DownloadView } from '#engine/call/command-view.ts';
import { ServiceError } from '#kernel/errors.ts';
import { formatWords } from '#transports/cli/command.ts';
import type { Terminal } from '#transports/cli/context.ts';
import { openLineFile, getFileStatePath, getElementFormat, createStreamSink, type Sink } from './sinks.ts';
import { openPageTree, getTreeStatePath } from './page-tree.ts';
import { type DownloadState, readState } from './state-file.ts';

/** The output path of a list (null for standard output), and its format. */
export type OutputTarget = { readonly path: string | null; readonly format: DownloadFormat };

const FORMAT_BY_SUFFIX: Readonly<Record<string, DownloadFormat>> = {
  '.jsonl': 'jsonl',
  '.ndjson': 'jsonl',
  '.json': 'json',
};
/** Suffixes that never name a folder. */
const FILE_SUFFIXES = ['.json', '.md', '.txt', '.csv', '.gz', '.zip', '.html'];

/** Chooses path and format by `--out` and `--format`; throws `invalid_request` if they contradict. */
export function chooseTarget({ formats }: DownloadView, out: string | null, format: string | null): OutputTarget {
  const wanted = format === null ? null : (formats.find((one) => one === format) ?? null);
  if (format !== null && wanted === null) {
    throw new ServiceError('invalid_request', `--format: must be one of ${formats.join(', ')}`);
  }
  if (out === null || out === '-') {
    if (wanted === 'markdown') throw new ServiceError('invalid_request', '--format markdown: needs --out FOLDER');
    return { path: null, format: wanted ?? formats[0] ?? 'jsonl' };
  }
  return { path: resolve(out), format: wanted ?? chooseFormat(formats, out) };
}

function chooseFormat(formats: readonly DownloadFormat[], out: string): DownloadFormat {
  const suffix = extname(out).toLowerCase();
  const named = FORMAT_BY_SUFFIX[suffix];
  if (named !== undefined && formats.includes(named)) return named;
  if (!formats.includes('markdown')) return formats[0] ?? 'jsonl';
  if (!FILE_SUFFIXES.includes(suffix)) return 'markdown';
  throw new ServiceError('invalid_request', `--out: ${out} is neither FILE.jsonl nor a folder; choose with --format`);
}

/** Returns the state of an earlier command at a path; throws `invalid_request` if there is none for this operation. */
export async function demandState(operation: string, out: string): Promise<DownloadState> {
  const state = await findStateAt(out);
  if (state === null) {
    throw new ServiceError(
      'invalid_request',
      `--resume: nothing to resume: there is neither ${getFileStatePath(resolve(out))} nor ${getTreeStatePath(resolve(out))}; a finished download has none`,
    );
  }
  if (state.operation !== operation) {
    throw new ServiceError('invalid_request', `--resume: ${out} was created by quern ${formatWords(state.operation)}`);
  }
  return state;
}

/** Finds the state of an earlier command at a path; null if there is none. */
export async function findStateAt(out: string): Promise<DownloadState | null> {
  return (await readState(getFileStatePath(resolve(out)))) ?? readState(getTreeStatePath(resolve(out)));
}

/** Opens the output of a list, new or resumed from `state`. */
export async function openSink(
  { path, format }: OutputTarget,
  {
    operation,
    state,
    terminal,
  }: { readonly operation: string; readonly state: DownloadState | null; readonly terminal: Terminal },
): Promise<Sink> {
  if (path === null) return createStreamSink(terminal.out, getElementFormat(format));
  if (format === 'markdown') return openPageTree(path, { operation, state });
  return openLineFile(path, { operation, format, state });
}
