import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { readPage } from '#extract/read-page.ts';
import { buildMarkdownRequest } from '#testkit/read-request.ts';
import { BROWSERS, browserTest, openRendered, type Pages } from '../../support/rendered.ts';

const OPERATIONS = [
  ['GET', '/sacks', 'List the sacks in store'],
  ['POST', '/sacks', 'Fill a new sack'],
  ['GET', '/sacks/{id}', 'Show one sack'],
  ['DELETE', '/sacks/{id}', 'Throw a sack away'],
] as const;

/** An application that renders an API reference: operations are collapsed, their headings are buttons. */
const PAGES: Pages = {
  '/description.json': (_, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(OPERATIONS)),
  '/reference': `<div id="root"></div><script>
    const draw = ([method, path, summary]) => '<div class="operation"><button aria-expanded="false"><span>' + method +
      '</span><span><a href="#' + path + '">' + path + '</a></span><div>' + summary + '</div></button><button>Try it out</button></div>';
    fetch('/description.json').then((one) => one.json()).then((operations) => {
      root.innerHTML = '<header><a href="/">Mill</a><button>Authorize</button></header><h1>Mill API</h1>' +
        '<p>The mill keeps sacks of flour. Every call needs a key, which the miller sends by post.</p>' +
        '<main>' + operations.map(draw).join('') + '</main>';
    });</script>`,
};

let rendered: Awaited<ReturnType<typeof openRendered>>;
before(async () => {
  if (BROWSERS !== null) rendered = await openRendered(PAGES, { footer: '' });
});
after(async () => {
  if (BROWSERS !== null) await rendered.close();
});

browserTest('API operations rendered from a specification are read, and their "try it" buttons are not', async () => {
  const page = await rendered.visit('/reference');
  const { markdown = '' } = readPage(buildMarkdownRequest(page.body, page.url)).outputs;
  for (const [method, path, summary] of OPERATIONS) {
    assert.ok(markdown.includes(method) && markdown.includes(path) && markdown.includes(summary), markdown);
  }
  assert.match(markdown, /Every call needs a key/);
  assert.doesNotMatch(markdown, /Try it out|Authorize/);
});
