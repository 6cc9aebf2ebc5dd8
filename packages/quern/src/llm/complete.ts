import { ServiceError } from '#kernel/errors.ts';
import type { FairQueue } from '#kernel/fair-queue.ts';

/** A function that a model may call instead of answering; `parameters` is a JSON Schema of type object. */
export type ModelTool = {
  readonly name: string;
  readonly description: string;
  readonly parameters: Readonly<Record<string, unknown>>;
};

/** A tool call as the model wrote it; `input` should be JSON but may be anything. */
export type ToolCall = { readonly id: string; readonly name: string; readonly input: string };

/** One turn of a conversation with a model. */
export type ChatMessage =
  | { readonly role: 'user'; readonly text: string }
  | { readonly role: 'assistant'; readonly text: string; readonly calls: readonly ToolCall[] }
  | { readonly role: 'tool'; readonly call: ToolCall; readonly text: string };

export type Question = {
  /** Instructions of the service; never contains page content. */
  readonly system: string;
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly ModelTool[];
  /** Maximum tokens of the answer. */
  readonly maxTokens: number;
};

/** Token counts reported by the endpoint, else estimated. */
export type Tokens = { readonly input: number; readonly output: number };

export type Completion = {
  /** Empty if the answer consists of tool calls only. */
  readonly text: string;
  readonly calls: readonly ToolCall[];
  /** Whether a content filter or the model refused the question, or the answer is empty. */
  readonly isRefused: boolean;
  /** Whether the answer was cut off at the token limit. */
  readonly isTruncated: boolean;
  readonly tokens: Tokens;
};

/** Asks the model; throws `backend_unavailable`, `timeout` (signal or time of one answer), or the signal's reason. */
export type Complete = (question: Question, signal: AbortSignal) => Promise<Completion>;

/** The language model that the operator configured. */
export type LanguageModel = {
  readonly complete: Complete;
  /** Maximum tokens of a question and its answer together. */
  readonly contextTokens: number;
};

/** A model with the queue that shares the concurrent questions of this process among tenants. */
export type SharedModel = LanguageModel & { readonly turns: FairQueue };

/** The error message if a model is needed and none is configured. */
export const NO_MODEL_MESSAGE = 'no model is configured: the operator sets QUERN_MODEL_URL and QUERN_MODEL';

/** The error for a parameter that needs a model if none is configured. */
export function buildNoModelError(member: string): ServiceError {
  return new ServiceError('backend_unavailable', `${member}: ${NO_MODEL_MESSAGE}`, { retryable: false });
}

/** The sum of two token counts. */
export function addTokens(one: Tokens, other: Tokens): Tokens {
  return { input: one.input + other.input, output: one.output + other.output };
}
