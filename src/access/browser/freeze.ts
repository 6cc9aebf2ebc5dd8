import type { Tab } from './tab.ts';

/**
 * Ends what a page does and leaves it standing, for the next one to come in its place: what it loads is given up, and its
 * scripts do not run; those of its workers do until it gives way. A navigation to nothing in between would cost a tenth of
 * a page.
 */
export async function freeze(tab: Tab): Promise<void> {
  tab.shown.isFrozen = true;
  await Promise.all([tab.send('Emulation.setScriptExecutionDisabled', { value: true }), tab.send('Page.stopLoading')]);
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
