import type { OpenAICompatibleChatLanguageModel } from '@ai-sdk/openai-compatible';
import { isJsonObject } from '#extract/values/json-object.ts';
import type { Completion, ChatMessage, Question, ModelTool } from './complete.ts';
import { estimateTokens } from './tokens.ts';

/** How the endpoint calls the bound on an answer: newer models refuse the older name. */
export type LimitName = 'max_tokens' | 'max_completion_tokens';

type Options = Parameters<OpenAICompatibleChatLanguageModel['prepareRequest']>[0];
type Generated = Awaited<ReturnType<OpenAICompatibleChatLanguageModel['convertResponse']>>;

/** Translates questions and answers to and from chat completions. */
export type ChatDialect = {
  readonly write: (question: Question, limitName: LimitName) => Promise<string>;
  /** Throws for what is no chat completion. */
  readonly read: (text: string, question: Question) => Promise<Completion>;
};

/** Loads the translator: 25 MB that a service without a model, or with one that nobody asks, does not spend. */
export async function loadDialect(model: string): Promise<ChatDialect> {
  const { OpenAICompatibleChatLanguageModel: ChatModel } = await import('@ai-sdk/openai-compatible');
  // It translates only: what goes over the wire and what comes back is ours.
  const chat = new ChatModel(model, { provider: 'model', headers: () => ({}), url: () => '' });
  return {
    async write(question, limitName) {
      const { body } = await chat.prepareRequest(toOptions(question));
      const { max_tokens: limit, ...rest } = body;
      return JSON.stringify({ ...rest, [limitName]: limit });
    },
    async read(text, question) {
      const body = withCallsInForm(JSON.parse(text));
      return toCompletion(await chat.convertResponse({ body }), question);
    },
  };
}

function toOptions({ system, messages, tools, maxTokens }: Question): Options {
  return {
    prompt: [{ role: 'system', content: system }, ...messages.map(toTurn)],
    maxOutputTokens: maxTokens,
    ...(tools.length === 0 ? {} : { tools: tools.map(toFunction), toolChoice: { type: 'auto' } }),
  };
}

function toTurn(message: ChatMessage): Options['prompt'][number] {
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
        input: parsedInput(input),
      })),
    ],
  };
}

function toFunction({ name, description, parameters }: ModelTool): NonNullable<Options['tools']>[number] {
  return { type: 'function', name, description, inputSchema: parameters };
}

/** Endpoints refuse a history whose calls are no JSON objects, whoever wrote them. */
function parsedInput(input: string): unknown {
  try {
    const value: unknown = JSON.parse(input);
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}

/**
 * The answer with each call of a tool in its form: a name, and its input as text. Models write inputs as objects, or leave
 * parts out; who asked tells the model what is wrong with the call.
 */
function withCallsInForm(body: unknown): unknown {
  if (!isJsonObject(body) || !Array.isArray(body['choices'])) return body;
  const choices = body['choices'].map((choice: unknown) => {
    const message = isJsonObject(choice) ? choice['message'] : null;
    if (!isJsonObject(choice) || !isJsonObject(message) || !('tool_calls' in message)) return choice;
    const { tool_calls: calls, ...rest } = message;
    const called = Array.isArray(calls) && calls.length > 0 ? { tool_calls: calls.map(toCallInForm) } : {};
    return { ...choice, message: { ...rest, ...called } };
  });
  return { ...body, choices };
}

function toCallInForm(call: unknown, at: number) {
  const { id, function: given } = isJsonObject(call) ? call : {};
  const { name, arguments: input } = isJsonObject(given) ? given : {};
  const text = typeof input === 'string' ? input : JSON.stringify(input ?? {});
  return {
    id: typeof id === 'string' && id !== '' ? id : `call_${at}`,
    type: 'function',
    function: { name: typeof name === 'string' ? name : '', arguments: text },
  };
}

function toCompletion({ content, finishReason, usage }: Generated, question: Question): Completion {
  const said = content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
  const text = withoutThoughts(said).trim();
  const calls = content.flatMap((part) =>
    part.type === 'tool-call' ? [{ id: part.toolCallId, name: part.toolName, input: part.input }] : [],
  );
  const asked = question.system + question.messages.map((message) => message.text).join('');
  return {
    text,
    calls,
    refused: finishReason.unified === 'content-filter' || (text === '' && calls.length === 0),
    cut: finishReason.unified === 'length',
    tokens: {
      input: usage.inputTokens.total ?? estimateTokens(asked),
      output: usage.outputTokens.total ?? estimateTokens(said),
    },
  };
}

/** Reasoning that some models write before their answer. */
function withoutThoughts(text: string): string {
  if (!text.trimStart().startsWith('<think>')) return text;
  const end = text.lastIndexOf('</think>');
  return end < 0 ? '' : text.slice(end + '</think>'.length);
}
