import type { z } from 'zod';
import type { JsonObject } from '#extract/values/json-object.ts';

/** Flags of a command that are no members of its operation's input; a flag without a hint takes no value. */
export type CommandFlags = Readonly<Record<string, { readonly hint: string | null; readonly about: string }>>;

/** How the command line shows an operation, and which flags it adds to the members of the input. */
export type CommandView = {
  /** The one text that stands for the whole answer; null where none does. */
  readonly toText?: (body: JsonObject) => string | null;
  /** A page of a list as the rows of a table; `now` is in ms, and `noun` names what an empty list lacks. */
  readonly table?: { readonly noun: string; readonly toRows: (body: JsonObject, now: number) => readonly JsonObject[] };
  /** A flag with which the answers that `refuses` finds are not printed, and have an exit code of their own. */
  readonly refusal?: { readonly flag: string; readonly about: string; readonly refuses: (body: JsonObject) => boolean };
  readonly trial?: TrialView;
  readonly download?: DownloadView;
  readonly steps?: StepsView;
  /** Other command lines for the operation. */
  readonly aliases?: readonly CommandAlias[];
  /** What a person should know about an answer beside it, for standard error; null for nothing. */
  readonly toNotice?: (body: JsonObject) => string | null;
  /** Whether an answer shows jobs in the queue, which wait for a service. */
  readonly showsQueued?: (body: JsonObject) => boolean;
};

/** `monitors pause` for `monitors update --no-active`; one that adds nothing needs no summary of its own. */
export type CommandAlias = {
  readonly words: readonly string[];
  readonly adds: readonly string[];
  readonly summary?: string;
};

/** A flag that runs what the input describes once, in place of the operation. */
export type TrialView = {
  readonly flag: string;
  readonly about: string;
  /** The operation to run, by its id, and its input; throws `invalid_request`. */
  readonly toCall: (raw: unknown) => { readonly operation: string; readonly input: JsonObject };
  /** The text for its answer. */
  readonly toText: (
    raw: unknown,
    tried: { readonly operation: { readonly id: string; readonly output: z.ZodType }; readonly body: JsonObject },
  ) => string;
  /** A note that the operation itself was not performed. */
  readonly note: string;
};

export const DOWNLOAD_FORMATS = ['jsonl', 'markdown', 'text', 'json'] as const;

export type DownloadFormat = (typeof DOWNLOAD_FORMATS)[number];

/** A result whose long list is written to a file or folder while its job runs. */
export type DownloadView = {
  /** The member of the result that is the list. */
  readonly list: string;
  /** One element of it: `page`, `URL`. */
  readonly noun: string;
  /** Whether the list grows while the job runs. */
  readonly grows: boolean;
  /** The formats that it can be written in; the first unless the name of the file means another. */
  readonly formats: readonly DownloadFormat[];
  /** Pages that are still to come; null where the input does not bound them. */
  readonly remaining: (
    input: JsonObject,
    progress: { readonly completed: number; readonly pending: number },
  ) => number | null;
};

/** Work that runs as a job and prints each element of its list when that is there, then the answer without the list. */
export type StepsView = {
  /** The member of the result that is the list. */
  readonly list: string;
  readonly toLine: (element: unknown) => string;
  /** Whether the work ended before it was done, so that the command fails; its answer is printed all the same. */
  readonly isUndone: (body: JsonObject) => boolean;
  /** The member of the input whose list may stand in a file. */
  readonly fileMember: string;
};
