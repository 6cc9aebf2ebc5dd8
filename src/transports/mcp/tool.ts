import type { Operation } from '#engine/call/operation.ts';

export type Arguments = Readonly<Record<string, unknown>>;

/** An operation with its raw input, or an answer that needs none. */
type Choice =
  | { readonly operation: Operation; readonly raw: Arguments }
  | { readonly found: Readonly<Record<string, unknown>> };

/** A tool as an agent sees it in the list. */
type ToolDescription = {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: { type: 'object'; properties: Record<string, object>; required: string[] };
};

export type McpTool = {
  readonly described: ToolDescription;
  /** The operation that the arguments name, and its raw input; throws `McpError`. */
  readonly choose: (given: Arguments) => Choice;
};
