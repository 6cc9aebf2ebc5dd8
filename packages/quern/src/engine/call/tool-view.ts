import type { JsonObject } from '#extract/values/json-object.ts';

/** A tool in the list of an agent; operations that name the same one are its actions. */
export type Tool = {
  /** Without dots, which some clients refuse. */
  readonly name: string;
  readonly title: string;
  /** What it is for in a few words, for the instructions that name all tools. */
  readonly task: string;
  /** Its first sentence says when to use it. */
  readonly about: string;
  readonly hints: ToolHints;
  /** Whether operations share it, each an `action` named by the last word of its id. */
  readonly hasActions?: true;
};

/** What a call may do, for clients that ask their user before some calls. */
export type ToolHints = {
  readonly readOnlyHint: boolean;
  /** Of what is not read-only: whether it may delete or overwrite. */
  readonly destructiveHint?: boolean;
  /** Whether it reaches the web beyond this service. */
  readonly openWorldHint: boolean;
};

export const READS_WEB: ToolHints = { readOnlyHint: true, openWorldHint: true };
export const READS_OWN: ToolHints = { readOnlyHint: true, openWorldHint: false };
export const CHANGES: ToolHints = { readOnlyHint: false, destructiveHint: true, openWorldHint: true };

/** How agents meet an operation. Work without one is a tool by its id; other operations without one are no tool. */
export type ToolView = {
  /** Null for an operation that is none: it only serves others, or is one of the endpoints. */
  readonly tool: Tool | null;
  /** Whether agents find and call it among the endpoints of sites. */
  readonly isEndpoint?: true;
  /** Members of the input that the list shows, each with its meaning there, null for that of the input; all others are taken too. */
  readonly members?: Readonly<Record<string, string | null>>;
  /** The input of the operation for what an agent sends. */
  readonly toInput?: (given: JsonObject) => JsonObject;
  /** Whether it runs as a job, whose result can be read on piece by piece. */
  readonly asJob?: true;
  /** The input with which the same answer is read on at little cost; control operations need none. */
  readonly toReadOn?: (input: JsonObject) => JsonObject;
  /** The part of an answer that an agent is shown, in its order. */
  readonly toShown?: (body: JsonObject) => JsonObject;
  /** Members of what is shown that programs get beside the text, with their JSON types. */
  readonly facts?: Readonly<Record<string, 'string' | 'integer' | 'boolean'>>;
  /** The part of the operation in running other work as a job, and in reading its files. */
  readonly serves?: 'submit' | 'show' | 'result' | 'file';
};
