import assert from 'node:assert/strict';
import { z } from 'zod';
import { interact } from '#features/interact/operation.ts';
import { BROWSERS, browserTest, type Pages } from '../../support/rendered.ts';
import { sessionSiteFor } from '../../support/sessions.ts';
import { withGate } from '../gate.ts';

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);
const HTML = { 'content-type': 'text/html; charset=utf-8' };

/** Pages that open others, some of them late. */
const PAGES: Pages = {
  '/opens': `<img src="/grain.png"><a id="link" href="/slow" target="_blank" rel="noopener">link</a>
    <button id="late" onclick="setTimeout(() => window.open('/inn'), 1000)">late</button>
    <button id="blank" onclick="const tab = window.open('about:blank'); setTimeout(() => { tab.location = '/slow'; }, 500)">blank</button>
    <button id="brief" onclick="for (let n = 0; n < 8; n += 1) window.open('/inn').close()">brief</button>
    <button id="written" onclick="window.open('').document.write('<h1>Written</h1>')">written</button>`,
  '/grain.png': (_, response) => void response.setHeader('content-type', 'image/png').end(PIXEL),
  '/inn': '<h1>The inn</h1>',
  '/slow': (_, response) => void setTimeout(() => response.writeHead(200, HTML).end('<h1>Slow inn</h1>'), 1000),
};

const Body = z.looseObject({
  completed: z.boolean(),
  steps: z.array(
    z.looseObject({ status: z.string(), error: z.looseObject({ message: z.string() }).optional(), url: z.string() }),
  ),
  extracted: z.record(z.string(), z.unknown()),
});

const read = { type: 'content', name: 'page', output: 'markdown' };
const toLast = { type: 'switch', tab: 'last' };
const readIn = (id: string) => [{ type: 'click', target: `#${id}` }, toLast, read, { type: 'switch', tab: 0 }];

/** Both browsers are tested, if they are installed. */
for (const [program, siteNow] of [
  ['the full browser', sessionSiteFor(PAGES, BROWSERS?.full ?? null)],
  ['the headless shell', sessionSiteFor(PAGES, BROWSERS?.shell ?? null)],
] as const) {
  browserTest(`${program} loads images, and opens tabs that are read after they have loaded`, async () => {
    const { openClimb, allow, origin } = siteNow();
    await withGate({ openClimb, allow }, async (gate) => {
      const actions = [
        { type: 'wait', for: 'load' },
        { type: 'evaluate', name: 'wide', script: 'document.images[0].naturalWidth' },
        ...['link', 'late', 'blank', 'written'].flatMap(readIn),
      ];
      const { answer } = await gate.ask(interact, { url: `${origin}/opens`, proxy: 'basic', actions });
      const body = Body.parse(answer?.body);
      assert.equal(body.completed, true, JSON.stringify(body.steps.at(-1)));
      assert.equal(body.extracted['wide'], 1);
      assert.deepEqual(body.extracted['page'], ['# Slow inn\n', '# The inn\n', '# Slow inn\n', '# Written\n']);
    });
  });

  browserTest(`${program} keeps its session if tabs close as soon as they open`, async () => {
    const { openClimb, allow, origin } = siteNow();
    await withGate({ openClimb, allow }, async (gate) => {
      const brief = { type: 'click', target: '#brief' };
      const actions = [...Array.from({ length: 10 }, () => brief), { type: 'wait', ms: 300 }, read];
      const { answer } = await gate.ask(interact, { url: `${origin}/opens`, proxy: 'basic', actions });
      const body = Body.parse(answer?.body);
      assert.equal(body.completed, true, JSON.stringify(body.steps.at(-1)));
    });
  });

  browserTest(`${program} rejects a switch to a missing tab and lists the existing ones`, async () => {
    const { openClimb, allow, origin } = siteNow();
    await withGate({ openClimb, allow }, async (gate) => {
      const skipped = { timeout_ms: 300, optional: true };
      const actions = [
        { ...toLast, ...skipped },
        { type: 'switch', tab: 3, ...skipped },
        ...readIn('written').slice(0, 2),
        { ...toLast, ...skipped },
        { type: 'switch', tab: 2, ...skipped },
      ];
      const { answer } = await gate.ask(interact, { url: `${origin}/opens`, proxy: 'basic', actions });
      const { steps } = Body.parse(answer?.body);
      const one = `the session has tab 0 (${origin}/opens)`;
      const two = `the session has tabs 0 (${origin}/opens), 1 (about:blank)`;
      assert.deepEqual(
        steps.map(({ error }) => error?.message ?? ''),
        [
          `no tab was opened after this one: ${one}`,
          `there is no tab 3: ${one}`,
          '',
          '',
          `no tab was opened after this one: ${two}`,
          `there is no tab 2: ${two}`,
        ],
      );
    });
  });
}
