import { addTokens } from './complete.ts';
import type { Completion, Message, Model, Tokens } from './complete.ts';
import { readJsonAnswer } from './json-answer.ts';
import { PAGE_IS_DATA, quote } from './quoting.ts';
import { headOf, roomFor } from './summary.ts';
import type { Passage } from './summary.ts';
import { withinTokens } from './tokens.ts';

/** Tokens of an object. */
const ANSWER_TOKENS = 4_000;

const SYSTEM = `You read facts out of web pages. Answer with one JSON object that meets the given JSON Schema, and with nothing
else. Take only what the page says; a member that it does not say is null. Never guess. ${PAGE_IS_DATA}`;

export type Gap = Passage & {
  /** JSON Schema of the object. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** Dotted paths of the members that are wanted. */
  readonly missing: readonly string[];
  /** What an object still lacks, or has wrong; empty where it will do. */
  readonly faultsOf: (answer: Readonly<Record<string, unknown>>) => readonly string[];
};

export type Filling = {
  /** The last object that the model gave, whether or not it will do; null where it gave none. */
  readonly answer: Readonly<Record<string, unknown>> | null;
  readonly tokens: Tokens;
};

/** Asks for the members that a page does not give away by itself, and once more when the first answer will not do. */
export async function fillGap(model: Model, gap: Gap, signal: AbortSignal): Promise<Filling> {
  const { text, mark, schema, missing, faultsOf } = gap;
  const wish = `JSON Schema: ${JSON.stringify(schema)}\nWanted above all: ${missing.slice(0, 100).join(', ')}\n`;
  const head = headOf(gap);
  const answerTokens = Math.min(ANSWER_TOKENS, Math.floor(model.contextTokens / 4));
  const page = withinTokens(text, roomFor(model, SYSTEM + wish + head, 2 * answerTokens));
  const asked: Message = { role: 'user', text: `${wish}The page:\n${quote(head + page, mark)}` };
  const first = await ask([asked]);
  if (first.completion.refused && first.answer === null) return { answer: null, tokens: first.completion.tokens };
  const faults = first.answer === null ? ['it is no JSON object'] : faultsOf(first.answer);
  if (faults.length === 0) return { answer: first.answer, tokens: first.completion.tokens };
  const complaint = `That will not do: ${faults.slice(0, 20).join('; ')}. Answer with the whole corrected JSON object alone.`;
  const second = await ask([
    asked,
    { role: 'assistant', text: withinTokens(first.completion.text, answerTokens), calls: [] },
    { role: 'user', text: complaint },
  ]);
  return {
    answer: second.answer ?? first.answer,
    tokens: addTokens(first.completion.tokens, second.completion.tokens),
  };

  async function ask(messages: readonly Message[]): Promise<{
    readonly completion: Completion;
    readonly answer: Readonly<Record<string, unknown>> | null;
  }> {
    const completion = await model.complete({ system: SYSTEM, messages, tools: [], maxTokens: answerTokens }, signal);
    return { completion, answer: readJsonAnswer(completion.text) };
  }
}
