import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { answerWithResponses } from '#features/search/answers/responses.ts';
import { answerWithSonar } from '#features/search/answers/sonar.ts';
import { toArray } from '#extract/values/raw.ts';
import { createEndpointClient } from '#llm/endpoint-client.ts';
import { startHttpServer } from '#testkit/servers.ts';
import { assertFields, findRecord, readRecorded, SKIP_RECORDED } from '#testkit/sites/recorded-pages.ts';

// The URLs in these recordings were replaced, so they prove only text and order.
test('recorded search pages give their results with titles and snippets', { skip: SKIP_RECORDED }, () => {
  for (const [engine, count, expected] of [
    [
      'duckduckgo',
      10,
      {
        '0.title': 'Using the Fetch API - Web APIs | MDN - MDN Web Docs',
        '1.title': 'JavaScript fetch API - W3Schools',
        '2.title': 'Fetch API in JavaScript - GeeksforGeeks',
        '3.title': 'How to Use JavaScript Fetch API: Step-by-Step Guide with Examples',
        '0.is_paid': false,
      },
    ],
    [
      'yandex',
      11,
      {
        '0.title': 'Using theFetchAPI - Web APIs | MDN',
        '0.url_shown': 'developer.mozilla.org›en-US/docs/Web/API/Fetch_…',
        '1.title': 'Fetch',
        '1.url_shown': 'learn.javascript.ru›Сетевые запросы',
      },
    ],
    [
      'baidu',
      8,
      {
        '0.title': 'megadeath- Baidu Baike',
        '1.title': 'Megadeth | Members, Songs, Albums, Rust in Peace, Symphony of...',
        '2.title': 'A Look Back at Rock History | How Did the Name Megadeth Come About? - Bilibili',
      },
    ],
    [
      'ecosia',
      10,
      {
        '0.title': 'What is "tool use", exactly? : r/LocalLLaMA - Reddit',
        '0.description':
          '02.08.2025 ... The best resource to understand tools is Meta\'s "Toolformer" paper, which invented the idea of tool-calling agents.',
        '1.title': 'What Are Tools in the Scope of LLMs and Why Are They So ...',
        '2.title': 'From RAG to Tool Use - Cohere',
      },
    ],
  ] as const) {
    const { results } = findRecord(`engines.${engine}`, `${engine}__search_results.html`);
    assert.equal(toArray(results).length, count, engine);
    assertFields(results, expected);
  }
});

const wire = createEndpointClient({ connectMs: 2000, answerMs: 5000, answerBytes: 1_000_000 });
after(async () => wire.close());

const QUESTION = { prompt: 'What is new?', country: null, sourceTimeoutMs: 1000 };

/** The result for a recorded response of a model. */
async function answerFrom(ask: typeof answerWithSonar, folder: string, file: string) {
  const body = readRecorded(folder, file);
  await using site = await startHttpServer((request, response) => {
    request.resume().on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end(body));
  });
  const model = { url: `${site.origin}/v1`, key: null, model: 'any' };
  return await ask(model, QUESTION, { wire, mayVisit: () => true, signal: AbortSignal.timeout(5000) });
}

test('a recorded chat completion keeps its numbered citations', { skip: SKIP_RECORDED }, async () => {
  const answer = await answerFrom(answerWithSonar, 'answerengine/prompt', 'perplexity-text.json');
  assertFields(answer, {
    model: 'sonar',
    // The text has five of the six citations.
    'sources.length': null,
    'sources.0.url': 'https://www.modernchristmastrees.com/innovative-approaches-holiday-decor-modern-interior-design/',
    'sources.1.url': 'https://camillestyles.com/design/modern-christmas-decorating-ideas/',
    'sources.3.url': 'https://www.youtube.com/watch?v=GVxMMHAwzIU',
    related: [],
  });
  assert.equal(answer.sources.length, 5);
  assert.match(answer.markdown, /^\*\*EcoVista Day\*\* is a new annual holiday .*creativity\.\[1\]\[2\]/);
});

test('recorded Responses API answers have the pages of their annotations', { skip: SKIP_RECORDED }, async () => {
  const answer = await answerFrom(answerWithResponses, 'assistant/prompt', 'openai-web-search-tool.1.json');
  assertFields(answer, {
    model: 'gpt-5-mini-2025-08-07',
    'sources.0.url': 'https://www.theverge.com/podcast/838932/openai-chatgpt-code-red-vergecast',
    'sources.0.title': 'Why OpenAI declared a code red for ChatGPT | The Verge',
    'sources.2.url':
      'https://www.investopedia.com/5-things-to-know-before-the-stock-market-opens-december-5-2025-11862701',
    'sources.3.title': 'Towards the AI Cloud: Our Series F - Vercel',
    'sources.4.url': 'https://www.sentinelone.com/vulnerability-database/cve-2025-49826/',
    'sources.5.title': 'Check Out Highlights From WIRED’s 2025 Big Interview Event | WIRED',
  });
  assert.equal(answer.sources.length, 7);
  assert.match(answer.markdown, /^Short answer first — yes\./);
  const short = await answerFrom(answerWithResponses, 'assistant/prompt', 'azure-web-search-preview-tool.1.json');
  assertFields(short, {
    model: 'gpt-4.1-mini',
    'sources.0.title': 'While You Were Sleeping: 5 stories you might have missed, Nov 19, 2025',
  });
});
