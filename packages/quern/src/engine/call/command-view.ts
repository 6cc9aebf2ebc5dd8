import type { z } from 'zod';
import type { JsonObject } from '#extract/values/json-object.ts';

/** Flags of a command in addition to the parameters of its operation. A flag with hint null takes no value. */
export type CommandFlags = Readonly<Record<string, { readonly hint: string | null; readonly about: string }>>;

/** How the command line presents an operation, and the flags it adds. */
export type CommandView = {
  /** The text to print instead of the JSON body; null if there is none. */
  readonly toText?: (body: JsonObject) => string | null;
  /** How to print a list as a table. `now` is in ms; `noun` is used for an empty list ("no jobs"). */
  readonly table?: { readonly noun: string; readonly toRows: (body: JsonObject, now: number) => readonly JsonObject[] };
  /** A flag that suppresses the output and sets an exit code if `refuses` returns true. */
  readonly refusal?: { readonly flag: string; readonly about: string; readonly refuses: (body: JsonObject) => boolean };
  readonly trial?: TrialView;
  readonly download?: DownloadView;
  readonly steps?: StepsView;
  /** The parameter whose list may be read from a file: `@FILE`, or `@-` for standard input. */
  readonly fileMember?: string;
  /** Other commands for the operation. */
  readonly aliases?: readonly CommandAlias[];
  /** A note for standard error; null if there is none. */
  readonly toNotice?: (body: JsonObject) => string | null;
  /** Whether the body contains queued jobs, which need a running service. */
  readonly showsQueued?: (body: JsonObject) => boolean;
};

/** `monitors pause` for `monitors update --no-active`. An alias that adds no flags needs no summary. */
export type CommandAlias = {
  readonly words: readonly string[];
  readonly adds: readonly string[];
  readonly summary?: string;
};

/** The id and input of the operation that a trial runs. `toText` formats its response. */
type TrialRun = {
  readonly operation: string;
  readonly input: JsonObject;
  readonly toText: (tried: {
    readonly operation: { readonly id: string; readonly output: z.ZodType };
    readonly body: JsonObject;
  }) => string;
};

/** A flag for a trial run: it runs what the input describes once instead of the operation. */
export type TrialView = {
  readonly flag: string;
  readonly about: string;
  /** Validates the input, since the operation itself is not called. Throws `invalid_request`. */
  readonly prepare: (raw: unknown) => TrialRun;
  /** A note that the operation itself was not performed. */
  readonly note: string;
};

export const DOWNLOAD_FORMATS = ['jsonl', 'markdown', 'text', 'json'] as const;

export type DownloadFormat = (typeof DOWNLOAD_FORMATS)[number];

/** How to download a result whose long list is written to a file or folder while its job runs. */
export type DownloadView = {
  /** The name of the list in the result. */
  readonly list: string;
  /** What an element is called: `page`, `URL`. */
  readonly noun: string;
  /** Whether the list grows while the job runs. */
  readonly grows: boolean;
  /** The supported formats. The first is the default, unless the file name implies another. */
  readonly formats: readonly DownloadFormat[];
  /** The number of elements still to come; null if the input sets no limit. */
  readonly remaining: (
    input: JsonObject,
    progress: { readonly completed: number; readonly pending: number },
  ) => number | null;
};

/** Work that runs as a job. Each element of its list is printed as it arrives, then the rest of the response. */
export type StepsView = {
  /** The name of the list in the result. */
  readonly list: string;
  readonly toLine: (element: unknown) => string;
  /** Whether the work ended early, so that the command fails. The response is printed anyway. */
  readonly isUndone: (body: JsonObject) => boolean;
};
