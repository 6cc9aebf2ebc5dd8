import { decodeHTMLStrict } from 'entities';
import { plainOf } from '#features/search/index/page-text.ts';

/** A question as every answerer takes it. */
export type Prompt = {
  readonly prompt: string;
  /** ISO 3166-1 alpha-2, upper case; null where the caller says none. */
  readonly country: string | null;
  /** The time that one page may take to be read, ms. */
  readonly sourceTimeoutMs: number;
};

/** A page that an answer names. */
export type AnswerSource = {
  readonly url: string;
  readonly title: string;
  /** What the page says of itself, or the passage that was read. */
  readonly description: string;
  /** The passages of the answer that it supports. */
  readonly cited: readonly string[];
};

/** An answer whose markers `[1]` name its sources by their place. */
export type SourcedAnswer = {
  readonly model: string;
  readonly markdown: string;
  readonly sources: readonly AnswerSource[];
  readonly related: readonly string[];
};

const MARKER = /\[(\d{1,3})\]/g;
/** A marker with the space before it, which goes with it. */
export const SPACED_MARKER = / ?\[(\d{1,3})\]/g;

/**
 * An answer with the sources that it names alone, numbered as they come; markers that name none are taken out. `written`
 * has the numbers of a writer who saw `given`.
 */
export function citeOnly(
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
    for (const [number, passage] of passagesOf(line)) {
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

/** The text before each run of markers of a line, by the number of each. */
function passagesOf(line: string): readonly (readonly [number, string])[] {
  const passages: (readonly [number, string])[] = [];
  let start = 0;
  for (const run of line.matchAll(/(?:\[\d{1,3}\]\s?)+/g)) {
    const passage = plainPassage(line.slice(start, run.index));
    for (const [, digits] of run[0].matchAll(MARKER)) if (passage !== '') passages.push([Number(digits), passage]);
    start = run.index + run[0].length;
  }
  return passages;
}

/** A passage without the signs of its list, heading or stress. */
export function plainPassage(markdown: string): string {
  return toPlainAnswer(markdown.replace(/^[\s.,;:]*(?:\d+\. )?/, ''));
}

/** An answer as plain text. */
export function toPlainAnswer(markdown: string): string {
  return decodeHTMLStrict(plainOf(markdown)).trim();
}
