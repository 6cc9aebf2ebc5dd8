import { getMember, toList } from '#extract/values/json.ts';
import { toDirectUrl } from '#extract/values/web-urls.ts';
import { BackendFailure } from '#features/search/backend/backend.ts';
import { fetchJson } from '#features/search/backend/results.ts';
import { type AnswerSource, toPlainPassage, type Prompt, type SourcedAnswer } from './sourced-answer.ts';
import { type AnswerModel, type AnswerModelParts, getModelName, buildModelRequest } from './sonar.ts';

/** Private-use characters that wrap citation markers in the output of some models. */
const CITATION_MARKS = /\uE200[^\uE201]*\uE201|[\uE200-\uE206]/g;

/**
 * Answers with a model that has the OpenAI Responses API and a web search tool
 * (https://platform.openai.com/docs/guides/tools-web-search). Throws `BackendFailure`.
 */
export async function answerWithResponses(
  { url, key, model }: AnswerModel,
  { prompt, country }: Prompt,
  { wire, mayVisit, signal }: AnswerModelParts & { readonly signal: AbortSignal },
): Promise<SourcedAnswer> {
  const place = country === null ? {} : { user_location: { type: 'approximate', country } };
  const body = {
    model,
    input: prompt,
    tools: [{ type: 'web_search', ...place }],
    include: ['web_search_call.action.sources'],
  };
  const answer = await fetchJson(wire, {
    ...buildModelRequest(url, key, 'responses'),
    body: JSON.stringify(body),
    signal,
  });
  const output = toList(getMember(answer, 'output'));
  const texts = output
    .filter((item) => getMember(item, 'type') === 'message')
    .flatMap((item) => toList(getMember(item, 'content')))
    .filter((part) => getMember(part, 'type') === 'output_text');
  const markdown = texts
    .map((part) => getText(part).replaceAll(CITATION_MARKS, ''))
    .join('\n\n')
    .trim();
  if (markdown === '') throw new BackendFailure('error', 'returned no answer');
  const sources = new Map<string, AnswerSource>();
  for (const part of texts) {
    for (const note of toList(getMember(part, 'annotations')))
      addSource(sources, { note, text: getText(part) }, mayVisit);
  }
  return { model: getModelName(answer, model), markdown, sources: [...sources.values()], related: [] };
}

type Annotation = { readonly note: unknown; readonly text: string };

function getText(part: unknown): string {
  const text = getMember(part, 'text');
  return typeof text === 'string' ? text : '';
}

/** Adds the page of an annotation with the passage that it supports. */
function addSource(
  sources: Map<string, AnswerSource>,
  { note, text }: Annotation,
  mayVisit: (url: string) => boolean,
): void {
  const given = getMember(note, 'url');
  if (getMember(note, 'type') !== 'url_citation' || typeof given !== 'string') return;
  const url = toDirectUrl(given, given);
  if (url === null || !mayVisit(url)) return;
  const [start, end] = [getMember(note, 'start_index'), getMember(note, 'end_index')];
  const isPlaced = typeof start === 'number' && typeof end === 'number' && start < end;
  const passage = isPlaced ? toPlainPassage(text.slice(start, end).replaceAll(CITATION_MARKS, '')) : '';
  const title = getMember(note, 'title');
  const known = sources.get(url);
  sources.set(url, {
    url,
    title: known?.title ?? (typeof title === 'string' && title !== '' ? title.slice(0, 500) : new URL(url).hostname),
    description: '',
    cited: [...(known?.cited ?? []), ...(passage === '' ? [] : [passage])],
  });
}
