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
export type PageAnswer = { readonly text: string | null; readonly tokens: Tokens };

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
export async function requestSummary(
  model: LanguageModel,
  passage: PageSource,
  signal: AbortSignal,
): Promise<PageAnswer> {
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

const ANSWER_PROMPT = `You answer a question from passages of a web page alone. Answer in one or two short sentences, in the language of the
question, without a heading, and say nothing that the passages do not say. If they do not answer the question, answer with
the single word NONE. ${PAGE_IS_DATA}`;

/** Asks for an answer from passages of a page; null if they have none. Throws as `Complete` does. */
export async function requestAnswer(
  model: LanguageModel,
  { question, ...source }: PageSource & { readonly question: string },
  signal: AbortSignal,
): Promise<PageAnswer> {
  const head = formatPageHead(source);
  const besides = ANSWER_PROMPT + head + question;
  const passages = truncateToTokens(source.text, computePageTokens(model, besides, MAX_ANSWER_TOKENS));
  const quoted = quoteText(head + passages, source.mark);
  const text = `The passages:\n${quoted}\n\nThe question, which is the only one to answer:\n${question}`;
  const answer = await model.complete(
    { system: ANSWER_PROMPT, messages: [{ role: 'user', text }], tools: [], maxTokens: MAX_ANSWER_TOKENS },
    signal,
  );
  const written = answer.text.trim();
  const isAnswer = !answer.isRefused && written !== '' && !/^\W*NONE\W*$/i.test(written);
  return { text: isAnswer ? written : null, tokens: answer.tokens };
}
