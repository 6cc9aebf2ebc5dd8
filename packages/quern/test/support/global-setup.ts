import { findOrInstallBrowsers } from '#access/browser/install.ts';
import { findBrowserSources } from '#compose/browser-setup.ts';
import { buildChildEnvironment } from '#kernel/config.ts';
import { createTemplate, type PostgresServer, startPostgres, TEMPLATE_SETTING } from '#testkit/postgres.ts';
import { NO_BROWSER, SETTING } from './rendered.ts';

// The runner calls two functions of one module, and passes no value from one to the other.
let server: PostgresServer | null = null;

/** Finds a browser, and starts one PostgreSQL for all test files of a run unless one is configured. */
export async function globalSetup(): Promise<void> {
  await setUpBrowser();
  await setUpPostgres();
}

/** Tests that need a missing dependency report it. */
async function setUpBrowser(): Promise<void> {
  const market = findBrowserSources({ QUERN_CHROMIUM: SETTING });
  if (SETTING === 'off' || market.findBrowsers() !== null) return;
  say('none was found, and the tests need one: getting it, once');
  const { signal } = new AbortController();
  const found = await findOrInstallBrowsers(
    { ...market, wanted: 'any', environment: buildChildEnvironment(), onLine: say },
    signal,
  );
  if (found === null) say(NO_BROWSER);
}

function say(line: string): void {
  process.stderr.write(`browser: ${line}\n`);
}

async function setUpPostgres(): Promise<void> {
  if ((process.env['QUERN_TEST_POSTGRES'] ?? '') !== '') return;
  server = await startPostgres();
  process.env['QUERN_TEST_POSTGRES'] = server.url;
  process.env[TEMPLATE_SETTING] = await createTemplate(server.url);
}

export async function globalTeardown(): Promise<void> {
  await server?.stop();
}
