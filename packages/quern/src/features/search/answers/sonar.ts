import { memberOf, toList } from '#extract/values/json.ts';
import { toWebUrl } from '#extract/values/web-urls.ts';
import type { Wire } from '#llm/wire.ts';
import { askForJson } from '#features/search/backend/http-answer.ts';
import { BackendFailure } from '#features/search/backend/backend.ts';
import { type AnswerSource, citeOnly, type Prompt, type SourcedAnswer, SPACED_MARKER } from './answer-backend.ts';

/** A model of the operator that searches by itself. */
export type AnswerModel = { readonly url: string; readonly key: string | null; readonly model: string };

export type AnswerModelParts = { readonly wire: Wire; readonly mayVisit: (url: string) => boolean };

/**
 * Answers by a model in the dialect of chat completions with citations
 * (https://docs.perplexity.ai/api-reference/chat-completions-post). Throws `BackendFailure`.
 */
export async function askSonar(
  { url, key, model }: AnswerModel,
  { prompt, country }: Prompt,
  { wire, mayVisit, signal }: AnswerModelParts & { readonly signal: AbortSignal },
): Promise<SourcedAnswer> {
  const body = {
    model,
    messages: [{ role: 'user', content: prompt }],
    return_related_questions: true,
    ...(country === null ? {} : { web_search_options: { user_location: { country } } }),
  };
  const answer = await askForJson(wire, {
    ...toModelRequest(url, key, 'chat/completions'),
    body: JSON.stringify(body),
    signal,
  });
  const content = memberOf(memberOf(toList(memberOf(answer, 'choices'))[0], 'message'), 'content');
  if (typeof content !== 'string' || content.trim() === '') throw new BackendFailure('error', 'gives no answer');
  const found = toList(memberOf(answer, 'search_results'));
  const cited = toList(memberOf(answer, 'citations'));
  // Markers count the citations; the results say what these pages are called.
  const urls = cited.length > 0 ? cited : found.map((one) => memberOf(one, 'url'));
  const sources = urls.map((one) => toSource(one, found, mayVisit));
  const related = toList(memberOf(answer, 'related_questions')).filter((one) => typeof one === 'string');
  return { model: modelNamed(answer, model), ...citeListed(content, sources), related };
}

/** The request of a model's endpoint without its body. */
export function toModelRequest(url: string, key: string | null, path: string) {
  return {
    url: `${url.replace(/\/+$/, '')}/${path}`,
    headers: {
      accept: 'application/json',
      'content-type': 'application/json',
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
    },
  };
}

/** The model as the endpoint names it. */
export function modelNamed(answer: unknown, asked: string): string {
  const name = memberOf(answer, 'model');
  return typeof name === 'string' && name !== '' ? name.slice(0, 200) : asked;
}

type Listed = Omit<AnswerSource, 'cited'> | null;

function toSource(given: unknown, found: readonly unknown[], mayVisit: (url: string) => boolean): Listed {
  const url = typeof given === 'string' ? toWebUrl(given, given) : null;
  if (url === null || !mayVisit(url)) return null;
  const facts = found.find((one) => memberOf(one, 'url') === given);
  const text = (name: string): string => {
    const value = memberOf(facts, name);
    return typeof value === 'string' ? value : '';
  };
  return { url, title: text('title') || new URL(url).hostname, description: text('snippet').slice(0, 1000) };
}

/** Cites those of a numbered list that are there; where the text has no markers, all of them stand without a passage. */
function citeListed(content: string, listed: readonly Listed[]): Pick<SourcedAnswer, 'markdown' | 'sources'> {
  const kept: Omit<AnswerSource, 'cited'>[] = [];
  const numbers = listed.map((source) => (source === null ? 0 : kept.push(source)));
  const renumbered = content.replaceAll(SPACED_MARKER, (whole, digits: string) => {
    const number = numbers[Number(digits) - 1] ?? 0;
    return number === 0 ? '' : `${whole.startsWith(' ') ? ' ' : ''}[${number}]`;
  });
  const cited = citeOnly(renumbered, kept);
  return cited.sources.length > 0 ? cited : { ...cited, sources: kept.map((source) => ({ ...source, cited: [] })) };
}
