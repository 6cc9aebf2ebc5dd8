import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listBlockedUrls } from '#access/browser/overlays.ts';
import { browserTest, openRendered } from '../../support/rendered.ts';

/** Loads a file of each kind, and one of an ad server. */
const PAGE = `<style>@font-face { font-family: Mill; src: url(/mill.woff2) } h1 { font-family: Mill }</style>
  <h1>Mill</h1><img src="/mill.png"><audio src="/mill.mp3" preload="auto"></audio>
  <script src="http://ads.doubleclick.net/mill.js" async></script>`;

browserTest('blocked kinds are not requested, others are, and the page arrives without warnings', async () => {
  await using site = await openSite();
  const files = ['/mill.png', '/mill.woff2', '/mill.mp3'] as const;
  const screenshot = { fullPage: false, format: 'png' } as const;
  await site.visit('/mill', { screenshot });
  for (const path of files) assert.equal(site.visits(path).length > 0, true, path);
  assert.ok(site.asked().some((line) => line.includes('doubleclick.net')));
  const [earlier, asked] = [files.map((path) => site.visits(path).length), site.asked().length];
  const page = await site.visit('/mill', { screenshot, block: ['ads', 'images', 'fonts', 'media'] });
  assert.deepEqual([page.status, page.warnings, page.artifacts?.length], [200, [], 1]);
  assert.deepEqual(
    files.map((path) => site.visits(path).length),
    earlier,
  );
  const later = site.asked().slice(asked);
  assert.ok(later.some((line) => line.endsWith('/mill')));
  assert.ok(!later.some((line) => line.includes('doubleclick.net')));
});

async function openSite() {
  const site = await openRendered({ '/mill': PAGE }, { kind: 'full' });
  return { ...site, [Symbol.asyncDispose]: async (): Promise<void> => site.close() };
}

test('a site on the list of ads can load its own files', () => {
  const urls = listBlockedUrls('www.teads.tv', { isLight: false, ads: true });
  assert.ok(urls.includes('*://*.criteo.com/*') && urls.includes('*://openx.net/*'));
  assert.ok(!urls.some((url) => url.includes('teads.tv')));
  assert.deepEqual(listBlockedUrls('example.com', { isLight: false, ads: false }), []);
});
