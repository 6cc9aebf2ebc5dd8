import { InvariantError } from '#extract/invariant-error.ts';
import type { DownloadFormat } from '#engine/call/command-view.ts';

/** The place that the elements of a list are written to as they come. */
export type Sink = {
  /** Elements that are written. */
  readonly count: () => number;
  /** The cursor of the next element, null at the start of the list. */
  readonly cursor: () => string | null;
  /** Whether the list is written to its end. */
  readonly isWhole: () => boolean;
  /** Remembers which job is written here. */
  readonly begin: (job: string, order: string | null) => Promise<void>;
  /** Writes elements, and then remembers that the list goes on at `next`; null at its end. */
  readonly write: (elements: readonly unknown[], next: string | null) => Promise<void>;
  /** Ends what is written: there is no more. */
  readonly finish: () => Promise<void>;
  /** Leaves it so that another command can go on. */
  readonly close: () => Promise<void>;
  /** Takes back what `open` made, as long as nothing is written. */
  readonly discard: () => Promise<void>;
};

/** The text format of a list's elements. */
export type Form = {
  readonly element: (element: unknown, at: number) => string;
  readonly end: (count: number) => string;
};

const FORMS: Readonly<Record<Exclude<DownloadFormat, 'markdown'>, Form>> = {
  jsonl: { element: (element) => `${JSON.stringify(element)}\n`, end: () => '' },
  text: { element: (element) => `${urlOf(element)}\n`, end: () => '' },
  json: {
    element: (element, at) => (at === 0 ? '[\n' : ',\n') + JSON.stringify(element),
    end: (count) => (count === 0 ? '[]\n' : '\n]\n'),
  },
};

/** The text format of a format that makes one file. */
export function formOf(format: DownloadFormat): Form {
  if (format === 'markdown') throw new InvariantError('markdown is a file for each page');
  return FORMS[format];
}

function urlOf(element: unknown): string {
  return typeof element === 'object' && element !== null && 'url' in element ? String(element.url) : '';
}

/** Writes where nothing can be gone on with, such as to standard output. */
export function openOutput(out: (text: string) => void, { element, end }: Form): Sink {
  let count = 0;
  let cursor: string | null = null;
  let isWhole = false;
  return {
    count: () => count,
    cursor: () => cursor,
    isWhole: () => isWhole,
    begin: async () => undefined,
    async write(elements, next) {
      if (elements.length > 0) out(elements.map((one, at) => element(one, count + at)).join(''));
      count += elements.length;
      cursor = next;
      isWhole = next === null;
    },
    async finish() {
      const last = end(count);
      if (last !== '') out(last);
    },
    close: async () => undefined,
    discard: async () => undefined,
  };
}
