import type { LanguageModel, Tokens } from './complete.ts';
import { PAGE_IS_DATA, quoteText, estimateTokens, truncateToTokens } from './prompt-text.ts';

/** Maximum tokens of a summary. */
const MAX_ANSWER_TOKENS = 1_000;

const SYSTEM_PROMPT = `You summarise web pages. Answer with the summary alone: what the page says, in its own language, in at most
five short sentences, without a heading, without an opinion and without mentioning the page itself. ${PAGE_IS_DATA}`;

export type PageSource = {
  /** The page as Markdown. */
  readonly text: string;
  readonly url: string;
  readonly title: string | null;
  /** Random text that the author of the page cannot guess. */
  readonly mark: string;
};

/** `text` is null if the model refused. */
export type Summary = { readonly text: string | null; readonly tokens: Tokens };

/** URL and title of a page, as two lines that precede its text. */
export function formatPageHead({ url, title }: Pick<PageSource, 'url' | 'title'>): string {
  return `${url.slice(0, 500)}\n${(title ?? '').slice(0, 300)}\n`;
}

/** How many tokens of a page fit into a question, in addition to the other text (`besides`) and the answer. */
export function computePageTokens(
  model: Pick<LanguageModel, 'contextTokens'>,
  besides: string,
  answerTokens: number,
): number {
  return Math.max(0, model.contextTokens - answerTokens - estimateTokens(besides) - 200);
}

/** Asks for a summary of a page; throws as `Complete` does. */
export async function requestSummary(model: LanguageModel, passage: PageSource, signal: AbortSignal): Promise<Summary> {
  const { text, mark } = passage;
  const head = formatPageHead(passage);
  const page = truncateToTokens(text, computePageTokens(model, SYSTEM_PROMPT + head, MAX_ANSWER_TOKENS));
  const messages = [{ role: 'user' as const, text: `The page to summarise:\n${quoteText(head + page, mark)}` }];
  const answer = await model.complete(
    { system: SYSTEM_PROMPT, messages, tools: [], maxTokens: MAX_ANSWER_TOKENS },
    signal,
  );
  return { text: answer.isRefused ? null : answer.text, tokens: answer.tokens };
}
