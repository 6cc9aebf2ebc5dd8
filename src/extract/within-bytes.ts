import { jsonBytes } from '#kernel/answer-size.ts';
import { ServiceError } from '#kernel/errors.ts';
import type { Warning } from '#kernel/warnings.ts';
import type { Reading } from './reading.ts';

const MIB = 1024 * 1024;

/** The outputs of a page that an answer has room for, and what is said of those that were left out. */
export type Fitting = { readonly outputs: Reading['outputs']; readonly warning: Warning | null };

/** Leaves the largest outputs out until the others fit; throws `content_too_large` when none does. */
export function withinBytes(outputs: Reading['outputs'], most: number): Fitting {
  if (jsonBytes(outputs, most) <= most) return { outputs, warning: null };
  const sized = Object.entries(outputs)
    .map(([name, value]) => ({ name, value, bytes: jsonBytes(value, 0) }))
    .toSorted((one, other) => one.bytes - other.bytes);
  let left = most;
  const kept = sized.filter(({ bytes }) => (left -= bytes) >= 0);
  const names = sized.slice(kept.length).map(({ name }) => name);
  const why = `an answer has room for ${most / MIB} MiB of a page`;
  if (kept.length === 0) {
    throw new ServiceError(
      'content_too_large',
      `${names.join(', ')}: ${why}; ask for less of it with max_chars, include_selectors or another output`,
    );
  }
  return {
    outputs: Object.fromEntries(kept.map(({ name, value }) => [name, value])),
    warning: {
      code: 'left_out',
      message: `${names.join(', ')}: ${why}; ask for it alone, or cut texts with max_chars`,
    },
  };
}
