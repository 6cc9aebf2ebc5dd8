import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { buildXlsx } from '#testkit/office.ts';
import { buildPdf } from '#testkit/pdf.ts';
import { buildTestPage, SITE, withGate } from './gate.ts';
import { checkSum, Crawled, listStoredPaths } from '../support/engine/crawl-result.ts';
import { getOperation } from '../support/engine/queue.ts';

const LINE = 'Whoever brings grain to the mill in the morning has fine flour of it by noon.';
const REPORT = buildPdf([
  {
    shown: [{ text: LINE, x: 72, y: 700 }],
    links: [{ area: [72, 690, 120, 712], url: `${SITE}prices.xlsx` }],
  },
]);
const PRICES = buildXlsx([{ name: 'Prices', rows: '<row><c t="str"><v>Rye</v></c><c><v>12.5</v></c></row>' }]);
const TYPES = { pdf: 'application/pdf', sheet: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet' };

const Fetched = z.looseObject({
  markdown: z.string(),
  content_type: z.string(),
  metadata: z.looseObject({ page_count: z.number() }),
});

async function http({ url }: { readonly url: URL }) {
  const shown = { url: url.href };
  if (url.pathname === '/report.pdf') return buildTestPage({ ...shown, contentType: TYPES.pdf, body: REPORT });
  if (url.pathname === '/prices.xlsx') return buildTestPage({ ...shown, contentType: TYPES.sheet, body: PRICES });
  return buildTestPage({ ...shown, text: `<p>The mill and its papers.</p><a href="/report.pdf">Report</a>` });
}

test('a document is fetched like a page, at the price of a page', async () =>
  withGate({ tierVisits: { http } }, async (gate) => {
    const fetched = await gate.fetch({ url: `${SITE}report.pdf` });
    const { markdown, content_type, metadata } = Fetched.parse(fetched.answer?.body);
    assert.match(markdown, /^\[Whoever brings?\]\(https:.*prices\.xlsx\).* by noon\.\n$/);
    assert.deepEqual([content_type, metadata.page_count], [TYPES.pdf, 1]);
    assert.equal((await gate.spent())[0], 2);
  }));

test('a crawl includes documents, and follows the links in them', async () =>
  withGate({ tierVisits: { http } }, async (gate) => {
    const input = { url: SITE, delay_ms: 0, respect_robots: false, sitemap: 'skip' };
    const all = Crawled.parse((await gate.ask(getOperation('crawl'), input)).answer?.body);
    assert.deepEqual(listStoredPaths(all), ['/', '/prices.xlsx', '/report.pdf']);
    const sheet = all.pages.find(({ url }) => url.endsWith('xlsx'));
    assert.match(String(sheet?.['markdown']), /^## Prices\n\n\| Rye \| 12\.5 \|/);
    checkSum(all);
  }));
