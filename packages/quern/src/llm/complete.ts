import { ServiceError } from '#kernel/errors.ts';
import type { Turns } from '#kernel/turns.ts';

/** A function that a model may call instead of answering; `parameters` is a JSON Schema of type object. */
export type ModelTool = {
  readonly name: string;
  readonly description: string;
  readonly parameters: Readonly<Record<string, unknown>>;
};

/** A call as the model wrote it; `input` is JSON, or what it took for that. */
export type ToolCall = { readonly id: string; readonly name: string; readonly input: string };

/** One turn of a conversation with a model. */
export type ChatMessage =
  | { readonly role: 'user'; readonly text: string }
  | { readonly role: 'assistant'; readonly text: string; readonly calls: readonly ToolCall[] }
  | { readonly role: 'tool'; readonly call: ToolCall; readonly text: string };

export type Question = {
  /** The instructions of the service; nothing of a page stands here. */
  readonly system: string;
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly ModelTool[];
  /** Tokens that the answer may have. */
  readonly maxTokens: number;
};

/** Tokens as the endpoint counts them; estimated where it does not say. */
export type Tokens = { readonly input: number; readonly output: number };

export type Completion = {
  /** Empty where the model only calls. */
  readonly text: string;
  readonly calls: readonly ToolCall[];
  /** Whether a filter or the model itself turned the question down, or nothing was answered. */
  readonly refused: boolean;
  /** Whether the answer ends where its tokens did. */
  readonly cut: boolean;
  readonly tokens: Tokens;
};

/** Asks the model; throws `backend_unavailable`, `timeout` where the signal or the time of one answer is up, or the signal's reason. */
export type Complete = (question: Question, signal: AbortSignal) => Promise<Completion>;

/** The operator's model. */
export type LanguageModel = {
  readonly complete: Complete;
  /** Tokens that a question and its answer may have together. */
  readonly contextTokens: number;
};

/** The same with the places for questions of this process, which tenants take in turn. */
export type SharedModel = LanguageModel & { readonly turns: Turns };

/** The error of an instance without a model where one is needed. */
export const WITHOUT_MODEL = 'no model is configured: the operator sets QUERN_MODEL_URL and QUERN_MODEL';

/** The error of a member that needs a model where there is none. */
export function withoutModelFor(member: string): ServiceError {
  return new ServiceError('backend_unavailable', `${member}: ${WITHOUT_MODEL}`, { retryable: false });
}

/** Both together. */
export function addTokens(one: Tokens, other: Tokens): Tokens {
  return { input: one.input + other.input, output: one.output + other.output };
}
