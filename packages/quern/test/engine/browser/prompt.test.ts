import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { interact } from '#features/interact/operation.ts';
import { type ModelRequest, type Line, type ModelParts, type Script, withModel } from '../../support/model.ts';
import { browserTest, type Pages } from '../../support/rendered.ts';
import { sessionSiteFor, threeAtOnce } from '../../support/sessions.ts';
import { type Gate, type GateOptions, SITE, withGate } from '../gate.ts';
import { checkBooks, runClaimed } from '../../support/engine/queue.ts';

const SECRET = 'Hunter-2 & "rye"/ü';
const ECHOES = `<label>Word <input oninput="const v = this.value; said.textContent = v; up.textContent = v.toUpperCase();
  back.textContent = [...v].reverse().join(''); wide.textContent = [...v].join(' '); coded.textContent = encodeURIComponent(v);
  based.textContent = btoa(unescape(encodeURIComponent(v))); this.title = v; document.title = v; history.replaceState(0, '', '#' + v);
  box.setAttribute('aria-label', v); pic.alt = v; inner.srcdoc = '<p>' + v + '</p>'; shown.value = v"></label><input id="shown" aria-label="Shown">
  <p id="said"></p><p id="up"></p><p id="back"></p><p id="wide"></p><p id="coded"></p><p id="based"></p>
  <button id="box">box</button><img id="pic" src="x"><iframe id="inner"></iframe>`;
const ROWS = Array.from(
  { length: 590 },
  (_, n) =>
    `<tr><td><a href="/item/${n}">Flour number ${n}</a></td><td>${n * 3} kg</td><td><button>Add ${n}</button></td></tr>`,
);
const PAGES: Pages = {
  '/form': `<h1>Orders</h1><form action="/sent"><label>Name <input name="name"></label><label>Word <input name="word" type="password"></label>
    <select name="grain" aria-label="Grain"><option>Rye<option>Oats</select><label><input type="checkbox" name="fine"> Fine</label><button>Send</button></form>`,
  '/sent': '<h1>Sent</h1><p>Order 1234 of 3 sacks</p>',
  '/still': '<button>Nothing</button>',
  '/ticks':
    '<button>Nothing</button><p id="t"></p><script>setInterval(() => { t.textContent = Date.now(); }, 130)</script>',
  '/empty':
    '<div id="root"></div><script>setTimeout(() => { root.innerHTML = "<button>Order</button>"; }, 1200)</script>',
  '/echoes': ECHOES,
  '/rooms': `<div id="host"></div><iframe srcdoc="<button onclick='parent.postMessage(1, String.fromCharCode(42))'>Inside</button>"></iframe>
    <p id="said"></p><script>onmessage = () => { said.textContent = 'inside was clicked'; };
    const root = host.attachShadow({ mode: 'open' }); root.innerHTML = '<button>Shadow</button>';
    root.firstChild.onclick = () => { said.textContent = 'shadow was clicked'; };</script>`,
  '/large': `<h1>Shop</h1><p>${'Rye is ground slowly. '.repeat(30)}</p><table>${ROWS.join('')}</table>`,
};
const FORM_SCHEMA = { type: 'object', properties: { order: { type: 'integer' } }, required: ['order'] };

/** A chat completion with exactly these calls. */
function withCalls(calls: unknown): string {
  const message = { role: 'assistant', content: null, tool_calls: calls };
  return JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'tool_calls' }] });
}

const Body = z.looseObject({
  completed: z.boolean(),
  failed_step: z.int().optional(),
  result: z.string().nullable(),
  data: z.unknown().optional(),
  steps: z.array(
    z.looseObject({ type: z.string(), status: z.string(), error: z.looseObject({ message: z.string() }).optional() }),
  ),
  warnings: z.array(z.looseObject({ code: z.string() })),
});

const siteNow = sessionSiteFor(PAGES);

type Raw = Readonly<Record<string, unknown>>;
type Work = (gate: Gate, model: ModelParts) => Promise<void>;

async function withPrompts(script: Script, work: Work, options: GateOptions = {}): Promise<void> {
  const { openClimb, allow } = siteNow();
  await withModel(script, async (parts) =>
    withGate({ openClimb, allow, model: parts.model, ...options }, async (gate) => work(gate, parts)),
  );
}

async function ask(gate: Gate, path: string, more: Raw = {}) {
  const { answer, error } = await gate.ask(interact, toRaw(path, more));
  if (answer === null) throw error ?? new Error('no answer');
  return { ...Body.parse(answer.body), usage: answer.usage };
}

function toRaw(path: string, more: Raw = {}): Raw {
  return { url: new URL(path, siteNow().origin).href, prompt: 'Order rye.', ...more };
}

/** The number of a line in the snapshot of a question. */
function findNumber({ said }: ModelRequest, line: string): number {
  const found = said.split('\n').find((one) => one.startsWith('[') && one.includes(`] ${line}`));
  assert.ok(found !== undefined, `${line} in ${said}`);
  return Number.parseInt(found.slice(1), 10);
}

const call = (name: string, input: unknown): Line => ({ calls: [{ name, input }] });
const done = (data?: unknown): Line => call('finish', { success: true, result: 'It is done.', data });

const orderOats = (asked: ModelRequest, at: number): Line =>
  [
    () => call('type', { element: findNumber(asked, 'textbox "Name"'), text: 'Ada {{word}}' }),
    () => call('select', { element: findNumber(asked, 'combobox "Grain"'), label: 'Oats' }),
    () => call('check', { element: findNumber(asked, 'checkbox "Fine"') }),
    () => call('click', { element: findNumber(asked, 'button "Send"') }),
    () => call('content', {}),
    () => done({ order: 1234, extra: 1 }),
  ][at]?.() ?? done();

browserTest('a session types, selects, clicks and returns data that matches the schema, at a flat price', async () => {
  await withPrompts(orderOats, async (gate, { asked }) => {
    const { completed, result, data, steps, warnings, usage } = await ask(gate, '/form', {
      extract: { schema: FORM_SCHEMA },
      variables: { word: SECRET },
      output: ['text'],
    });
    assert.deepEqual([completed, result, data, warnings], [true, 'It is done.', { order: 1234 }, []]);
    assert.deepEqual(
      steps.map(({ type, status }) => `${type} ${status}`),
      ['type ok', 'select ok', 'check ok', 'click ok', 'content ok'],
    );
    assert.match(siteNow().asked().at(-1) ?? '', /\/sent\?name=Ada\+Hunter.*grain=Oats&fine=on/);
    assert.deepEqual(usage, { credits: 25, base: 25, surcharge: 0, tier: 'browser' });
    assert.deepEqual(await gate.spent(), [25, 0]);
    assert.match(asked.at(-1)?.text ?? '', /Order 1234 of 3 sacks/);
    assert.match(asked[1]?.said ?? '', /1\. type .*Ada \{\{word\}\}.*: done/);
  });
});

const order = (asked: ModelRequest, at: number): Line =>
  at === 0 ? call('click', { element: findNumber(asked, 'button "Order"') }) : done();

browserTest('the first question includes content that a script adds to an empty page', async () => {
  await withPrompts(order, async (gate) => {
    const { completed, steps } = await ask(gate, '/empty');
    assert.deepEqual([completed, steps.map(({ status }) => status)], [true, ['ok']]);
  });
});

const lookAround = (asked: ModelRequest, at: number): Line =>
  [
    () => call('click', { element: findNumber(asked, 'button "Shadow"') }),
    () => call('click', { element: findNumber(asked, 'button "Inside"') }),
    () => call('click', { element: 999 }),
    () => done(),
  ][at]?.() ?? done();

browserTest('element numbers work in shadow trees and frames, and those of an older snapshot are invalid', async () => {
  await withPrompts(lookAround, async (gate, { asked }) => {
    const { steps } = await ask(gate, '/rooms');
    assert.match(asked[1]?.text ?? '', /shadow was clicked/);
    assert.match(asked[2]?.text ?? '', /inside was clicked/);
    assert.equal(steps[2]?.error?.message, 'no element 999 in the last snapshot');
  });
});

browserTest('invalid calls are reported to the model, and five in a row end the session', async () => {
  const mistakes: readonly Line[] = [
    call('click', '{"element": 1'),
    call('fly', {}),
    call('click', { element: 'one' }),
    call('click', { element: 1, where: 'here' }),
    call('finish', { success: 'yes' }),
    { text: 'I would click the button.' },
    { text: '' },
    { raw: withCalls([{ id: 'a', type: 'function', function: { name: 'click', arguments: null } }]) },
    { raw: withCalls([{ function: { arguments: '{}' } }]) },
    { raw: withCalls('click') },
    { raw: withCalls(['click']) },
    { calls: [{ name: 'click', input: '{"element": ' }], finish: 'length' },
  ];
  // Four in a row are allowed; a valid call resets the count.
  const lines = mistakes.flatMap((line, at) => (at % 4 === 3 ? [line, call('wait', { ms: at })] : [line]));
  const script = (_: ModelRequest, at: number): Line => lines[at] ?? done();
  await withPrompts(script, async (gate, { asked }) => {
    const { completed, steps } = await ask(gate, '/still');
    assert.deepEqual([completed, steps.length, asked.length], [true, 3, lines.length + 1]);
    const told = asked.at(-1)?.said ?? '';
    assert.equal((told.match(/\(not done: /g) ?? []).length, mistakes.length);
    assert.match(told, /there is no tool "fly"; the tools are click, type, .*finish/);
    assert.match(told, /the response had no tool call/);
    assert.match(told, /is not valid JSON; it was truncated/);
    assert.deepEqual(await gate.spent(), [25, 0]);
  });
  await withPrompts([{ text: 'I would click the button.' }], async (gate, { asked }) => {
    const { completed, warnings } = await ask(gate, '/still');
    assert.deepEqual([completed, warnings.map(({ code }) => code), asked.length], [false, ['model_refused'], 5]);
    assert.deepEqual(await gate.spent(), [0, 0]);
  });
});

browserTest('a call with an object as input is executed, and further calls in the same response are not', async () => {
  const click = { type: 'function', function: { name: 'click', arguments: { element: 1 } } };
  const script: Script = [{ raw: withCalls([click, click]) }, done()];
  await withPrompts(script, async (gate, { asked }) => {
    const { completed, steps } = await ask(gate, '/still');
    assert.deepEqual([completed, steps.map(({ type, status }) => `${type} ${status}`)], [true, ['click ok']]);
    assert.match(asked[1]?.said ?? '', /not done: 1 more call/);
  });
});

browserTest('a refusal ends the session as not completed', async () => {
  await withPrompts([{ refusal: 'I will not.' }], async (gate) => {
    const { completed, warnings, data } = await ask(gate, '/still', { extract: { order: 'integer' } });
    assert.deepEqual([completed, warnings[0]?.code, data], [false, 'model_refused', null]);
  });
});

browserTest('a session that repeats itself is ended, even on a page that changes', async () => {
  const turns = [call('scroll', { to: 'end' }), call('scroll', { to: 'top' })];
  const circles: readonly (readonly [string, number, Script])[] = [
    ['/still', 3, [call('wait', { ms: 0 })]],
    ['/ticks', 8, [call('wait', { ms: 0 })]],
    ['/still', 6, (_, at) => turns[at % 2] ?? done()],
  ];
  await threeAtOnce(circles, async ([path, most, script]) =>
    withPrompts(script, async (gate) => {
      const { completed, warnings, steps } = await ask(gate, path, { timeout_ms: 60_000 });
      assert.deepEqual([completed, warnings[0]?.code], [false, 'loop'], path);
      assert.ok(steps.length <= most, String(steps.length));
    }),
  );
});

browserTest('a session stops at max_steps', async () => {
  await withPrompts(
    (_, at) => call('wait', { ms: at }),
    async (gate) => {
      const { completed, steps, result } = await ask(gate, '/still', { max_steps: 2 });
      assert.deepEqual([completed, steps.length], [false, 2]);
      assert.match(result ?? '', /max_steps/);
    },
  );
});

browserTest(
  'the model gets a second attempt for invalid data; then the call fails, and is charged if it acted',
  async () => {
    await withPrompts([done({ order: 'none' }), done({ order: 7 })], async (gate, { asked }) => {
      assert.deepEqual((await ask(gate, '/still', { extract: { schema: FORM_SCHEMA } })).data, { order: 7 });
      assert.match(asked[1]?.text ?? '', /fields of data are missing.*order/);
    });
    await withPrompts([done({ order: 'none' })], async (gate, { asked }) => {
      const { code, error } = await gate.ask(interact, toRaw('/still', { extract: { schema: FORM_SCHEMA } }));
      assert.deepEqual([code, error?.status, asked.length], ['extraction_failed', 422, 2]);
      assert.match(error?.message ?? '', /order/);
      assert.deepEqual(await gate.spent(), [0, 0]);
    });
    const clicks = (_: ModelRequest, at: number): Line =>
      at % 3 === 0 ? call('click', { element: 1 }) : done({ order: 'none' });
    await withPrompts(clicks, async (gate) => {
      const raw = toRaw('/still', { extract: { schema: FORM_SCHEMA } });
      assert.equal((await gate.ask(interact, raw)).code, 'extraction_failed');
      assert.deepEqual(await gate.spent(), [25, 0]);
      assert.equal((await gate.ask(interact, { ...raw, timeout_ms: 100_000 })).answer?.status, 202);
      const [claimed] = await gate.queue.leases.claim('w1', 1);
      assert.ok(claimed);
      assert.equal(await runClaimed(gate, claimed), 'extraction_failed');
      assert.deepEqual(await gate.spent(), [50, 0]);
      await checkBooks(gate);
    });
  },
);

browserTest('a model that hangs, drips, is busy or disconnects fails the call at no cost', async () => {
  const faults: readonly (readonly [Line, string])[] = [
    [{ fault: 'silent' }, 'timeout'],
    [{ fault: 'drips' }, 'timeout'],
    [{ fault: 'cut' }, 'backend_unavailable'],
    [{ status: 429 }, 'backend_unavailable'],
  ];
  await threeAtOnce(faults, async ([line, code]) =>
    withPrompts([line], async (gate) => {
      const more = code === 'timeout' ? { timeout_ms: 2000 } : {};
      assert.equal((await gate.ask(interact, toRaw('/still', more))).code, code);
      assert.deepEqual(await gate.spent(), [0, 0]);
    }),
  );
});

const typeAndRead = (asked: ModelRequest, at: number): Line =>
  [
    () => call('type', { element: findNumber(asked, 'textbox "Word"'), text: '{{word}}' }),
    () => call('content', {}),
    () => call('wait', { ms: 1 }),
    () => done(),
  ][at]?.() ?? done();

browserTest('no question contains the value of a variable, however a page displays typed text', async () => {
  await threeAtOnce([SECRET, 'correct horse battery', 'p4ss'], async (value) => {
    await withPrompts(typeAndRead, async (gate, { asked }) => {
      const { answer } = await gate.ask(interact, toRaw('/echoes', { variables: { word: value } }));
      const told = asked.map(({ text }) => text).join('\n') + JSON.stringify(answer?.body);
      for (const [how, leaked] of Object.entries(listEncodings(value))) {
        assert.ok(
          !told.includes(leaked),
          `${how} of ${value}: …${told.slice(Math.max(0, told.indexOf(leaked) - 200), told.indexOf(leaked) + 60)}`,
        );
      }
    });
  });
});

function listEncodings(value: string): Readonly<Record<string, string>> {
  return {
    plain: value,
    quoted: JSON.stringify(value).slice(1, -1),
    upper: value.toUpperCase(),
    backwards: Array.from(value).toReversed().join(''),
    spaced: Array.from(value).join(' '),
    coded: encodeURIComponent(value),
    based: Buffer.from(value).toString('base64'),
  };
}

browserTest('the snapshot of a page with 3,000 elements has at most 15,000 bytes, visible elements first', async () => {
  await withPrompts([done()], async (gate, { asked }) => {
    await ask(gate, '/large');
    const [one] = asked;
    const page = /BEGIN mark-of-the-test([\s\S]*)END mark-of-the-test/.exec(one?.said ?? '')?.[1] ?? '';
    assert.ok(page.length > 8_000 && page.length < 20_000, String(page.length));
    assert.match(page, /Flour number 0[\s\S]*more lines: scroll there to see them/);
  });
});

test('without a model, a prompt is rejected before a browser starts, and stealth costs 65 more', async () => {
  const raw = { url: SITE, prompt: 'Order rye.' };
  await withGate({}, async (gate) => {
    const { code, error } = await gate.ask(interact, raw);
    assert.equal(code, 'backend_unavailable');
    assert.match(error?.message ?? '', /QUERN_MODEL_URL/);
    assert.deepEqual(await gate.spent(), [0, 0]);
  });
  await withModel([done()], async ({ model }) =>
    withGate({ model, limits: { credits_per_month: 89 } }, async (gate) => {
      const { code, error } = await gate.ask(interact, { ...raw, proxy: 'stealth' });
      assert.equal(code, 'credits_exhausted');
      assert.match(error?.message ?? '', /^90 credits/);
    }),
  );
});
