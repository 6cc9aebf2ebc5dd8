import type { OpenAICompatibleChatLanguageModel } from '@ai-sdk/openai-compatible';
import { isJsonObject } from '#extract/values/json-object.ts';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';
import { ServiceError } from '#kernel/errors.ts';
import { createFairQueue } from '#kernel/fair-queue.ts';
import {
  addTokens,
  type ChatMessage,
  type Completion,
  type ModelTool,
  type Question,
  type SharedModel,
  type Tokens,
} from './complete.ts';
import { estimateTokens } from './prompt-text.ts';
import {
  ResponseTooLarge,
  createEndpointClient,
  type EndpointResponse,
  type EndpointLimits,
} from './endpoint-client.ts';

/** Concurrent questions of one process; one more is allowed for a tenant while another one uses all. */
const MAX_CONCURRENT_QUESTIONS = 8;

export type ModelLimits = EndpointLimits & {
  /** Attempts of one question while the endpoint is busy or the connection breaks. */
  readonly maxAttempts: number;
  /** Wait before the second attempt, ms; it doubles after that. */
  readonly retryWaitMs: number;
  /** Longest wait, ms; if `Retry-After` is longer, the question fails. */
  readonly maxRetryWaitMs: number;
};

export const MODEL_LIMITS: ModelLimits = {
  connectMs: 5_000,
  answerMs: 120_000,
  answerBytes: 4 * 1024 * 1024,
  maxAttempts: 3,
  retryWaitMs: 500,
  maxRetryWaitMs: 15_000,
};

export type ModelOptions = {
  /** The base of the API, such as `http://127.0.0.1:11434/v1`. */
  readonly url: string;
  readonly key: string | null;
  readonly model: string;
  readonly contextTokens: number;
  readonly limits: ModelLimits;
  /** A number from 0 to below 1, for the jitter of retries. */
  readonly random: () => number;
  /** Logs details that callers do not see. */
  readonly report: Report;
  /** Logs text that may quote a page or a question, at level `debug` only. */
  readonly reportText: Report;
};

type Report = (message: string, facts: Readonly<Record<string, unknown>>) => void;

/** Totals of all questions since the start. */
export type ModelTotals = Tokens & { readonly answered: number; readonly failed: number };

export type ModelClient = SharedModel & {
  readonly totals: () => ModelTotals;
  readonly close: () => Promise<void>;
};

type EndpointFailure = {
  readonly message: string;
  readonly isTransient: boolean;
  readonly retryAfterSeconds: number | null;
  readonly cause?: unknown;
};

/** Creates a client for an OpenAI-compatible endpoint (`POST …/chat/completions`); it connects on the first question. */
export function createModelClient(options: ModelOptions): ModelClient {
  const { contextTokens, limits, random } = options;
  const endpoint = new ChatEndpoint(options);
  let totals: ModelTotals = { answered: 0, failed: 0, input: 0, output: 0 };

  async function complete(question: Question, signal: AbortSignal): Promise<Completion> {
    signal.throwIfAborted();
    for (let attempt = 1; ; attempt++) {
      const got = await endpoint.attempt(question, signal);
      if ('tokens' in got) {
        totals = { ...totals, ...addTokens(totals, got.tokens), answered: totals.answered + 1 };
        return got;
      }
      if (!got.isTransient || attempt >= limits.maxAttempts) throw toUnavailable(got);
      const own = limits.retryWaitMs * 2 ** (attempt - 1) * (0.5 + random() / 2);
      const waitMs = Math.max(own, (got.retryAfterSeconds ?? 0) * 1000);
      if (waitMs > limits.maxRetryWaitMs) throw toUnavailable(got);
      await SYSTEM_CLOCK.sleep(waitMs, signal).catch(() => signal.throwIfAborted());
    }
  }

  return {
    contextTokens,
    turns: createFairQueue({ places: MAX_CONCURRENT_QUESTIONS, spare: 1, clock: SYSTEM_CLOCK }),
    async complete(question, signal) {
      try {
        return await complete(question, signal);
      } catch (error) {
        totals = { ...totals, failed: totals.failed + 1 };
        throw toTimeoutError(error);
      }
    },
    totals: () => totals,
    close: async () => endpoint.close(),
  };
}

/** Sends single attempts of a question, parses the answer and classifies failures. */
class ChatEndpoint {
  readonly #options: ModelOptions;
  readonly #wire: ReturnType<typeof createEndpointClient>;
  readonly #url: string;
  #dialect: Promise<ChatTranslator> | null = null;
  /** The parameter by which the endpoint accepts the token limit of an answer. */
  #limitName: TokenLimitName = 'max_tokens';

  constructor(options: ModelOptions) {
    this.#options = options;
    this.#wire = createEndpointClient(options.limits);
    this.#url = `${options.url.replace(/\/+$/, '')}/chat/completions`;
  }

  async close(): Promise<void> {
    await this.#wire.close();
  }

  /** Throws `timeout` if one answer takes too long, or the signal's reason. */
  async attempt(question: Question, signal: AbortSignal): Promise<Completion | EndpointFailure> {
    const { model, limits, report, reportText } = this.#options;
    this.#dialect ??= loadChatTranslator(model);
    const dialect = await this.#dialect;
    try {
      const answer = await this.#post(dialect, question, signal);
      if (answer.status !== 200) {
        const { type, code } = parseRefusal(answer.text);
        report('the model endpoint rejected a request', { status: answer.status, type, code });
        reportText('the response of the model endpoint', { said: this.#masked(answer.text) });
        return toEndpointFailure(answer);
      }
      return await dialect.read(answer.text, question).catch((error: unknown) => {
        report('the model endpoint did not answer with a chat completion', { bytes: Buffer.byteLength(answer.text) });
        reportText('the response of the model endpoint', { said: this.#masked(answer.text) });
        return buildEndpointFailure('does not answer with a chat completion', error);
      });
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof DOMException && error.name === 'TimeoutError') {
        const message = `the model did not answer within ${limits.answerMs / 1000} s`;
        throw new ServiceError('timeout', message, { cause: error });
      }
      if (error instanceof ResponseTooLarge)
        return { ...buildEndpointFailure('returned too large a response', error), isTransient: false };
      report('the request to the model endpoint failed', { err: error });
      return buildEndpointFailure('cannot be reached, or closed the connection', error);
    }
  }

  async #post(dialect: ChatTranslator, question: Question, signal: AbortSignal): Promise<EndpointResponse> {
    const name = this.#limitName;
    const answer = await this.#send(dialect, { question, limitName: name }, signal);
    if (answer.status !== 400 || !isNameRefused(parseRefusal(answer.text), name)) return answer;
    const limitName = name === 'max_tokens' ? 'max_completion_tokens' : 'max_tokens';
    const second = await this.#send(dialect, { question, limitName }, signal);
    if (second.status === 400) return answer;
    // The text of a refusal may come from a page; only an answered question proves which name the endpoint accepts.
    if (second.status === 200) this.#limitName = limitName;
    return second;
  }

  async #send(
    dialect: ChatTranslator,
    { question, limitName }: { readonly question: Question; readonly limitName: TokenLimitName },
    signal: AbortSignal,
  ): Promise<EndpointResponse> {
    const { key } = this.#options;
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json',
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
    };
    const body = await dialect.write(question, limitName);
    return this.#wire.send({ url: this.#url, headers, body, signal });
  }

  /** The beginning of an answer for the log, in one line; the key is masked, because some endpoints repeat it. */
  #masked(text: string): string {
    const { key } = this.#options;
    const bare = key === null ? text : text.replaceAll(key, '********');
    return bare.slice(0, 500).replaceAll(/\p{Cc}+/gu, ' ');
  }
}

/** The identifying fields of an error of the endpoint; `message` may quote the question. */
type Refusal = {
  readonly type: string | null;
  readonly code: string | null;
  readonly param: string | null;
  readonly message: string;
};

const ERROR_WORD = /^[\w.-]{1,64}$/;

function parseRefusal(text: string): Refusal {
  const body = parseJson(text);
  const error = isJsonObject(body) && isJsonObject(body['error']) ? body['error'] : {};
  const wordAt = (name: string): string | null => {
    const value = error[name];
    return typeof value === 'string' && ERROR_WORD.test(value) ? value : null;
  };
  const { message } = error;
  return {
    type: wordAt('type'),
    code: wordAt('code'),
    param: wordAt('param'),
    message: typeof message === 'string' ? message : '',
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Whether the endpoint rejected the name of the token limit, by `param` or else by the beginning of the message. */
function isNameRefused({ param, code, message }: Refusal, name: TokenLimitName): boolean {
  if (param === null) return UNSUPPORTED_MESSAGE.exec(message)?.[1] === name;
  return param === name && (code === null || UNKNOWN_PARAMETER_CODE.test(code));
}

/** Other codes, such as `invalid_value`, reject the number and not the name. */
const UNKNOWN_PARAMETER_CODE = /^(?:unsupported|unknown|unrecognized)/;
const UNSUPPORTED_MESSAGE =
  /^(?:unsupported parameter|unknown parameter|unrecognized request argument supplied): ['"`]?(max_tokens|max_completion_tokens)\b/i;

function buildEndpointFailure(what: string, cause: unknown): EndpointFailure {
  return { message: `the model endpoint ${what}`, isTransient: true, retryAfterSeconds: null, cause };
}

function toEndpointFailure({ status, retryAfterSeconds }: EndpointResponse): EndpointFailure {
  const isPassing = status === 408 || status === 409 || status === 425 || status === 429 || status >= 500;
  return { message: `the model endpoint ${formatStatus(status)}`, isTransient: isPassing, retryAfterSeconds };
}

function formatStatus(status: number): string {
  if (status === 401 || status === 403) return `rejects QUERN_MODEL_KEY (${status})`;
  if (status === 404) return 'was not found: check QUERN_MODEL_URL and QUERN_MODEL (404)';
  if (status >= 300 && status < 400)
    return `redirects (${status}), which is not followed: set QUERN_MODEL_URL to the new URL`;
  if (status === 429) return 'is overloaded (429)';
  return status >= 500
    ? `fails (${status})`
    : `rejects the request (${status}): set QUERN_LOG_LEVEL=debug to log its message`;
}

function toUnavailable({ message, isTransient, retryAfterSeconds, cause }: EndpointFailure): ServiceError {
  const wait = retryAfterSeconds === null ? {} : { retryAfterSeconds };
  return new ServiceError('backend_unavailable', message, { retryable: isTransient, cause, ...wait });
}

/** Turns a timeout of the whole call into an error that mentions the model. */
function toTimeoutError(error: unknown): unknown {
  if (!(error instanceof DOMException) || error.name !== 'TimeoutError') return error;
  return new ServiceError('timeout', 'the model did not answer in time: use a larger timeout_ms', { cause: error });
}

/** The parameter for the token limit of an answer: newer models reject the older name. */
type TokenLimitName = 'max_tokens' | 'max_completion_tokens';

type ChatOptions = Parameters<OpenAICompatibleChatLanguageModel['prepareRequest']>[0];
type ChatResponse = Awaited<ReturnType<OpenAICompatibleChatLanguageModel['convertResponse']>>;

/** Translates questions and answers to and from chat completions. */
type ChatTranslator = {
  readonly write: (question: Question, limitName: TokenLimitName) => Promise<string>;
  /** Throws if the text is not a chat completion. */
  readonly read: (text: string, question: Question) => Promise<Completion>;
};

/** Loads the translator on demand: it takes 25 MB, which a service that never asks a model can save. */
async function loadChatTranslator(model: string): Promise<ChatTranslator> {
  const { OpenAICompatibleChatLanguageModel: ChatModel } = await import('@ai-sdk/openai-compatible');
  // The library only translates; requests are sent by our own HTTP client.
  const chat = new ChatModel(model, { provider: 'model', headers: () => ({}), url: () => '' });
  return {
    async write(question, limitName) {
      const { body } = await chat.prepareRequest(toOptions(question));
      const { max_tokens: limit, ...rest } = body;
      return JSON.stringify({ ...rest, [limitName]: limit });
    },
    async read(text, question) {
      const body = normalizeToolCalls(JSON.parse(text));
      return toCompletion(await chat.convertResponse({ body }), question);
    },
  };
}

function toOptions({ system, messages, tools, maxTokens }: Question): ChatOptions {
  return {
    prompt: [{ role: 'system', content: system }, ...messages.map(toChatTurn)],
    maxOutputTokens: maxTokens,
    ...(tools.length === 0 ? {} : { tools: tools.map(toFunction), toolChoice: { type: 'auto' } }),
  };
}

function toChatTurn(message: ChatMessage): ChatOptions['prompt'][number] {
  if (message.role === 'user') return { role: 'user', content: [{ type: 'text', text: message.text }] };
  if (message.role === 'tool') {
    const { call, text } = message;
    const output = { type: 'text' as const, value: text };
    return {
      role: 'tool',
      content: [{ type: 'tool-result', toolCallId: call.id, toolName: call.name, output }],
    };
  }
  return {
    role: 'assistant',
    content: [
      ...(message.text === '' ? [] : [{ type: 'text' as const, text: message.text }]),
      ...message.calls.map(({ id, name, input }) => ({
        type: 'tool-call' as const,
        toolCallId: id,
        toolName: name,
        input: parseToolInput(input),
      })),
    ],
  };
}

function toFunction({ name, description, parameters }: ModelTool): NonNullable<ChatOptions['tools']>[number] {
  return { type: 'function', name, description, inputSchema: parameters };
}

/** The input of a tool call, or `{}`: endpoints reject a history whose inputs are not JSON objects. */
function parseToolInput(input: string): unknown {
  try {
    const value: unknown = JSON.parse(input);
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}

/**
 * Normalizes the tool calls of an answer to an id, a name and the input as text. Some models write inputs as objects or leave
 * fields out; the caller then tells the model what is wrong with the call.
 */
function normalizeToolCalls(body: unknown): unknown {
  if (!isJsonObject(body) || !Array.isArray(body['choices'])) return body;
  const choices = body['choices'].map((choice: unknown) => {
    const message = isJsonObject(choice) ? choice['message'] : null;
    if (!isJsonObject(choice) || !isJsonObject(message) || !('tool_calls' in message)) return choice;
    const { tool_calls: calls, ...rest } = message;
    const called = Array.isArray(calls) && calls.length > 0 ? { tool_calls: calls.map(normalizeToolCall) } : {};
    return { ...choice, message: { ...rest, ...called } };
  });
  return { ...body, choices };
}

function normalizeToolCall(call: unknown, at: number) {
  const { id, function: calledFunction } = isJsonObject(call) ? call : {};
  const { name, arguments: input } = isJsonObject(calledFunction) ? calledFunction : {};
  const text = typeof input === 'string' ? input : JSON.stringify(input ?? {});
  return {
    id: typeof id === 'string' && id !== '' ? id : `call_${at}`,
    type: 'function',
    function: { name: typeof name === 'string' ? name : '', arguments: text },
  };
}

function toCompletion({ content, finishReason, usage }: ChatResponse, question: Question): Completion {
  const output = content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
  const text = dropThoughts(output).trim();
  const calls = content.flatMap((part) =>
    part.type === 'tool-call' ? [{ id: part.toolCallId, name: part.toolName, input: part.input }] : [],
  );
  const prompt = question.system + question.messages.map((message) => message.text).join('');
  return {
    text,
    calls,
    isRefused: finishReason.unified === 'content-filter' || (text === '' && calls.length === 0),
    isTruncated: finishReason.unified === 'length',
    tokens: {
      input: usage.inputTokens.total ?? estimateTokens(prompt),
      output: usage.outputTokens.total ?? estimateTokens(output),
    },
  };
}

/** Removes the `<think>` block that some models write before their answer. */
function dropThoughts(text: string): string {
  if (!text.trimStart().startsWith('<think>')) return text;
  const end = text.lastIndexOf('</think>');
  return end < 0 ? '' : text.slice(end + '</think>'.length);
}
