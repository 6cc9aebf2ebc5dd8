import { decodeHTMLStrict } from 'entities';
import { stripMarkdown } from '#features/search/index/page-text.ts';

/** A question to answer. */
export type Prompt = {
  readonly prompt: string;
  /** ISO 3166-1 alpha-2, upper case; null if the caller gave none. */
  readonly country: string | null;
  /** Time limit for fetching and reading one page, in ms. */
  readonly sourceTimeoutMs: number;
};

/** A page that an answer cites. */
export type AnswerSource = {
  readonly url: string;
  readonly title: string;
  /** The description of the page, or the passage that was used. */
  readonly description: string;
  /** The passages of the answer that cite it. */
  readonly cited: readonly string[];
};

/** An answer with markers such as `[1]` for its sources, numbered from 1. */
export type SourcedAnswer = {
  readonly model: string;
  readonly markdown: string;
  readonly sources: readonly AnswerSource[];
  readonly related: readonly string[];
};

const MARKER = /\[(\d{1,3})\]/g;
/** A marker with the space before it, so that both can be removed. */
export const SPACED_MARKER = / ?\[(\d{1,3})\]/g;

/**
 * Keeps only the sources that `written` cites, renumbered in the order of their first citation, and removes markers without
 * a source. The markers in `written` are positions in `given`, counted from 1.
 */
export function keepCitedSources(
  written: string,
  given: readonly Omit<AnswerSource, 'cited'>[],
): Pick<SourcedAnswer, 'markdown' | 'sources'> {
  const order: number[] = [];
  const cited = new Map<number, string[]>();
  const lines = written.split('\n').map((line) => {
    const text = line.replaceAll(SPACED_MARKER, (whole, digits: string) => {
      const number = Number(digits);
      if (given[number - 1] === undefined) return '';
      if (!order.includes(number)) order.push(number);
      return `${whole.startsWith(' ') ? ' ' : ''}[${order.indexOf(number) + 1}]`;
    });
    for (const [number, passage] of listPassages(line)) {
      if (given[number - 1] !== undefined) cited.set(number, [...(cited.get(number) ?? []), passage]);
    }
    return text.trimEnd();
  });
  const sources = order.flatMap((number) => {
    const source = given[number - 1];
    return source === undefined ? [] : [{ ...source, cited: cited.get(number) ?? [] }];
  });
  return { markdown: lines.join('\n').trim(), sources };
}

/** Pairs each marker of a line with the text before it. */
function listPassages(line: string): readonly (readonly [number, string])[] {
  const passages: (readonly [number, string])[] = [];
  let start = 0;
  for (const run of line.matchAll(/(?:\[\d{1,3}\]\s?)+/g)) {
    const passage = toPlainPassage(line.slice(start, run.index));
    for (const [, digits] of run[0].matchAll(MARKER)) if (passage !== '') passages.push([Number(digits), passage]);
    start = run.index + run[0].length;
  }
  return passages;
}

/** A passage as plain text, without list markers. */
export function toPlainPassage(markdown: string): string {
  return toPlainAnswer(markdown.replace(/^[\s.,;:]*(?:\d+\. )?/, ''));
}

/** An answer as plain text. */
export function toPlainAnswer(markdown: string): string {
  return decodeHTMLStrict(stripMarkdown(markdown)).trim();
}
