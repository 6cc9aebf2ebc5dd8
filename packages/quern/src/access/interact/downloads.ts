import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Artifact } from '#access/page.ts';
import { ActionFailed } from './actions.ts';

/** The start of a download, as a browser reports it. */
export type DownloadStart = {
  readonly guid: string;
  /** The frame that asked for it. */
  readonly frame: string;
  /** The name that the page or the answer gives the file. */
  readonly suggestedFilename: string;
  /** Makes the browser give it up. */
  readonly cancel: () => void;
};

/** The state of a download, as a browser reports it. */
export type DownloadProgress = {
  readonly guid: string;
  /** The length that was announced; 0 for none. */
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

/** The files that the pages of one session download, in a folder of their own and bounded in number and bytes. */
export class Downloads {
  /** Where the browser saves them, each under its id. */
  readonly folder: string;
  /** Those that no step has yet; they leave when a step takes them. */
  readonly #entries = new Map<string, DownloadEntry>();
  /** Why downloads were cancelled or failed, until a step fails with it. */
  readonly #problems: string[] = [];
  #begun = 0;
  /** Frames with a request under way that may turn out to be a download. */
  readonly #asking = new Set<string>();
  /** Bytes of the files that ended well. */
  #keptBytes = 0;
  #changed = Promise.withResolvers<void>();

  private constructor(folder: string) {
    this.folder = folder;
  }

  /** Makes the folder within the browser's profile, which is removed with that after a crash too. */
  static async open(profile: string): Promise<Downloads> {
    return new Downloads(await mkdtemp(join(profile, 'downloads-')));
  }

  /** Forgets which frames ask for documents: what they get belongs to no later action. */
  forgetRequests(): void {
    this.#asking.clear();
  }

  /** A frame asks for a document, which may be a file. */
  noteRequest(frame: string): void {
    this.#asking.add(frame);
  }

  /** A frame has a new document. */
  noteDocument(frame: string): void {
    if (this.#asking.delete(frame)) this.#notify();
  }

  noteStart({ guid, frame, suggestedFilename, cancel }: DownloadStart): void {
    this.#begun += 1;
    this.#asking.delete(frame);
    const entry: DownloadEntry = { guid, name: toFileName(suggestedFilename), cancel, bytes: 0, state: 'inProgress' };
    if (this.#begun <= MAX_FILES) this.#entries.set(guid, entry);
    else cancel();
    if (this.#begun === MAX_FILES + 1) this.#problems.push(`a session downloads at most ${MAX_FILES} files`);
    this.#notify();
  }

  noteProgress({ guid, totalBytes, receivedBytes, state }: DownloadProgress): void {
    const entry = this.#entries.get(guid);
    if (entry === undefined) return;
    entry.bytes = Math.max(receivedBytes, state === 'completed' ? 0 : totalBytes);
    if (this.#keptBytes + this.#runningBytes() > MAX_BYTES) {
      const limit = `the files of a session are at most ${MAX_BYTES / 2 ** 20} MiB together`;
      this.#drop(entry, `the download of ${formatName(entry)} was cancelled: ${limit}`);
      return;
    }
    entry.state = state;
    if (state === 'completed') this.#keptBytes += receivedBytes;
    if (state === 'canceled') this.#drop(entry, `the download of ${formatName(entry)} failed`);
    this.#notify();
  }

  /** How many downloads began so far. */
  countBegun(): number {
    return this.#begun;
  }

  /** Waits until no request is under way that may be a download, one begins after the first `before`, or the signal fires. */
  async waitForStart(before: number, signal: AbortSignal): Promise<void> {
    await this.#until(() => this.#begun > before || this.#asking.size === 0, signal);
  }

  /** Waits until no download is under way; those that are when the signal fires are given up. Throws `ActionFailed`. */
  async waitUntilDone(signal: AbortSignal): Promise<void> {
    await this.#until(() => this.#running().length === 0, signal);
    for (const entry of this.#running())
      this.#drop(entry, `the download of ${formatName(entry)} did not end within the time of the action`);
    const [problem] = this.#problems.splice(0);
    if (problem !== undefined) throw new ActionFailed(problem);
  }

  /** The files that have ended since the last call, which leave the folder. */
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

  async #until(isSo: () => boolean, signal: AbortSignal): Promise<void> {
    if (isSo() || signal.aborted) return;
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const stop = (): void => resolve();
    signal.addEventListener('abort', stop, { once: true });
    while (!isSo() && !signal.aborted) await Promise.race([this.#changed.promise, late]);
    signal.removeEventListener('abort', stop);
  }

  #running(): readonly DownloadEntry[] {
    return [...this.#entries.values()].filter(({ state }) => state === 'inProgress');
  }

  #runningBytes(): number {
    return this.#running().reduce((sum, { bytes }) => sum + bytes, 0);
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

/** The last part of a name, without leading dots and characters that a line or a folder would be changed by. */
function toFileName(suggested: string): string {
  const last = suggested.split(/[/\\]/).at(-1) ?? '';
  const plain = last.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '').replace(/^[\s.]+/, '');
  // The cut may have halved the last character.
  const name = plain
    .slice(0, MAX_NAME_CHARS)
    .replace(/\p{Cs}$/u, '')
    .trimEnd();
  return name === '' ? 'download' : name;
}

function formatName({ name }: DownloadEntry): string {
  return JSON.stringify(name);
}
