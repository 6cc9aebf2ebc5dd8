import type { Operation } from '#engine/call/operation.ts';
import type { ToolHints, ToolView } from '#engine/call/tool-view.ts';
import type { JsonObject } from '#extract/values/json-object.ts';

export type ToolArguments = Readonly<Record<string, unknown>>;

/** The answer of an operation: a body, or a stream instead of one. */
export type OperationReply = { readonly body: JsonObject; readonly stream: AsyncIterable<string | Uint8Array> | null };

/** The way from a tool to the gate; throws `ServiceError`. */
export type CallOperation = (operation: Operation, raw: unknown, signal: AbortSignal) => Promise<OperationReply>;

/** One call of a tool. */
export type AgentCall = {
  readonly ask: (operation: Operation, raw: unknown) => Promise<OperationReply>;
  /** Tells the client how far a job has come, where it wants to know. */
  readonly reportProgress: (completed: number, total: number | null) => Promise<void>;
  /** Whether the client reads on in an answer that it has the beginning of. */
  readonly isContinued: boolean;
};

/** What a tool found: a body, how it is shown, and how its end is had where it is too long. */
export type ToolFinding = {
  readonly body: JsonObject;
  readonly view: Pick<ToolView, 'toShown' | 'facts'>;
  readonly continuation: Continuation;
};

/** The call that reads an answer on by `offset` or `cursor`, or, where none does, another way to the whole. */
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

export type McpTool = {
  /** What it is for, in a few words. */
  readonly task: string;
  readonly description: ToolDescription;
  /** All that the tool takes, as text. */
  readonly writeGrammar: () => string;
  /** Throws `ServiceError`. */
  readonly run: (given: ToolArguments, call: AgentCall) => Promise<ToolFinding>;
};
