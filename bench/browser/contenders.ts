import { join } from 'node:path';

const PEER = join(import.meta.dirname, '../peers/crawlee-browser.mjs');
const BARE = join(import.meta.dirname, 'bare-pages.ts');
const OURS = join(import.meta.dirname, 'quern-pages.ts');

export const CONTENDERS = ['quern', 'quern-job', 'crawlee', 'crawlee-tuned', 'bare'] as const;

export type Contender = (typeof CONTENDERS)[number];

/** The program of each, in which form it runs, and what it does with a page. */
export const PROGRAMS: Readonly<
  Record<Contender, { readonly file: string; readonly form: string; readonly work: string }>
> = {
  quern: { file: OURS, form: 'page', work: 'a context a page; guard, egress proxy, waits until the page is still' },
  'quern-job': { file: OURS, form: 'job', work: 'the same, a context for 20 pages of one job and host' },
  crawlee: { file: PEER, form: 'default', work: 'its defaults: one context, its own concurrency, all that pages load' },
  'crawlee-tuned': {
    file: PEER,
    form: 'tuned',
    work: 'one context, 4 at once, no sessions, fingerprints, storage, images and fonts',
  },
  bare: {
    file: BARE,
    form: 'page',
    work: 'the browser by itself: a context a page, its document, no guard, no proxy, no waiting',
  },
};
