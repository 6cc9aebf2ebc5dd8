import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before } from 'node:test';
import axe from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'patchright-core';
import { z } from 'zod';
import type { StoreKind } from '#store/db.ts';
import { KEY, type Settings } from './quern.ts';
import { BROWSERS, browserTest } from './rendered.ts';
import { openSchema } from './schema.ts';
import { TESTED_STORES } from './store.ts';

const PATIENCE_MS = 30_000;
const PHONE = { width: 390, height: 844 };
const DESK = { width: 1280, height: 860 };

/** A browser for users of the console of a service. */
export type ConsoleBrowser = AsyncDisposable & {
  /** Opens a page such as `/jobs` for a user with a separate session and cookies. */
  readonly open: (hash: string, person?: Person) => Promise<Page>;
};

type Person = {
  /** The key to sign in with, by default the first one of the service; null to stay signed out. */
  readonly key?: string | null;
  readonly isOnPhone?: boolean;
  readonly colours?: 'light' | 'dark';
};

/** Opens a browser for a service; console messages and errors of its pages are collected and must be empty. */
export async function openConsole(origin: string, faults: string[]): Promise<ConsoleBrowser> {
  const browser: Browser = await chromium.launch({
    executablePath: BROWSERS?.shell.path ?? 'none',
    args: ['--no-sandbox'],
  });
  return {
    async open(hash, { key = KEY, isOnPhone = false, colours = 'light' } = {}) {
      const options: BrowserContextOptions = {
        viewport: isOnPhone ? PHONE : DESK,
        colorScheme: colours,
        reducedMotion: 'reduce',
        locale: 'en-GB',
      };
      const context = await browser.newContext(options);
      context.setDefaultTimeout(PATIENCE_MS);
      const page = await context.newPage();
      page.on('pageerror', (error) => faults.push(error.message));
      page.on('response', (response) => {
        if (!response.url().startsWith(origin) && !/^(?:blob|data):/.test(response.url())) faults.push(response.url());
      });
      await page.goto(`${origin}/#${hash}`);
      if (key !== null) await signInAs(page, key);
      return page;
    },
    async [Symbol.asyncDispose]() {
      await browser.close();
    },
  };
}

/** The kind of store for tests of the page alone. */
export const EMBEDDED: readonly StoreKind[] = ['sqlite'];

/** A console test on each kind of store, unless kinds are given. */
export type ConsoleTest<Shared> = (
  name: string,
  work: (shared: Shared) => Promise<void>,
  kinds?: readonly StoreKind[],
) => void;

/** Tests that share a service and a browser for each kind of store; console errors must be empty. */
export function consoleTests<Shared>(
  open: (kind: StoreKind, stage: AsyncDisposableStack, faults: string[]) => Promise<Shared>,
): ConsoleTest<Shared> {
  const stage = new AsyncDisposableStack();
  const faults: string[] = [];
  const opened = new Map<StoreKind, Shared>();
  before(async () => {
    if (BROWSERS === null) return;
    for (const kind of TESTED_STORES) opened.set(kind, await open(kind, stage, faults));
  });
  after(async () => {
    await stage.disposeAsync();
    assert.deepEqual(faults, []);
  });
  return (name, work, kinds = TESTED_STORES) => {
    for (const kind of kinds) {
      browserTest(`${name} (${kind})`, async () => {
        const shared = opened.get(kind);
        assert.ok(shared !== undefined);
        await work(shared);
      });
    }
  };
}

/** The settings of a service on a new, empty store of this kind. */
export async function buildStoreSettings(kind: StoreKind, stage: AsyncDisposableStack): Promise<Settings> {
  if (kind === 'sqlite') return {};
  const { url } = stage.use(await openSchema());
  return { QUERN_DATABASE_URL: url, QUERN_SECRET_KEY: randomBytes(32).toString('base64') };
}

/** Signs in as a user does; the URL in the address bar stays. */
export async function signInAs(page: Page, key = KEY): Promise<void> {
  await page.getByLabel('API key').fill(key);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor({ state: 'detached' });
}

const Violations = z.array(z.object({ id: z.string(), nodes: z.array(z.object({ html: z.string() })) }));

/** The axe violations of the current page, each with its markup. */
export async function findViolations(page: Page): Promise<readonly string[]> {
  // It is half a megabyte of code, so a page gets it once.
  if ((await page.evaluate('typeof axe')) !== 'object') await page.evaluate(`${axe.source};undefined`);
  const found: unknown = await page.evaluate(
    "axe.run(document, { iframes: false, resultTypes: ['violations'], runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] }).then((all) => all.violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => ({ html })) })))",
  );
  return Violations.parse(found).flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}

/** Whether any element of the page is wider than its window. */
export async function isTooWide(page: Page): Promise<boolean> {
  return z.boolean().parse(await page.evaluate('document.documentElement.scrollWidth > innerWidth'));
}
