import { z } from 'zod';
import type { Tab } from './tab.ts';

/** The most timers that are cleared: a hostile page may set so many that clearing them all would hold its process. */
const MOST_TIMERS = 100_000;

/**
 * Clears the timers of a page, which all worlds of it share, and gives the last id. Scripts run again from the head of
 * the next document on, and a timer that fires before that document is shown could lead the page elsewhere.
 */
const END_TIMERS = `(() => {
  const last = setTimeout(() => {});
  for (let id = Math.max(1, last - ${MOST_TIMERS}); id <= last; id += 1) clearTimeout(id);
  return last;
})()`;

/**
 * Ends what a page does and leaves it standing until the next one replaces it: its scripts do not run, and what it loads
 * is given up; its workers go on until it is replaced. A navigation to an empty page in between would cost a tenth of a
 * page.
 */
export async function freeze(tab: Tab): Promise<void> {
  tab.shown.isFrozen = true;
  await Promise.all([
    tab.send('Emulation.setScriptExecutionDisabled', { value: true }),
    tab.evaluate(END_TIMERS, z.number()),
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
