import type { Operation } from '#engine/call/operation.ts';
import type { ToolHints, ToolView } from '#engine/call/tool-view.ts';
import type { JsonObject } from '#extract/values/json-object.ts';

/** The arguments of a tool call, before validation. */
export type ToolArguments = Readonly<Record<string, unknown>>;

/** The answer of an operation: a body, or a stream. */
export type OperationReply = { readonly body: JsonObject; readonly stream: AsyncIterable<string | Uint8Array> | null };

/** Calls an operation for a tool; throws `ServiceError`. */
export type CallOperation = (operation: Operation, raw: unknown, signal: AbortSignal) => Promise<OperationReply>;

/** One call of a tool. */
export type AgentCall = {
  readonly ask: (operation: Operation, raw: unknown) => Promise<OperationReply>;
  /** Reports the progress of a job to the client, if it asked for that. */
  readonly reportProgress: (completed: number, total: number | null) => Promise<void>;
  /** Whether the client continues reading an earlier answer. */
  readonly isContinued: boolean;
};

/** The result of a tool: a body, how to show it, and how to read the rest if it is too long. */
export type ToolFinding = {
  readonly body: JsonObject;
  readonly view: Pick<ToolView, 'toShown' | 'facts'>;
  readonly continuation: Continuation;
};

/** The call that continues an answer by `offset` or `cursor`, or else what to do instead. */
type Continuation = { readonly call: string } | { readonly instead: string };

/** A tool as an agent sees it in the list. */
export type ToolDescription = {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: { type: 'object'; properties: Record<string, object>; required: string[] };
  readonly outputSchema: { type: 'object'; properties: Record<string, object> };
  readonly annotations: ToolHints;
};

/** A tool and the function that runs it. */
export type McpTool = {
  /** Its purpose in a few words. */
  readonly task: string;
  readonly description: ToolDescription;
  /** Formats all parameters of the tool as text. */
  readonly writeGrammar: () => string;
  /** Throws `ServiceError`. */
  readonly run: (args: ToolArguments, call: AgentCall) => Promise<ToolFinding>;
};
