import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page, PageRequest, Visit } from '#access/page.ts';
import { classifyVisits } from '#access/classify/classifier.ts';
import { addBrowserRendering } from '#access/tiers/rendering.ts';

const ASKED: PageRequest = { url: new URL('https://shop.test/stones/7'), headers: {}, cookies: [] };
const TEXT = 'The mill grinds rye and wheat between two stones. '.repeat(10);
const SHELL = '<div id="root"></div><script src="/app.js"></script>';

function buildPage(html: string, status = 200): Page {
  const body = new Uint8Array(Buffer.from(html));
  const contentType = 'text/html';
  return { url: ASKED.url.href, status, headers: {}, contentType, body, wireBytes: body.length, warnings: [] };
}

/** A visit of a page that HTTP returns, and the input that the browser received for it. */
async function visited(html: string, render: Visit, status = 200) {
  const handed: PageRequest[] = [];
  const visit = addBrowserRendering(
    classifyVisits(async () => buildPage(html, status), { rendered: false }),
    classifyVisits(
      async (request, signal) => {
        handed.push(request);
        return render(request, signal);
      },
      { rendered: true },
    ),
  );
  const { page } = await visit(ASKED, AbortSignal.timeout(30_000));
  return { text: Buffer.from(page.body).toString(), rendered: page.rendered ?? false, handed };
}

const fills: Visit = async () => buildPage(`<p>${TEXT}</p>`);

test('a page that HTTP gets completely needs no browser, and neither does a refusal', async () => {
  for (const [html, status] of [
    [`<p>${TEXT}</p>`, 200],
    [SHELL, 403],
    ['<p>Closed today.</p>', 200],
  ] as const) {
    const { handed, rendered } = await visited(html, fills, status);
    assert.deepEqual([handed, rendered], [[], false], html);
  }
});

test('an app shell is passed to the browser, which starts from it', async () => {
  const { text, rendered, handed } = await visited(SHELL, fills);
  assert.deepEqual([text, rendered], [`<p>${TEXT}</p>`, true]);
  assert.equal(Buffer.from(handed[0]?.arrived?.body ?? []).toString(), SHELL);
});

test('an app shell that the browser cannot render is still a page', async () => {
  const { text, rendered } = await visited(SHELL, async () => Promise.reject(new Error('gone')));
  assert.deepEqual([text, rendered], [SHELL, false]);
});
