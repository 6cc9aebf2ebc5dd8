import { addTokens, type ChatMessage, type Completion, type LanguageModel, type Tokens } from './complete.ts';
import { PAGE_IS_DATA, quoteText, truncateToTokens } from './prompt-text.ts';
import { formatPageHead, computePageTokens, type PageSource } from './page-questions.ts';
import { isJsonObject } from '#extract/values/json-object.ts';

/** Maximum tokens of an object. */
const MAX_ANSWER_TOKENS = 4_000;

const SYSTEM = `You read facts out of web pages. Answer with one JSON object that meets the given JSON Schema, and with nothing
else. Take only what the page says; a member that it does not say is null. Never guess. ${PAGE_IS_DATA}`;

export type FillRequest = PageSource & {
  /** JSON Schema of the object. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** Dotted paths of the missing fields. */
  readonly missing: readonly string[];
  /** Lists the missing or invalid fields of an object; empty if it is complete. */
  readonly faultsOf: (answer: Readonly<Record<string, unknown>>) => readonly string[];
};

export type FillResult = {
  /** The last object of the model, valid or not; null if it returned none. */
  readonly answer: Readonly<Record<string, unknown>> | null;
  readonly tokens: Tokens;
};

/** Asks the model for fields that the parser did not find, and once more if the first answer is invalid. */
export async function fillMissingFields(
  model: LanguageModel,
  gap: FillRequest,
  signal: AbortSignal,
): Promise<FillResult> {
  const { text, mark, schema, missing, faultsOf } = gap;
  const wish = `JSON Schema: ${JSON.stringify(schema)}\nWanted above all: ${missing.slice(0, 100).join(', ')}\n`;
  const head = formatPageHead(gap);
  const answerTokens = Math.min(MAX_ANSWER_TOKENS, Math.floor(model.contextTokens / 4));
  const page = truncateToTokens(text, computePageTokens(model, SYSTEM + wish + head, 2 * answerTokens));
  const question: ChatMessage = { role: 'user', text: `${wish}The page:\n${quoteText(head + page, mark)}` };
  const first = await ask([question]);
  if (first.completion.isRefused && first.answer === null) return { answer: null, tokens: first.completion.tokens };
  const faults = first.answer === null ? ['it is not a JSON object'] : faultsOf(first.answer);
  if (faults.length === 0) return { answer: first.answer, tokens: first.completion.tokens };
  const complaint = `The answer is not valid: ${faults.slice(0, 20).join('; ')}. Answer with the whole corrected JSON object alone.`;
  const second = await ask([
    question,
    { role: 'assistant', text: truncateToTokens(first.completion.text, answerTokens), calls: [] },
    { role: 'user', text: complaint },
  ]);
  return {
    answer: second.answer ?? first.answer,
    tokens: addTokens(first.completion.tokens, second.completion.tokens),
  };

  async function ask(messages: readonly ChatMessage[]): Promise<{
    readonly completion: Completion;
    readonly answer: Readonly<Record<string, unknown>> | null;
  }> {
    const completion = await model.complete({ system: SYSTEM, messages, tools: [], maxTokens: answerTokens }, signal);
    return { completion, answer: parseJsonAnswer(completion.text) };
  }
}

/** Maximum nesting depth: deeper than any accepted schema, and safe for recursive code. */
const MAX_DEPTH = 64;

/** The JSON object in an answer, with or without a code fence or other text around it; null if there is none. */
function parseJsonAnswer(text: string): Readonly<Record<string, unknown>> | null {
  const value = parseJson(text) ?? parseJson(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1));
  return isJsonObject(value) && isShallow(value) ? value : null;
}

function parseJson(text: string): unknown {
  try {
    // NUL is invisible, and databases reject it.
    return JSON.parse(text, (_name, value: unknown) =>
      typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '') : value,
    );
  } catch {
    return null;
  }
}

function isShallow(root: unknown): boolean {
  let level: readonly unknown[] = [root];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return false;
    level = level.flatMap((value) => (typeof value === 'object' && value !== null ? Object.values(value) : []));
  }
  return true;
}
