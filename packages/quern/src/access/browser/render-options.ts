import type { RenderOptions } from '#access/page.ts';

/** Default render options: desktop, no waits, no screenshot. */
export const DEFAULT_RENDER_OPTIONS: RenderOptions = {
  waitForSelector: null,
  waitMs: 0,
  scroll: false,
  device: 'desktop',
  userAgent: null,
  locale: null,
  screenshot: null,
  pdf: false,
};
