import { SMALL_BYTES } from '#access/limits.ts';
import { ANSWER_BYTES, writeJson } from '#kernel/answer-json.ts';
import { leastJsonBytes } from '#extract/json/size.ts';
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
  // A body that is sure to be too large is not serialized: that would hold up all calls for seconds, or not fit into a string.
  if (leastJsonBytes(body, ANSWER_BYTES) > ANSWER_BYTES) throw tooLarge();
  const json = writeJson(body);
  const bytes = typeof json === 'string' ? Buffer.byteLength(json) : countBytes(json);
  if (bytes > ANSWER_BYTES) throw tooLarge();
  // The text replaces the pieces that were counted so far.
  share.leave();
  if (bytes > SMALL_BYTES) {
    await share.grow(bytes, clock.deadline(PATIENCE_MS, signal)).catch((cause: unknown) => {
      signal.throwIfAborted();
      throw new ServiceError('backend_unavailable', 'too many large answers are under way: call again', { cause });
    });
  }
  return { json, bytes, leave: share.leave };
}

function countBytes(pieces: readonly Uint8Array[]): number {
  return pieces.reduce((sum, { byteLength }) => sum + byteLength, 0);
}

function tooLarge(): ServiceError {
  return new ServiceError(
    'content_too_large',
    `the answer is larger than ${ANSWER_BYTES / 2 ** 20} MiB: ask for less output, or cut texts with max_chars`,
  );
}
