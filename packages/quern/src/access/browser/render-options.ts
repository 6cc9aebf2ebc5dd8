import type { RenderOptions } from '#access/page.ts';

/** A page as it is, for a visitor at a desk. */
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
