import type { JsonObject } from '#extract/values/json-object.ts';

/** A tool in the list of an agent. Operations with the same tool are its actions. */
export type Tool = {
  /** Without dots, which some clients reject. */
  readonly name: string;
  readonly title: string;
  /** Its purpose in a few words, for the instructions that list all tools. */
  readonly task: string;
  /** The description. Its first sentence says when to use the tool. */
  readonly about: string;
  readonly hints: ToolHints;
  /** Whether several operations share it, each as an `action` named by the last word of its id. */
  readonly hasActions?: true;
};

/** What a call may do, for clients that ask the user before risky calls. */
export type ToolHints = {
  readonly readOnlyHint: boolean;
  /** For tools that write: whether they may delete or overwrite. */
  readonly destructiveHint?: boolean;
  /** Whether it accesses the web. */
  readonly openWorldHint: boolean;
};

export const READS_WEB: ToolHints = { readOnlyHint: true, openWorldHint: true };
export const READS_OWN: ToolHints = { readOnlyHint: true, openWorldHint: false };
export const CHANGES: ToolHints = { readOnlyHint: false, destructiveHint: true, openWorldHint: true };

/** How an operation appears as a tool. Without it, work is a tool named by its id, and other operations are no tool. */
export type ToolView = {
  /** Null if the operation is no tool: it only supports other tools, or is a site endpoint. */
  readonly tool: Tool | null;
  /** Whether agents find and call it through the tool for site endpoints. */
  readonly isEndpoint?: true;
  /**
   * Parameters that the tool list shows, each with a short description; null uses that of the input schema. Other
   * parameters are accepted too.
   */
  readonly members?: Readonly<Record<string, string | null>>;
  /** Converts what an agent sends to the input of the operation. */
  readonly toInput?: (given: JsonObject) => JsonObject;
  /** Whether it runs as a job, whose result can be read in parts. */
  readonly asJob?: true;
  /** The input to read the next part of the same response cheaply. Control operations need none. */
  readonly toReadOn?: (input: JsonObject) => JsonObject;
  /** The part of the response that the agent sees, in this order. */
  readonly toShown?: (body: JsonObject) => JsonObject;
  /** Shown fields that are also returned as structured content, with their JSON types. */
  readonly facts?: Readonly<Record<string, 'string' | 'integer' | 'boolean'>>;
  /** The role of the operation when other work runs as a job. */
  readonly serves?: 'submit' | 'show' | 'result' | 'file';
};
