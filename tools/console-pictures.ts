import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type Browser, chromium, type Page } from 'patchright-core';
import { z } from 'zod';
import { findConfiguredBrowsers } from '#compose/browsers.ts';

const MAX_BYTES = 120_000;
const QUALITY = 70;
const TIMEOUT_MS = 60_000;
/** Time until animations have finished. */
const SETTLE_MS = 2500;
/** The auction page changes its price on each visit; a monitor can be triggered every ten seconds. */
const MORE_RUNS = 4;
const BETWEEN_RUNS_MS = 10_500;

type Ask = (path: string, body?: unknown) => Promise<Response>;

type PicturesParts = {
  readonly folder: string;
  /** Of the service whose console is drawn. */
  readonly origin: string;
  readonly key: string;
  /** Of the demo, which the service may visit. */
  readonly site: string;
  readonly ask: Ask;
};

/** A view to capture, with its path and preparatory actions. */
type DrawnPicture = { readonly name: string; readonly hash: string; readonly prepare?: (page: Page) => Promise<void> };

const CreatedData = z.object({ id: z.string() });
const WaitResult = z.object({ finished_at: z.string().nullable() });

/** Captures each view of the console in light and dark mode and on a phone. */
export async function drawConsole(parts: PicturesParts): Promise<void> {
  const views = await prepareViews(parts);
  const found = findConfiguredBrowsers({});
  if (found === null) throw new Error('there is no browser: npm run setup:browser gets one');
  await using browser = await chromium.launch({ executablePath: found.full.path, args: ['--no-sandbox'] });
  for (const look of LOOKS) await drawAll(browser, { ...parts, views, look });
}

type Look = { readonly name: string; readonly width: number; readonly height: number; readonly isDark: boolean };

const LOOKS: readonly Look[] = [
  { name: 'light', width: 1280, height: 800, isDark: false },
  { name: 'dark', width: 1280, height: 800, isDark: true },
  { name: 'phone', width: 390, height: 844, isDark: false },
];

/** Creates data for the views: a page, a crawl and a price monitor. */
async function prepareViews({ site, ask }: PicturesParts): Promise<readonly DrawnPicture[]> {
  const article = `${site}/articles/the-wheel-turns-again`;
  const crawled = { url: `${site}/shop`, include: ['/shop/*', '/articles/*', '/forum/*'], max_pages: 40 };
  const crawl = CreatedData.parse(await (await ask('/v1/jobs', { kind: 'crawl', input: crawled })).json());
  const price = { selector: '.price', type: 'money' };
  const monitor = { url: `${site}/shop/millstone-at-auction`, extract: { fields: { price } } };
  const watched = CreatedData.parse(
    await (await ask('/v1/monitors', { name: 'A millstone at auction', ...monitor })).json(),
  );
  while (WaitResult.parse(await (await ask(`/v1/jobs/${crawl.id}?wait_ms=30000`)).json()).finished_at === null);
  await ask('/v1/fetch', { url: article });
  for (let runs = 0; runs < MORE_RUNS; runs += 1) {
    await wait(BETWEEN_RUNS_MS);
    await ask(`/v1/monitors/${watched.id}/trigger`, {});
  }
  const input = { url: article, output: ['markdown', 'html', 'links', 'images', 'metadata', 'screenshot'] };
  return [
    { name: 'overview', hash: '/' },
    { name: 'playground', hash: '/playground?q=pages+of+a+site' },
    { name: 'fetch', hash: `/playground/fetch?input=${encodeURIComponent(JSON.stringify(input))}`, prepare: runForm },
    { name: 'explain', hash: `/explain?url=${encodeURIComponent(article)}`, prepare: explain },
    { name: 'jobs', hash: '/jobs' },
    { name: 'crawl', hash: `/jobs/${crawl.id}` },
    { name: 'monitors', hash: '/monitors' },
    { name: 'monitor', hash: `/monitors/${watched.id}` },
    { name: 'webhooks', hash: '/webhooks' },
    { name: 'usage', hash: '/usage' },
    { name: 'operator', hash: '/operator' },
  ];
}

async function explain(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Explain', exact: true }).click();
}

async function runForm(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page.getByRole('tab', { name: 'Markdown' }).waitFor();
}

type Drawing = PicturesParts & { readonly views: readonly DrawnPicture[]; readonly look: Look };

async function drawAll(browser: Browser, { origin, key, folder, views, look }: Drawing): Promise<void> {
  const context = await browser.newContext({
    viewport: { width: look.width, height: look.height },
    colorScheme: look.isDark ? 'dark' : 'light',
    reducedMotion: 'reduce',
    locale: 'en-GB',
    timezoneId: 'UTC',
  });
  context.setDefaultTimeout(TIMEOUT_MS);
  const page = await context.newPage();
  await page.goto(origin);
  await page.getByLabel('API key').waitFor();
  await drawView(page, join(folder, `console-sign-in-${look.name}.webp`));
  await page.getByLabel('API key').fill(key);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  for (const { name, hash, prepare } of views) {
    await page.goto(`${origin}/#${hash}`);
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await prepare?.(page);
    await page.mouse.move(0, 0);
    await page.waitForTimeout(SETTLE_MS);
    await drawView(page, join(folder, `console-${name}-${look.name}.webp`));
  }
  await context.close();
}

async function drawView(page: Page, file: string): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  const shot = await devtools.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY });
  await devtools.detach();
  const bytes = Buffer.from(shot.data, 'base64');
  if (bytes.length > MAX_BYTES) throw new Error(`${file} has ${bytes.length} bytes, and ${MAX_BYTES} are the most`);
  writeFileSync(file, bytes);
  process.stderr.write(`${file}: ${bytes.length} bytes\n`);
}
