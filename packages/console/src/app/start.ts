import { html } from 'htm/preact';
import { render } from 'preact';
import { notify } from '#console/parts/toast.ts';
import { sleep } from './event-stream.ts';
import { startKeyboard } from './keys.ts';
import { currentLocation, startRouter } from './router.ts';
import { startSecondsTick } from './service-clock.ts';
import { startSession, refreshSession } from './session.ts';
import { preloadView, Shell } from './shell.ts';
import { startTheme } from './theme.ts';

const FIRST_WAIT_MS = 1000;
const MAX_WAIT_MS = 15_000;

startTheme();
startRouter();
preloadView(currentLocation.peek().path);
startKeyboard();
startSecondsTick();
const root = document.getElementById('app');
if (root !== null) render(html`<${Shell} />`, root);
addEventListener('unhandledrejection', () => notify('Something went wrong in the page; reload it.', 'bad'));

let failure = await startSession();
for (let wait = FIRST_WAIT_MS; failure !== null; wait = Math.min(wait * 2, MAX_WAIT_MS)) {
  await sleep(wait, new AbortController().signal);
  failure = await refreshSession();
}
