import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { interact } from '#features/interact/operation.ts';
import { BROWSERS, browserTest, type Pages } from '../../support/rendered.ts';
import { sessionSiteFor } from '../../support/sessions.ts';
import { runClaimed } from '../../support/engine/queue.ts';
import { withModel } from '../../support/model.ts';
import { type Gate, type GateOptions, withGate } from '../gate.ts';

const REPORT = 'sack;kg\nrye;25\n';

const PAGES: Pages = {
  '/files': `<a id="sent" href="/report?sent=1">report</a><a id="saved" href="/plain" download="a/b/../rye.csv">plain</a>
    <a id="inner" target="box" href="/report?inner=1">inner</a><iframe name="box"></iframe>
    <a id="tab" target="_blank" href="/report?tab=1">tab</a>
    <button id="blob" onclick="const link = document.createElement('a'); link.download = 'made.html';
      link.href = window.URL.createObjectURL(new Blob(['<b>made</b>'], { type: 'text/html' })); link.click();">blob</button>
    <a id="data" download="data.txt" href="data:text/plain,oats">data</a>
    <button id="later" onclick="setTimeout(() => { location.href = '/report?later=1'; }, 600)">later</button>
    <a id="large" href="/large">large</a><a id="announced" href="/announced">announced</a><a id="stalled" href="/stalled">stalled</a>
    <a id="mute" href="/mute">mute</a><a id="sniffed" href="/sniffed">sniffed</a><a id="off" href="/off" download>off</a><a id="cut" href="/cut">cut</a>
    <button id="many" onclick="for (let n = 0; n < 30; n += 1) { const link = document.createElement('a'); link.download = 'n' + n;
      link.href = window.URL.createObjectURL(new Blob(['n' + n])); link.click(); }">many</button>`,
  '/report': (_, response) =>
    void response
      .writeHead(200, { 'content-type': 'text/csv', 'content-disposition': 'attachment; filename="report.csv"' })
      .end(REPORT),
  '/plain': '<p>rye</p>',
  '/large': (_, response) => {
    response.writeHead(200, { 'content-type': 'application/octet-stream' });
    const piece = Buffer.alloc(1024 * 1024);
    const send = (): void => {
      while (!response.destroyed && response.write(piece));
    };
    response.on('drain', send);
    send();
  },
  '/announced': (_, response) =>
    void response
      .writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': String(60 * 1024 * 1024) })
      .write('x'.repeat(1000)),
  '/stalled': (_, response) =>
    void response.writeHead(200, { 'content-type': 'application/octet-stream' }).write('x'.repeat(1000)),
  '/mute': () => undefined,
  // The browser waits for more bytes before it detects the type.
  '/sniffed': (_, response) => void response.writeHead(200, { 'content-type': 'application/octet-stream' }).write('x'),
  '/cut': (_, response) => {
    response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': '1000' });
    response.write('x'.repeat(100), () => setTimeout(() => response.destroy(), 100));
  },
  '/off': (_, response) => void response.writeHead(302, { location: `http://127.0.0.1:${siteNow().canary}/off` }).end(),
};

const siteNow = sessionSiteFor(PAGES);
const siteOfShell = sessionSiteFor(PAGES, BROWSERS?.shell ?? null);

const Step = z.looseObject({
  status: z.string(),
  error: z.looseObject({ message: z.string() }).optional(),
  downloads: z
    .array(
      z.looseObject({ id: z.string(), url: z.string(), content_type: z.string(), bytes: z.number(), name: z.string() }),
    )
    .default([]),
});
const Body = z.looseObject({ completed: z.boolean(), final_url: z.string(), steps: z.array(Step) });

type Raw = Readonly<Record<string, unknown>>;

const click = (target: string, more: Raw = {}): Raw => ({ type: 'click', target, ...more });

async function act(gate: Gate, origin: string, actions: readonly Raw[]) {
  const { answer, error } = await gate.ask(interact, { url: `${origin}/files`, proxy: 'basic', actions });
  if (answer === null) throw error ?? new Error('no answer');
  const { steps, completed, final_url: url } = Body.parse(answer.body);
  return { steps, completed, url, files: steps.flatMap(({ downloads }) => downloads) };
}

async function withFiles(work: (gate: Gate, origin: string) => Promise<void>, options: GateOptions = {}) {
  const { openClimb, allow, origin } = siteNow();
  await withGate({ openClimb, allow, ...options }, async (gate) => work(gate, origin));
}

async function readFileText(gate: Gate, id: string): Promise<string> {
  const { pieces } = await gate.artifacts.find(gate.tenant, id);
  return Buffer.concat(await Array.fromAsync(pieces)).toString('utf8');
}

/** The download folders that sessions left in the browser profiles of this process. */
function leftFolders(): readonly string[] {
  return readdirSync(tmpdir())
    .filter((name) => name.startsWith(`quern-browser-${process.pid}-`))
    .flatMap((name) => readdirSync(join(tmpdir(), name)).filter((each) => each.startsWith('downloads-')));
}

for (const [program, siteOf] of [
  ['chromium', siteNow],
  ['chromium-headless-shell', siteOfShell],
] as const) {
  browserTest(`a click that starts a download returns the file, with ${program}`, async () => {
    const { openClimb, allow, origin } = siteOf();
    await withGate({ openClimb, allow }, async (gate) => {
      const targets = ['#sent', '#saved', '#inner', '#blob', '#data', '#tab'];
      const { steps, files, completed, url } = await act(gate, origin, [
        ...targets.map((target) => click(target)),
        { type: 'wait', ms: 500 },
      ]);
      assert.ok(completed, JSON.stringify(steps));
      assert.equal(url, `${origin}/files`);
      assert.deepEqual(
        steps[0]?.downloads.map(({ name }) => name),
        ['report.csv'],
      );
      assert.deepEqual(
        files.map(({ name, content_type: type }) => [name, type]),
        ['report.csv', 'a_b_.._rye.csv', 'report.csv', 'made.html', 'data.txt', 'report.csv'].map((name) => [
          name,
          'application/octet-stream',
        ]),
      );
      const texts = await Promise.all(files.map(async ({ id }) => readFileText(gate, id)));
      assert.deepEqual([texts[0], texts[2], texts[5]], [REPORT, REPORT, REPORT]);
      assert.match(texts[1] ?? '', /<p>rye<\/p>/);
      assert.deepEqual(texts.slice(3, 5), ['<b>made</b>', 'oats']);
      assert.deepEqual(
        files.map(({ bytes, url: at, id }) => [bytes, at, id]),
        files.map(({ id }, at) => [Buffer.byteLength(texts[at] ?? ''), `/v1/artifacts/${id}`, id]),
      );
      assert.deepEqual(leftFolders(), []);
    });
  });
}

browserTest('a download that starts during a wait is in the step of the wait', async () =>
  withFiles(async (gate, origin) => {
    const { steps } = await act(gate, origin, [click('#later'), { type: 'wait', ms: 1500 }]);
    assert.deepEqual(
      steps.map(({ downloads }) => downloads.length),
      [0, 1],
    );
  }),
);

browserTest('navigating to a file returns the file and keeps the page', async () =>
  withFiles(async (gate, origin) => {
    const { files, completed, url } = await act(gate, origin, [{ type: 'goto', url: `${origin}/report` }]);
    assert.deepEqual([completed, files.length, url], [true, 1, `${origin}/files`]);
  }),
);

browserTest('a file that is too large, stalls or breaks off fails its step with the reason', async () =>
  withFiles(async (gate, origin) => {
    const { steps, files, completed } = await act(gate, origin, [
      click('#large', { optional: true }),
      click('#announced', { optional: true }),
      click('#stalled', { optional: true, timeout_ms: 1500 }),
      click('#cut', { optional: true, timeout_ms: 5000 }),
      click('#sent'),
    ]);
    assert.deepEqual(
      steps.map(({ error }) => error?.message),
      [
        'the download of "large" was cancelled: the files of a session are at most 50 MiB together',
        'the download of "announced" was cancelled: the files of a session are at most 50 MiB together',
        'the download of "stalled" did not end within the time limit of the action',
        'the download of "cut" failed',
        undefined,
      ],
    );
    assert.deepEqual([completed, files.map(({ name }) => name)], [true, ['report.csv']]);
    assert.deepEqual(leftFolders(), []);
  }),
);

browserTest('a click whose response stalls fails within its time limit, and the session continues', async () =>
  withFiles(async (gate, origin) => {
    const stalls = ['#mute', '#sniffed'].map((target) => click(target, { optional: true, timeout_ms: 1500 }));
    const { steps, completed, files } = await act(gate, origin, [...stalls, click('#sent')]);
    const stalled = 'the target of the navigation did not answer in time';
    assert.deepEqual(
      steps.map(({ error }) => error?.message),
      [stalled, stalled, undefined],
    );
    assert.deepEqual([completed, files.map(({ name }) => name)], [true, ['report.csv']]);
  }),
);

browserTest('a session accepts ten files, and reports if a page starts more', async () =>
  withFiles(async (gate, origin) => {
    const more = click('#many', { optional: true });
    const { steps, files } = await act(gate, origin, [
      more,
      { type: 'wait', ms: 1200 },
      more,
      { type: 'wait', ms: 500, optional: true },
    ]);
    assert.ok(files.length <= 10);
    assert.ok(steps.some(({ error }) => error?.message === 'a session downloads at most 10 files'));
  }),
);

browserTest('the steps of a job contain its files', async () =>
  withFiles(async (gate, origin) => {
    const input = { url: `${origin}/files`, proxy: 'basic', actions: [click('#sent'), click('#tab')] };
    const { answer } = await gate.ask(interact, { ...input, timeout_ms: 100_000 });
    assert.equal(answer?.status, 202);
    const [claimed] = await gate.queue.leases.claim('w1', 1);
    assert.ok(claimed);
    assert.equal(await runClaimed(gate, claimed), 'ok');
    const find = gate.operations.find(({ id }) => id === 'jobs.result') ?? interact;
    const { steps } = Body.parse((await gate.ask(find, { id: claimed.row.id })).answer?.body);
    const ids = steps.map(({ downloads }) => downloads.map(({ id }) => id));
    assert.deepEqual(
      ids.map(({ length }) => length),
      [1, 1],
    );
    assert.equal(await readFileText(gate, ids[1]?.[0] ?? ''), REPORT);
  }),
);

/** A model that clicks the first element and then finishes. */
function clickFirst(_: unknown, index: number) {
  const input = index === 0 ? { element: 1 } : { success: true, result: 'It is there.' };
  return { calls: [{ name: index === 0 ? 'click' : 'finish', input }] };
}

browserTest('a model is told how many files its click downloaded, but not their names', async () => {
  await withModel(clickFirst, async ({ model, asked }) =>
    withFiles(
      async (gate, origin) => {
        const { answer } = await gate.ask(interact, { url: `${origin}/files`, prompt: 'Get the report.' });
        const { steps, completed } = Body.parse(answer?.body);
        assert.deepEqual([completed, steps[0]?.downloads.map(({ name }) => name)], [true, ['report.csv']]);
        assert.match(asked[1]?.said ?? '', /1\. click .*: done, and a file was downloaded for the person/);
        assert.doesNotMatch(asked[1]?.said ?? '', /report\.csv/);
      },
      { model },
    ),
  );
});

browserTest('a file whose URL leads to a forbidden target is not downloaded', async () =>
  withFiles(async (gate, origin) => {
    const { files } = await act(gate, origin, [click('#off', { optional: true }), { type: 'wait', ms: 500 }]);
    assert.deepEqual([files, siteNow().hits()], [[], []]);
  }),
);
