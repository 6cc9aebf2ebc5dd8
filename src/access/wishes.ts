import type { BrowserWishes } from './page.ts';

/** A page as it is, for a visitor at a desk. */
export const NO_WISHES: BrowserWishes = {
  waitForSelector: null,
  waitMs: 0,
  scroll: false,
  device: 'desktop',
  userAgent: null,
  locale: null,
  screenshot: null,
  pdf: false,
};
