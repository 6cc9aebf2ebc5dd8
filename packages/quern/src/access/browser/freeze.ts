import { END_PAGE } from './scripts.ts';
import type { Tab } from './tab.ts';

/**
 * Ends what a page does and leaves it standing until the next one replaces it: its scripts do not run, and what it loads
 * is given up; its workers go on until it is replaced. A navigation to an empty page in between would cost a tenth of a
 * page.
 */
export async function freeze(tab: Tab): Promise<void> {
  tab.shown.isFrozen = true;
  await Promise.all([
    tab.send('Emulation.setScriptExecutionDisabled', { value: true }),
    tab.evaluate(END_PAGE.expression, END_PAGE.result),
  ]);
  // Only now: scripts may have begun a navigation until they were disabled.
  await tab.send('Page.stopLoading');
}

/** Lets scripts run again, for a document whose head has come. */
export async function unfreeze(tab: Tab): Promise<void> {
  if (!tab.shown.isFrozen) return;
  await tab.send('Emulation.setScriptExecutionDisabled', { value: false });
  tab.shown.isFrozen = false;
}

/** Replaces a page by an empty one, which ends its animations and frees its memory. */
export async function clear(tab: Tab): Promise<void> {
  await tab.send('Page.navigate', { url: 'about:blank' });
}
