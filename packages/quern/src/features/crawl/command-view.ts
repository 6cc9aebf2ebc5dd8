import type { CommandView } from '#engine/call/command-view.ts';

/** `quern crawl`: pages as lines or files while they come. */
export const CRAWL_VIEW = {
  download: {
    list: 'pages',
    noun: 'page',
    grows: true,
    formats: ['jsonl', 'markdown'],
    remaining({ max_pages: most, urls }, { completed, pending }) {
      if (typeof most === 'number') return Math.min(pending, most - completed);
      // A crawl without max_pages ends somewhere before its queue is empty.
      return urls === undefined ? null : pending;
    },
  },
} as const satisfies CommandView;
