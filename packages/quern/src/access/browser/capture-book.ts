import type { CapturedResponse, CaptureRule } from '#sites/framework/captures.ts';
import { type AnswerHead, fits } from './capture-rules.ts';

/** The most answers of one page that are kept, and the most bytes of them all. */
const MAX_CAPTURES = 100;
export const MAX_CAPTURED_BYTES = 20_000_000;

/** What a rule has taken of its bounds. */
type Share = { readonly rule: CaptureRule; begun: number; bytes: number; isFull: boolean };

/** An answer of a rule; `text` is null until it is read. */
export type BookedAnswer = Omit<CapturedResponse, 'text'> & {
  readonly share: Share;
  bytes: number;
  text: string | null;
};

/**
 * The answers that rules name, from their heads on, within the bounds of each rule and of the page. Where a bound of bytes is
 * met nothing more is kept, so that what is kept has no gap.
 */
export class CaptureBook {
  readonly #shares: readonly Share[];
  readonly #all: Share = { rule: { name: '', path: '' }, begun: 0, bytes: 0, isFull: false };
  readonly #answers = new Map<string, BookedAnswer>();

  constructor(rules: readonly CaptureRule[]) {
    this.#shares = rules.map((rule) => ({ rule, begun: 0, bytes: 0, isFull: false }));
  }

  /** Notes an answer that begins, where a rule wants it and takes more. */
  begin(requestId: string, head: AnswerHead, operations: readonly string[]): void {
    const share = this.#shares.find(({ rule }) => fits(rule, head, operations));
    if (share === undefined || this.#answers.has(requestId) || !takesMore(share) || !takesMore(this.#all)) return;
    for (const one of [share, this.#all]) one.begun += 1;
    const { url, status } = head;
    this.#answers.set(requestId, { name: share.rule.name, url, status, share, bytes: 0, text: null });
  }

  addBytes(requestId: string, bytes: number): void {
    const one = this.#answers.get(requestId);
    if (one !== undefined) one.bytes += bytes;
  }

  /** The answer that has ended, when there is room for it; else it is dropped. */
  end(requestId: string): BookedAnswer | null {
    const answer = this.#answers.get(requestId);
    if (answer === undefined) return null;
    const both = [answer.share, this.#all];
    for (const one of both) one.isFull ||= one.bytes + answer.bytes > (one.rule.mostBytes ?? MAX_CAPTURED_BYTES);
    if (both.some(({ isFull }) => isFull)) {
      this.drop(requestId);
      return null;
    }
    for (const one of both) one.bytes += answer.bytes;
    return answer;
  }

  drop(requestId: string): void {
    const answer = this.#answers.get(requestId);
    if (answer === undefined) return;
    this.#answers.delete(requestId);
    for (const one of [answer.share, this.#all]) one.begun -= 1;
  }

  /** Those that were read, in the order in which they began. */
  read(): readonly CapturedResponse[] {
    return [...this.#answers.values()].flatMap(({ name, url, status, text }) =>
      text === null ? [] : [{ name, url, status, text }],
    );
  }
}

function takesMore({ rule, begun, isFull }: Share): boolean {
  return !isFull && begun < (rule.most ?? MAX_CAPTURES);
}
