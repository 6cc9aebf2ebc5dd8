import type { CommandFlags } from '#engine/call/command-view.ts';

/** The flags of `quern explain` beyond those of the operation that it asks. */
export const EXPLAIN_FLAGS: CommandFlags = {
  html: { hint: 'FILE', about: 'Draw the page block by block: what is kept, what is not and why' },
};
