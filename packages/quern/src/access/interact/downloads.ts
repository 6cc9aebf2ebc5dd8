import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Artifact } from '#access/page.ts';
import { ActionFailed } from './actions.ts';

/** The start of a download, as a browser reports it. */
export type DownloadStart = {
  readonly guid: string;
  /** The frame that requested it. */
  readonly frame: string;
  /** The file name that the page or the response suggests. */
  readonly suggestedFilename: string;
  /** Cancels it in the browser. */
  readonly cancel: () => void;
};

/** The state of a download, as a browser reports it. */
export type DownloadProgress = {
  readonly guid: string;
  /** The expected length in bytes; 0 if it is unknown. */
  readonly totalBytes: number;
  readonly receivedBytes: number;
  readonly state: 'inProgress' | 'completed' | 'canceled';
};

/** A file that a page downloaded. */
export type DownloadedFile = { readonly name: string; readonly file: Artifact };

type DownloadEntry = {
  readonly guid: string;
  readonly name: string;
  readonly cancel: () => void;
  bytes: number;
  state: DownloadProgress['state'];
};

const MAX_FILES = 10;
const MAX_BYTES = 50 * 1024 * 1024;
const MAX_NAME_CHARS = 200;

/** The files that the pages of one session download, in their own folder, limited in number and bytes. */
export class Downloads {
  /** The folder where the browser saves them; a file has the `guid` of its download as name. */
  readonly folder: string;
  /** Downloads by `guid`, until `take` returns them. */
  readonly #entries = new Map<string, DownloadEntry>();
  /** Reasons why downloads were cancelled or failed, until `waitUntilDone` throws them. */
  readonly #problems: string[] = [];
  #startCount = 0;
  /** Frames with a pending request that may turn out to be a download. */
  readonly #pendingFrames = new Set<string>();
  /** Bytes of completed files. */
  #completedBytes = 0;
  #changed = Promise.withResolvers<void>();

  private constructor(folder: string) {
    this.folder = folder;
  }

  /** Creates the folder in the browser's profile, which is removed even after a crash. */
  static async open(profile: string): Promise<Downloads> {
    return new Downloads(await mkdtemp(join(profile, 'downloads-')));
  }

  /** Forgets pending requests, so that their downloads are not assigned to a later action. */
  forgetRequests(): void {
    this.#pendingFrames.clear();
  }

  /** Records that a frame requested a document, which may be a file. */
  noteRequest(frame: string): void {
    this.#pendingFrames.add(frame);
  }

  /** Records that a frame has a new document. */
  noteDocument(frame: string): void {
    if (this.#pendingFrames.delete(frame)) this.#notify();
  }

  noteStart({ guid, frame, suggestedFilename, cancel }: DownloadStart): void {
    this.#startCount += 1;
    this.#pendingFrames.delete(frame);
    const entry: DownloadEntry = { guid, name: toFileName(suggestedFilename), cancel, bytes: 0, state: 'inProgress' };
    if (this.#startCount <= MAX_FILES) this.#entries.set(guid, entry);
    else cancel();
    if (this.#startCount === MAX_FILES + 1) this.#problems.push(`a session downloads at most ${MAX_FILES} files`);
    this.#notify();
  }

  noteProgress({ guid, totalBytes, receivedBytes, state }: DownloadProgress): void {
    const entry = this.#entries.get(guid);
    if (entry === undefined) return;
    entry.bytes = Math.max(receivedBytes, state === 'completed' ? 0 : totalBytes);
    if (this.#completedBytes + this.#countRunningBytes() > MAX_BYTES) {
      const limit = `the files of a session are at most ${MAX_BYTES / 2 ** 20} MiB together`;
      this.#drop(entry, `the download of ${formatName(entry)} was cancelled: ${limit}`);
      return;
    }
    entry.state = state;
    if (state === 'completed') this.#completedBytes += receivedBytes;
    if (state === 'canceled') this.#drop(entry, `the download of ${formatName(entry)} failed`);
    this.#notify();
  }

  /** The number of downloads that have started. */
  countStarted(): number {
    return this.#startCount;
  }

  /**
   * Waits until more than `before` downloads have started, until no pending request may become a download, or until the
   * signal fires.
   */
  async waitForStart(before: number, signal: AbortSignal): Promise<void> {
    await this.#waitUntil(() => this.#startCount > before || this.#pendingFrames.size === 0, signal);
  }

  /** Waits until all downloads have ended. Cancels the others when the signal fires. Throws `ActionFailed` if one failed. */
  async waitUntilDone(signal: AbortSignal): Promise<void> {
    await this.#waitUntil(() => this.#listRunning().length === 0, signal);
    for (const entry of this.#listRunning())
      this.#drop(entry, `the download of ${formatName(entry)} did not end within the time limit of the action`);
    const [problem] = this.#problems.splice(0);
    if (problem !== undefined) throw new ActionFailed(problem);
  }

  /** Reads the files that were completed since the last call, and deletes them from the folder. */
  async *take(): AsyncGenerator<DownloadedFile> {
    for (const { guid, name, state } of this.#entries.values()) {
      if (state !== 'completed') continue;
      this.#entries.delete(guid);
      const path = join(this.folder, guid);
      const bytes = new Uint8Array(await readFile(path));
      await rm(path, { force: true });
      yield { name, file: { kind: 'download', contentType: 'application/octet-stream', bytes, size: null } };
    }
  }

  async close(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true, maxRetries: 3 });
  }

  async #waitUntil(isDone: () => boolean, signal: AbortSignal): Promise<void> {
    if (isDone() || signal.aborted) return;
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const stop = (): void => resolve();
    signal.addEventListener('abort', stop, { once: true });
    while (!isDone() && !signal.aborted) await Promise.race([this.#changed.promise, late]);
    signal.removeEventListener('abort', stop);
  }

  #listRunning(): readonly DownloadEntry[] {
    return [...this.#entries.values()].filter(({ state }) => state === 'inProgress');
  }

  #countRunningBytes(): number {
    return this.#listRunning().reduce((sum, { bytes }) => sum + bytes, 0);
  }

  #drop(entry: DownloadEntry, problem: string): void {
    this.#entries.delete(entry.guid);
    if (entry.state === 'inProgress') entry.cancel();
    this.#problems.push(problem);
    this.#notify();
  }

  #notify(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }
}

/** The last path segment of a name, without leading dots, control characters and line breaks. */
function toFileName(suggested: string): string {
  const last = suggested.split(/[/\\]/).at(-1) ?? '';
  const plain = last.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '').replace(/^[\s.]+/, '');
  // The cut may have split a surrogate pair.
  const name = plain
    .slice(0, MAX_NAME_CHARS)
    .replace(/\p{Cs}$/u, '')
    .trimEnd();
  return name === '' ? 'download' : name;
}

function formatName({ name }: DownloadEntry): string {
  return JSON.stringify(name);
}
