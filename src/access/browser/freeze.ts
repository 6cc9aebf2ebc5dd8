import { z } from 'zod';
import type { Tab } from './tab.ts';

/** More timers than this are those of a page that means harm; clearing them all would hold its process. */
const MOST_TIMERS = 100_000;

/**
 * Ends the timers of a page, which it shares with our world. Scripts run again from the head of the next document on, and
 * a timer that fires before that document stands could lead the page elsewhere.
 */
const END_TIMERS = `(() => {
  const last = setTimeout(() => {});
  for (let id = Math.max(1, last - ${MOST_TIMERS}); id <= last; id += 1) clearTimeout(id);
})()`;

/**
 * Ends what a page does and leaves it standing, for the next one to come in its place: what it loads is given up, and its
 * scripts do not run; those of its workers do until it gives way. A navigation to nothing in between would cost a tenth of
 * a page.
 */
export async function freeze(tab: Tab): Promise<void> {
  tab.shown.isFrozen = true;
  await Promise.all([
    tab.send('Emulation.setScriptExecutionDisabled', { value: true }),
    tab.send('Page.stopLoading'),
    tab.evaluate(END_TIMERS, z.unknown()),
  ]);
}

/** Lets scripts run again, for a document that is about to come. */
export async function unfreeze(tab: Tab): Promise<void> {
  if (!tab.shown.isFrozen) return;
  await tab.send('Emulation.setScriptExecutionDisabled', { value: false });
  tab.shown.isFrozen = false;
}

/** Takes a page away: what it shows, moves and keeps in memory goes with it. */
export async function clear(tab: Tab): Promise<void> {
  await tab.send('Page.navigate', { url: 'about:blank' });
}
