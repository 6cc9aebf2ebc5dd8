import type { CommandView } from '#engine/call/command-view.ts';

/** Output of `quern crawl`: pages as lines or files, written as they arrive. */
export const CRAWL_VIEW = {
  fileMember: 'urls',
  download: {
    list: 'pages',
    noun: 'page',
    grows: true,
    formats: ['jsonl', 'markdown'],
    remaining({ max_pages: most, urls }, { completed, pending }) {
      if (typeof most === 'number') return Math.min(pending, most - completed);
      // Without max_pages nobody knows how much of the queue will be visited.
      return urls === undefined ? null : pending;
    },
  },
} as const satisfies CommandView;
