/** The browser alone, as an upper limit: one context per page, and the document once its text is present. */
import { spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { DevTools } from '#access/browser/devtools.ts';
import { getPipes } from '#access/browser/launch.ts';
import { RenderOrder, renderAll } from './render-all.ts';

/** Four pages per core are no faster than two. */
const CONCURRENCY = 4;
const PAGE_TIMEOUT_MS = 60_000;
const POLL_INTERVAL_MS = 20;

/** Without images and fonts, as in the `browser` tier. */
const FLAGS = [
  '--headless=new',
  '--remote-debugging-pipe',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-remote-fonts',
  '--disable-features=BackForwardCache,RenderDocument,SpareRendererForSitePerProcess',
  '--blink-settings=imagesEnabled=false',
];

/** Returns the document if its text is present, otherwise an empty string. */
const READ_SCRIPT = `document.readyState === 'complete' && document.querySelector('#root[data-ready], #list section, main p')
  ? document.documentElement.outerHTML : ''`;

const Context = z.object({ browserContextId: z.string() });
const Target = z.object({ targetId: z.string() });
const Attached = z.object({ sessionId: z.string() });
const ReadResult = z.object({ result: z.object({ value: z.string().optional() }) });

const { addresses, binary, folder } = RenderOrder.parse(JSON.parse(process.argv[2] ?? ''));
const browser = spawn(binary, [...FLAGS, `--user-data-dir=${folder}`, 'about:blank'], {
  stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
});
const devtools = new DevTools(...getPipes(browser));

async function render(url: string): Promise<string> {
  const signal = AbortSignal.timeout(PAGE_TIMEOUT_MS);
  const { browserContextId } = Context.parse(await devtools.send('Target.createBrowserContext', {}, signal));
  const created = await devtools.send('Target.createTarget', { url: 'about:blank', browserContextId }, signal);
  const { targetId } = Target.parse(created);
  const attached = await devtools.send('Target.attachToTarget', { targetId, flatten: true }, signal);
  const page = devtools.session(Attached.parse(attached).sessionId);
  await page.send('Page.navigate', { url }, signal);
  let html = '';
  for (; html === ''; await delay(POLL_INTERVAL_MS, null, { signal })) {
    const read = await page.send('Runtime.evaluate', { expression: READ_SCRIPT, returnByValue: true }, signal);
    html = ReadResult.parse(read).result.value ?? '';
  }
  await devtools.send('Target.disposeBrowserContext', { browserContextId }, signal);
  return html;
}

await renderAll({ addresses, atOnce: CONCURRENCY, render });
browser.kill('SIGKILL');
process.exit();
