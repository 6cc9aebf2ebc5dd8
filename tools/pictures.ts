import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { startListening } from '#demo/listen.ts';
import { startService } from '#demo/service.ts';
import { startSite } from '#demo/site.ts';
import { explainPage } from '#extract/explain-page.ts';
import { renderExplanation } from '#features/explain/explanation-page.ts';
import { drawConsole } from './console-pictures.ts';
import { recordSession } from './recorded-session.ts';

/**
 * Creates the pictures of the docs: screenshots by a service of the docs page of another service and of a page of the demo, an
 * explained page, a session on the demo step by step, and the views of the console.
 */
const FOLDER = join(import.meta.dirname, '../docs/pictures');
const KEY = `qk_${'demo'.repeat(8)}`;
const MAX_BYTES = 150_000;
const CALL_TIMEOUT_MS = 60_000;

const FetchedPage = z.object({ screenshot: z.object({ url: z.string() }) });

const ARTICLE = '/articles/the-wheel-turns-again';
const SHORT_ARTICLE = '/articles/bridge-closed-on-sunday';

const scratch = mkdtempSync(join(tmpdir(), 'quern-pictures-'));
const site = await startSite({ port: 0 });
const explained = await openExplanation();
const shown = await openView('shown', { QUERN_CHROMIUM: 'off' });
const service = await openView('service', {
  QUERN_ALLOW_TARGETS: [site.origin, shown.origin, explained.origin].map((origin) => new URL(origin).host).join(','),
});
try {
  mkdirSync(FOLDER, { recursive: true });
  await drawPicture('docs.webp', `${shown.origin}/docs`);
  await drawPicture('fetched.webp', site.origin + ARTICLE);
  await drawPicture('explained.webp', explained.origin, true);
  await recordSession({ origin: site.origin, ask: callApi });
  await drawConsole({ folder: FOLDER, origin: service.origin, key: KEY, site: site.origin, ask: callApi });
} finally {
  await Promise.all([service.close(), shown.close(), explained.close(), site.close()]);
  rmSync(scratch, { recursive: true, force: true });
}

/** Starts a server for the output of `quern explain --html` for the article. */
async function openExplanation() {
  const page = await fetch(site.origin + SHORT_ARTICLE, { signal: AbortSignal.timeout(CALL_TIMEOUT_MS) });
  const url = `https://gazette.example${SHORT_ARTICLE}`;
  const explanation = explainPage(await page.text(), { url, mediaType: 'text/html' });
  if (explanation === null) throw new Error('the article has no text');
  const { markup } = renderExplanation(explanation, url);
  return startListening(
    createServer((_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(markup)),
    0,
  );
}

async function openView(name: string, settings: Readonly<Record<string, string>>) {
  const dataDir = join(scratch, name);
  mkdirSync(dataDir);
  return startService({ dataDir, settings: { QUERN_BOOTSTRAP_KEY: KEY, ...settings } });
}

/** Takes a screenshot of a page, and reads the file. */
async function drawPicture(name: string, url: string, isWhole = false): Promise<void> {
  const screenshot = { format: 'webp', full_page: isWhole };
  const answer = await callApi('/v1/fetch', { url, output: ['screenshot'], screenshot, wait_ms: 500 });
  const { screenshot: made } = FetchedPage.parse(await answer.json());
  const bytes = Buffer.from(await (await callApi(made.url)).arrayBuffer());
  if (bytes.length > MAX_BYTES) throw new Error(`${name} has ${bytes.length} bytes, and ${MAX_BYTES} are the most`);
  writeFileSync(join(FOLDER, name), bytes);
  process.stderr.write(`docs/pictures/${name}: ${bytes.length} bytes\n`);
}

async function callApi(path: string, body?: unknown): Promise<Response> {
  const answer = await fetch(service.origin + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
  });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  return answer;
}
