import assert from 'node:assert/strict';
import { z } from 'zod';
import { interact } from '#features/interact/operation.ts';
import { browserTest, type Pages } from '../../support/rendered.ts';
import { sessionSiteFor } from '../../support/sessions.ts';
import { withGate } from '../gate.ts';

const PAGES: Pages = {
  '/fields': `<label>Day <input id="date" type="date" value="2026-01-01"></label><input id="time" type="time" value="08:00">
    <input id="moment" type="datetime-local" value="2026-01-01T08:00"><input id="month" type="month" value="2026-01">
    <input id="week" type="week" value="2026-W01"><input id="color" type="color" value="#112233">
    <input id="number" type="number" value="12"><input id="range" type="range" min="0" max="10" step="2" value="4">
    <input id="empty" type="date"><input id="box" type="checkbox"><input id="file" type="file"><select id="list"><option>rye</select>
    <textarea id="area">one
two</textarea><div id="rich" contenteditable><p>first</p><p>second</p></div><p id="plain">plain</p><label for="date" id="of-date">the day</label>
    <script>for (const one of document.querySelectorAll('input')) one.oninput = () => { one.dataset.told = one.value; };</script>`,
  '/values': `<p id="one">one</p><p>two</p><iframe srcdoc="<p>in</p>"></iframe><script>const ring = {}; ring.self = ring;</script>`,
  '/lists': `<div id="box" style="height: 80px; overflow: auto"><ol id="rows"></ol></div><div style="height: 3000px"></div><p id="foot">foot</p>
    <script>const add = () => { for (let n = 0; n < 20; n += 1) rows.append(Object.assign(document.createElement('li'), { textContent: rows.childElementCount })); };
    add(); box.onscroll = () => { if (rows.childElementCount < 60 && box.scrollTop + 90 > box.scrollHeight) add(); };</script>`,
};

const Body = z.looseObject({
  steps: z.array(z.looseObject({ error: z.looseObject({ message: z.string() }).optional() })),
  extracted: z.record(z.string(), z.unknown()),
});

const siteNow = sessionSiteFor(PAGES);

async function act(path: string, actions: readonly object[]) {
  const { openClimb, allow, origin } = siteNow();
  const bodies: z.output<typeof Body>[] = [];
  await withGate({ openClimb, allow }, async (gate) => {
    const { answer, error } = await gate.ask(interact, { url: origin + path, proxy: 'basic', actions });
    assert.equal(error, null);
    bodies.push(Body.parse(answer?.body));
  });
  const [body] = bodies;
  assert.ok(body);
  return body;
}

/** The typed text and its field, the resulting value, and the error. */
const TYPED: readonly (readonly [target: string, text: string, value: string, error?: RegExp])[] = [
  ['#date', '2026-03-31', '2026-03-31'],
  ['#date', '31.03.2026', '2026-03-31', /accepts a date as YYYY-MM-DD, such as 2026-03-31$/],
  ['#of-date', '2026-04-01', '2026-04-01'],
  ['#time', '14:30', '14:30'],
  ['#time', '2 pm', '14:30', /accepts a time as HH:MM/],
  ['#moment', '2026-03-31 14:30', '2026-03-31T14:30'],
  ['#moment', 'tomorrow', '2026-03-31T14:30', /YYYY-MM-DDTHH:MM/],
  ['#month', '2026-03', '2026-03'],
  ['#month', 'March', '2026-03', /YYYY-MM, such as/],
  ['#week', '2026-W14', '2026-W14'],
  ['#week', '14', '2026-W14', /YYYY-Www/],
  ['#color', '#AABBCC', '#aabbcc'],
  ['#color', 'no colour', '#aabbcc', /#rrggbb/],
  ['#number', '-1.5', '-1.5'],
  ['#number', 'Infinity', '-1.5', /accepts a number, such as 12.5/],
  ['#number', '1,5', '-1.5', /accepts a number/],
  ['#range', '8', '8'],
  ['#range', '99', '8', /accepts a number from 0 to 10 in steps of 2/],
  ['#box', 'x', 'on', /does not accept text: use check or uncheck/],
  ['#file', 'x', '', /does not accept text: use upload/],
  ['#list', 'rye', 'rye', /does not accept text: choose an option with select/],
];

browserTest('a field accepts typed text, or keeps its value and the error says what it accepts', async () => {
  const typed = TYPED.flatMap(([target, text]) => [
    { type: 'type', target, text, optional: true },
    {
      type: 'evaluate',
      name: 'held',
      script: `document.querySelector('${target === '#of-date' ? '#date' : target}').value`,
    },
  ]);
  const { steps, extracted } = await act('/fields', [
    ...typed,
    { type: 'evaluate', name: 'told', script: 'date.dataset.told + " " + range.dataset.told' },
  ]);
  assert.deepEqual(
    extracted['held'],
    TYPED.map(([, , value]) => value),
  );
  for (const [at, [target, text, , error]] of TYPED.entries()) {
    const said = steps[at * 2]?.error?.message ?? '';
    if (error === undefined) assert.equal(said, '', `${target} ${text}`);
    else assert.match(said, error, `${target} ${text}`);
  }
  assert.equal(extracted['told'], '2026-04-01 8');
});

const add = (target: string, text: string) => ({ type: 'type', target, text, clear: false, optional: true });

browserTest('text is appended in a textarea, and in other fields only if the result is valid', async () => {
  const { steps, extracted } = await act('/fields', [
    add('#area', ' three'),
    add('#rich', ' third'),
    add('#number', '5'),
    add('#number', 'e'),
    add('#empty', '2026-03-31'),
    add('#date', '2026-03-31'),
    { type: 'evaluate', name: 'held', script: '[area.value, rich.innerText, number.value, empty.value, date.value]' },
    { type: 'type', target: '#rich', text: 'new' },
    { type: 'evaluate', name: 'rich', script: 'rich.innerText.trim()' },
    { type: 'type', target: '#plain', text: 'x', optional: true },
  ]);
  assert.deepEqual(extracted['held'], ['one\ntwo three', 'first\n\nsecond third', '125', '2026-03-31', '2026-01-01']);
  assert.equal(extracted['rich'], 'new');
  assert.match(steps[3]?.error?.message ?? '', /accepts a number, such as 12.5; with clear false/);
  assert.match(steps[5]?.error?.message ?? '', /accepts a date/);
  assert.equal(steps[9]?.error?.message, 'the element does not accept text');
});

/** Scripts, with their values or errors. */
const VALUES: readonly (readonly [script: string, value: unknown])[] = [
  ['({ a: [1, null, "x"], at: new Date(0) })', { a: [1, null, 'x'], at: '1970-01-01T00:00:00.000Z' }],
  ['undefined', null],
  ['Promise.resolve(Object.assign(Object.create(null), { a: 1 }))', { a: 1 }],
  ['const two = 2; two + 1', 3],
  ['(() => { const one = { a: 1 }; return [one, one]; })()', [{ a: 1 }, { a: 1 }]],
  ['document.body', /is a DOM node/],
  ['Promise.resolve(document)', /is a DOM node/],
  ['document.querySelector("iframe").contentDocument.body', /is a DOM node/],
  ['[{ first: one }]', /contains, at \[0\]\.first, a DOM node/],
  ['document.querySelectorAll("p")', /is a NodeList/],
  ['document.forms', /is a HTMLCollection/],
  ['window', /is a Window/],
  ['() => 1', /is a function: call it/],
  ['Symbol("x")', /is a symbol/],
  ['({ n: 10n })', /a BigInt/],
  ['ring', /contains a circular reference/],
  ['new Map([[1, 2]])', /is a Map, which JSON cannot represent/],
  ['"x".repeat(2 ** 21)', /is longer than 1 MiB/],
  ['nobody.there', /the script failed: ReferenceError: nobody is not defined/],
];

browserTest('the value of a script must be JSON, and the error names what is not', async () => {
  const { steps, extracted } = await act(
    '/values',
    VALUES.map(([script], at) => ({ type: 'evaluate', name: `v${at}`, script, optional: true })),
  );
  for (const [at, [script, value]] of VALUES.entries()) {
    if (value instanceof RegExp) assert.match(steps[at]?.error?.message ?? '', value, script);
    else assert.deepEqual(extracted[`v${at}`], value, `${script}: ${steps[at]?.error?.message}`);
  }
});

const where = (name: string) => ({
  type: 'evaluate',
  name,
  script:
    '[rows.childElementCount, Math.round(box.scrollTop + box.clientHeight) >= box.scrollHeight - 1, scrollY > 2000, box.scrollTop === 0]',
});

browserTest('a scroll brings a target into view, or its scroll container to its end', async () => {
  const { steps, extracted } = await act('/lists', [
    { type: 'scroll', target: '#box', to: 'end', times: 3 },
    where('end'),
    { type: 'scroll', target: { text: '19' }, to: 'top' },
    where('top'),
    { type: 'scroll', target: '#foot' },
    where('foot'),
    { type: 'scroll', target: 'body', to: 'top' },
    where('body'),
    { type: 'scroll', target: '#foot', to: 'end', optional: true },
  ]);
  assert.deepEqual(
    ['end', 'top', 'foot', 'body'].map((name) => extracted[name]),
    [
      [60, true, false, false],
      [60, false, false, true],
      [60, false, true, true],
      [60, false, false, true],
    ],
  );
  assert.match(steps.at(-1)?.error?.message ?? '', /not in a scrollable element/);
});

browserTest('a scroll without target or with two targets is rejected', async () => {
  const { openClimb, allow, origin } = siteNow();
  await withGate({ openClimb, allow }, async (gate) => {
    const refused = [
      [{ type: 'scroll' }, /actions\.0.*needs target or to/],
      [{ type: 'scroll', target: '#box', to: '#rows' }, /to must be end or top if target is given/],
    ] as const;
    for (const [action, message] of refused) {
      const { code, error } = await gate.ask(interact, { url: `${origin}/lists`, actions: [action] });
      assert.equal(code, 'invalid_request');
      assert.match(error?.message ?? '', message);
    }
  });
});
