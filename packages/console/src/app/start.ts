import { html } from 'htm/preact';
import { render } from 'preact';
import { notify } from '#console/parts/toast.ts';
import { pauseFor } from './event-stream.ts';
import { startKeys } from './keys.ts';
import { here, startRouter } from './router.ts';
import { startSeconds } from './service-clock.ts';
import { startSession, refreshSession } from './session.ts';
import { loadAhead, Shell } from './shell.ts';
import { startTheme } from './theme.ts';

const FIRST_WAIT_MS = 1000;
const MAX_WAIT_MS = 15_000;

startTheme();
startRouter();
loadAhead(here.peek().path);
startKeys();
startSeconds();
const root = document.getElementById('app');
if (root !== null) render(html`<${Shell} />`, root);
addEventListener('unhandledrejection', () => notify('Something went wrong in the page; load it again.', 'bad'));

let failure = await startSession();
for (let wait = FIRST_WAIT_MS; failure !== null; wait = Math.min(wait * 2, MAX_WAIT_MS)) {
  await pauseFor(wait, new AbortController().signal);
  failure = await refreshSession();
}
