import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Visit } from '#access/page.ts';
import { withGate, buildTestPage } from './gate.ts';
import { createMonitorCalls, PRICE, pass, runAll } from '../support/engine/monitoring.ts';

const MINUTE_MS = 60_000;
const FORM = '<form action="/s"><input name="user"><input type="password" name="pw"><button>Go</button></form>';
const product = (price: string, beside = '') =>
  `<title>Rye flour</title>${beside}<main><h1>Rye flour</h1><p class="price">${price} EUR</p></main>`;

const FIELDS = { extract: { ...PRICE.extract, title: { selector: 'h1' } } };
const PRICE_ALONE = { extract: PRICE.extract };
const TEXT = { extract: undefined, watch: { mode: 'content', content: { of: 'text' } } };

type Watched = {
  statuses: (string | undefined)[];
  codes: (string | undefined)[];
  changes: number;
  warnings: string;
};

/** The statuses of monitor runs over consecutive pages, and all changes. */
async function watch(pages: readonly string[], more: Readonly<Record<string, unknown>>) {
  let html = '';
  const http: Visit = async ({ url }) => buildTestPage({ url: url.href, text: html });
  const seen: Watched = { statuses: [], changes: 0, codes: [], warnings: '' };
  await withGate({ tierVisits: { http } }, async (gate) => {
    const monitors = createMonitorCalls(gate);
    html = pages[0] ?? '';
    const id = await monitors.made({ cron: '*/5 * * * *', ...more });
    await runAll(gate);
    for (const next of pages.slice(1)) {
      html = next;
      await pass(gate, 5 * MINUTE_MS);
    }
    const runs = (await monitors.runs(id)).toReversed();
    seen.statuses = runs.map(({ status }) => status);
    seen.codes = runs.map(({ error }) => error?.code);
    seen.warnings = runs[0]?.warnings.join() ?? '';
    seen.changes = (await monitors.changes(id)).length;
  });
  return seen;
}

const LOGINS: Readonly<Record<string, string>> = {
  'with a title': `<title>Log in | Mill</title><h1>Welcome</h1>${FORM}`,
  'with a headline': `<title>Mill</title><h1>Please sign in to continue</h1>${FORM}<p>Forgot your password? Register here.</p>`,
  'with a heading of the second level': `<title>Mill</title><h2>Customer login</h2><div>${FORM}</div>`,
  'in German': `<html lang=de><title>Mühle – Anmelden</title><h1>Willkommen</h1>${FORM}`,
  'in French': `<title>Connexion - Moulin</title>${FORM}`,
  'in Spanish': `<title>Iniciar sesión</title>${FORM}`,
  'in Japanese': `<title>ログイン | 製粉所</title>${FORM}`,
  'in Russian': `<title>Вход в личный кабинет</title>${FORM}`,
  'in two steps, without a password yet': `<title>Sign in – Mill</title><h1>Sign in</h1><form><input type=email name=email autocomplete=username><button>Next</button></form>`,
  'without a form element': `<title>Sign in</title><div><input name=user><input type=PASSWORD></div>`,
  'with the header and footer of its site': `<title>Login</title><header><nav>${'<a href="/a">Flours and grains</a> '.repeat(60)}</nav></header>${FORM}<footer>${'Imprint and terms of the mill. '.repeat(60)}</footer>`,
  'that says nothing but its form': `<title>Mill</title><h1>Mill intranet</h1>${FORM}`,
};

for (const [name, login] of Object.entries(LOGINS)) {
  test(`a login page ${name} is a failed run`, async () => {
    for (const more of [PRICE_ALONE, FIELDS, TEXT]) {
      if (more === FIELDS && name === 'that says nothing but its form') continue;
      const { statuses, changes, codes } = await watch([product('100'), login, product('100')], more);
      assert.deepEqual(statuses, ['completed', 'failed', 'completed'], JSON.stringify(more));
      assert.equal(codes[1], 'target_blocked');
      assert.equal(changes, 0);
    }
  });
}

const HARMLESS: Readonly<Record<string, string>> = {
  'in the header': `<header>${FORM}</header>`,
  'in a bar before the content': `<div>${FORM}</div>`,
  'in a sidebar with a heading': `<div class="side-bar"><h3>Log in</h3>${FORM}</div>`,
  'that is hidden': `<div style="display: none"><h2>Sign in</h2>${FORM}</div>`,
  'in a closed dialog': `<dialog><h2>Sign in</h2>${FORM}</dialog>`,
};

for (const [name, form] of Object.entries(HARMLESS)) {
  test(`a page with a login form ${name} is a successful run, even if the form is new`, async () => {
    for (const more of [PRICE_ALONE, FIELDS]) {
      const { statuses, changes } = await watch([product('100'), product('100', form), product('90', form)], more);
      assert.deepEqual(statuses, ['completed', 'completed', 'completed']);
      assert.equal(changes, 1);
    }
    const { statuses } = await watch([product('100', form), product('90', form)], TEXT);
    assert.deepEqual(statuses, ['completed', 'completed']);
  });
}

const loginHeaded = (text: string) => `<title>Log in</title><h1>${text}</h1>${FORM}`;

test('a monitor of a login page keeps watching it, with a warning', async () => {
  for (const more of [{ extract: { title: { selector: 'h1' } } }, TEXT]) {
    const { statuses, changes, warnings } = await watch(
      [loginHeaded('Log in'), loginHeaded('Log in to the new mill')],
      more,
    );
    assert.deepEqual(statuses, ['completed', 'completed']);
    assert.equal(changes, 1);
    assert.match(warnings, /asks for a login/);
  }
});

test('a login page after a page with content fails the run', async () => {
  const login = LOGINS['with a title'] ?? '';
  const { statuses } = await watch([login, login, product('100'), login], PRICE_ALONE);
  assert.deepEqual(statuses, ['completed', 'completed', 'completed', 'failed']);
});

for (const [name, title] of [
  ['that access is denied', 'Access denied'],
  ['that the site is under maintenance', 'Site under maintenance'],
  ['that the site is down', 'Service temporarily unavailable | Mill'],
  ['that the page does not exist', '404 Not Found'],
  ['that the site is under maintenance, in German', 'Wartungsarbeiten'],
] as const) {
  test(`a page with status 200 that only states ${name} is a failed run`, async () => {
    const refusal = `<title>${title}</title><p>Please come back later.</p>`;
    for (const more of [PRICE_ALONE, FIELDS, TEXT]) {
      // Such a page may be temporary, so the run is tried again.
      const { statuses, changes } = await watch([product('100'), refusal, refusal, product('100')], more);
      assert.deepEqual([statuses[1], statuses.at(-1), changes], ['failed', 'completed', 0]);
    }
    const status = await watch([refusal, refusal, product('100')], TEXT);
    assert.deepEqual([...new Set(status.statuses)], ['completed']);
    assert.equal(status.changes, 1);
  });
}
