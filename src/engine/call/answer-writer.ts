import { SMALL_BYTES } from '#access/limits.ts';
import { ANSWER_BYTES } from '#kernel/answer-size.ts';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';
import { ServiceError } from '#kernel/errors.ts';
import type { MemoryShare } from '#kernel/memory-budget.ts';
import type { Written } from './ask.ts';

/** A large answer waits so long for the memory that others hold, ms. */
const PATIENCE_MS = 10_000;

/**
 * Writes the body of an answer before anything is charged for it, in the memory of all answers, which `share` is then
 * counted with until it is sent. Throws `content_too_large`, and `backend_unavailable` while there is no room.
 */
export async function write(body: object, share: MemoryShare, signal: AbortSignal): Promise<Written> {
  const text = toText(body);
  const bytes = Buffer.byteLength(text);
  if (bytes > ANSWER_BYTES) throw tooLarge(null);
  // What was collected on the way is in the text now.
  share.leave();
  if (bytes > SMALL_BYTES) {
    await share.grow(bytes, SYSTEM_CLOCK.deadline(PATIENCE_MS, signal)).catch((cause: unknown) => {
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
