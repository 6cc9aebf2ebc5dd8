import { SMALL_BYTES } from '#access/limits.ts';
import { ANSWER_BYTES } from '#kernel/answer-size.ts';
import type { Clock } from '#kernel/clock.ts';
import { ServiceError } from '#kernel/errors.ts';
import type { MemoryShare } from '#kernel/memory-budget.ts';
import type { Written } from './ask.ts';

/** How long a large answer waits for memory that other answers hold, ms. */
const PATIENCE_MS = 10_000;

type Writing = {
  /** Holds the memory of the answer until it is sent. */
  readonly share: MemoryShare;
  readonly signal: AbortSignal;
  readonly clock: Pick<Clock, 'deadline'>;
};

/**
 * Writes the body of an answer before it is charged, within the memory of all answers. Throws `content_too_large`, and
 * `backend_unavailable` while there is too little memory.
 */
export async function write(body: object, { share, signal, clock }: Writing): Promise<Written> {
  const text = toText(body);
  const bytes = Buffer.byteLength(text);
  if (bytes > ANSWER_BYTES) throw tooLarge(null);
  // The text replaces the pieces that were counted so far.
  share.leave();
  if (bytes > SMALL_BYTES) {
    await share.grow(bytes, clock.deadline(PATIENCE_MS, signal)).catch((cause: unknown) => {
      signal.throwIfAborted();
      throw new ServiceError('backend_unavailable', 'too many large answers are under way: call again', { cause });
    });
  }
  return { text, leave: share.leave };
}

function toText(body: object): string {
  try {
    return JSON.stringify(body);
  } catch (error) {
    // V8 makes no string of more than half a gigabyte.
    if (error instanceof RangeError) throw tooLarge(error);
    throw error;
  }
}

function tooLarge(cause: unknown): ServiceError {
  return new ServiceError(
    'content_too_large',
    `the answer is larger than ${ANSWER_BYTES / 2 ** 20} MiB: ask for less output, or cut texts with max_chars`,
    { cause },
  );
}
