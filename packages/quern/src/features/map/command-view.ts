import type { CommandView } from '#engine/call/command-view.ts';

/** Output of `quern map`: the URLs, one per line, when the job has ended. */
export const MAP_VIEW = {
  download: {
    list: 'urls',
    noun: 'URL',
    grows: false,
    formats: ['text', 'jsonl', 'json'],
    remaining: (_input, { pending }) => pending,
  },
} as const satisfies CommandView;
