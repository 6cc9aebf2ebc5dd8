import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { type Document, Firecrawl, type FormatOption } from '@mendable/firecrawl-js';
import { KEY, serveQuern } from '#support/quern.ts';
import { openScriptedModel } from '#support/model.ts';
import { inTemporaryFolder } from '#support/store.ts';
import { startHttpServer } from '#testkit/servers.ts';

const FILLER = 'The river runs past the village and the church. '.repeat(6);
const QUOTE = 'The mill opens at nine on weekdays.';

async function openMill() {
  return startHttpServer(({ url = '/' }, response) => {
    const text = url === '/inn' ? 'The inn pours dark beer.' : QUOTE;
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(
      `<title>Page</title><main><h1>Page</h1><p>${FILLER}</p><p>${text}</p><p>${FILLER}</p></main><a href="/inn">Inn</a>`,
    );
  });
}

const question = 'When does the mill open?';
const ASKED: FormatOption[] = [{ type: 'question', question }];
const QUOTED: FormatOption[] = ['markdown', { type: 'highlights', query: question }];

function listQuotes(documents: readonly Document[]): Readonly<Record<string, readonly unknown[]>> {
  return Object.fromEntries(
    documents.map(({ metadata, answer, highlights }) => [
      new URL(String(metadata?.sourceURL)).pathname,
      [answer, highlights],
    ]),
  );
}

suite('questions and highlights of the client of Firecrawl', { timeout: 120_000 }, () => {
  test('without a model, scrapes, batches and crawls quote the page', async () => {
    await using mill = await openMill();
    await inTemporaryFolder(async (folder) => {
      await using service = await serveQuern(folder, { QUERN_ALLOW_TARGETS: new URL(mill.origin).host });
      const client = new Firecrawl({ apiKey: KEY, apiUrl: `${service.origin}/firecrawl` });
      const page = await client.scrape(`${mill.origin}/`, { formats: QUOTED });
      assert.deepEqual([page.highlights, page.answer, page.warning], [QUOTE, QUOTE, undefined]);
      assert.match(page.markdown ?? '', /nine on weekdays/);
      const asked = await client.scrape(`${mill.origin}/`, { formats: ASKED });
      assert.deepEqual([asked.answer, asked.markdown], [QUOTE, undefined]);
      assert.match(asked.warning ?? '', /no language model/);
      const old = await client.scrape(`${mill.origin}/`, {
        formats: [{ type: 'query', prompt: question, mode: 'directQuote' }],
      });
      assert.deepEqual([old.answer, old.warning], [QUOTE, undefined]);
      const expected = { '/': [QUOTE, QUOTE], '/inn': ['', ''] };
      const batch = await client.batchScrape([`${mill.origin}/`, `${mill.origin}/inn`], {
        options: { formats: ASKED },
      });
      assert.deepEqual(listQuotes(batch.data), expected);
      const crawl = await client.crawl(mill.origin, { scrapeOptions: { formats: QUOTED }, pollInterval: 1 });
      assert.deepEqual(listQuotes(crawl.data), expected);
      for (const [formats, message] of [
        [['question'], /formats\.question\.question/],
        [[{ type: 'highlights', query: '' }], /formats\.highlights\.query/],
        [[...ASKED, { type: 'highlights', query: 'beer' }], /must ask the same/],
      ] as const) {
        const refused = await fetch(`${service.origin}/firecrawl/v2/scrape`, {
          method: 'POST',
          headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
          body: JSON.stringify({ url: mill.origin, formats }),
        });
        assert.equal(refused.status, 400);
        assert.match(await refused.text(), message);
      }
    });
  });

  test('with a model, a question is answered from the passages', async () => {
    await using mill = await openMill();
    await using model = await openScriptedModel(({ said }) => ({ text: said.includes(QUOTE) ? 'At nine.' : 'NONE' }));
    await inTemporaryFolder(async (folder) => {
      await using service = await serveQuern(folder, {
        QUERN_ALLOW_TARGETS: new URL(mill.origin).host,
        QUERN_MODEL_URL: model.url,
        QUERN_MODEL: 'scripted',
      });
      const client = new Firecrawl({ apiKey: KEY, apiUrl: `${service.origin}/firecrawl` });
      const page = await client.scrape(`${mill.origin}/`, {
        formats: [...ASKED, { type: 'highlights', query: question }],
      });
      assert.deepEqual([page.answer, page.highlights, page.metadata?.creditsUsed], ['At nine.', QUOTE, 12]);
    });
  });
});
