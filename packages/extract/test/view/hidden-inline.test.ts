import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderMarkdown, paragraphs, renderPlainText, read } from '../pages.ts';

const HIDING = [
  'style="display:none"',
  'style="color:red; display : none !important"',
  'style="visibility: hidden"',
  'hidden',
  'hidden=""',
];
const LINE_TAGS = ['span', 'b', 'a', 'em', 'code', 'label', 'x-note'];

test('hidden inline elements are in no output, whatever hides them', () => {
  for (const hiding of HIDING) {
    for (const tag of LINE_TAGS) {
      const gone = `<${tag} ${hiding}>SECRET <i>WORD</i></${tag}>`;
      const page = `<title>T</title><main><h1>Gate ${gone}</h1><p>Before ${gone} after.</p><ul><li>${gone}item</li></ul>
<table><tr><th>Year</th><th>Boat</th></tr><tr><td>${gone}1901</td><td>Anna</td></tr></table><p>${paragraphs(1, 6)}</main>`;
      const { outputs } = read(page, { outputs: ['markdown', 'text', 'html', 'tables'] });
      const all = JSON.stringify(outputs);
      assert.doesNotMatch(all, /SECRET|WORD/, `${tag} ${hiding}`);
      assert.match(all, /Before after\./);
      assert.deepEqual(outputs.tables?.[0]?.rows, [['1901', 'Anna']]);
    }
  }
});

test('hidden inline text is kept if a control opens it or the page hides most of its text', () => {
  const opened =
    '<p>Start <a href="#" aria-controls="more rest">more</a> <span id="rest" hidden>of the story</span></p>';
  assert.match(renderPlainText(opened), /of the story/);
  assert.match(
    renderPlainText('<p><span style="visibility:hidden">All the words of a page that fades in</span> now</p>'),
    /fades in/,
  );
  assert.match(renderPlainText('<p>Shown <span hidden="until-found">found by search</span></p>'), /found by search/);
});

test('the hidden source of a formula is kept', () => {
  const html = `<main><p>Speed <span style="display:none"><math alttext="v"><mi>v</mi></math></span> of it all</p>${paragraphs(1, 6)}</main>`;
  assert.match(read(html).outputs.markdown ?? '', /Speed \$v\$ of/);
});

test('icon font names are not text', () => {
  const html =
    '<p><i class="material-icons">arrow_forward</i> Go on, <span class="material-symbols-outlined md-18">home</span> home, <span class="material-icons">A word of text</span></p>';
  assert.equal(renderPlainText(html), 'Go on, home, A word of text');
});

test('icon names in elements of component libraries are not text', () => {
  assert.equal(
    renderPlainText('<p><mat-icon>home</mat-icon> Home <md-icon class=lead>arrow_forward</md-icon>goes on</p>'),
    'Home goes on',
  );
});

const SPOKEN = [
  'class="sr-only"',
  'class="u-hidden visually-hidden"',
  'class="screen-reader-text"',
  'class="govuk-visually-hidden"',
  'style="position:absolute; clip: rect(0, 0, 0, 0); width:1px"',
];

test('text for screen readers that repeats visible text is in no output', () => {
  for (const spoken of SPOKEN) {
    const html = `<main><h1>Gates <span ${spoken}>gates</span></h1><p>Lock <span ${spoken}>(opens in new window)</span> and <a href="/x">gate<span ${spoken}> external link</span></a> for <span aria-hidden="true">10 mins</span><span ${spoken}>10 minutes</span>.</p>${paragraphs(1, 6)}</main>`;
    const { outputs } = read(html, { outputs: ['markdown', 'text', 'html'] });
    assert.doesNotMatch(JSON.stringify(outputs), /ates gates|new window|external|10 minutes/, spoken);
    assert.match(outputs.markdown ?? '', /Lock and \[gate\]\([^)]*\) for 10 mins\./, spoken);
  }
});

test('text for screen readers without a visible equivalent is kept', () => {
  const price =
    '<p>Gauge <del aria-hidden=true>$30.00</del> <span class="screen-reader-text">Original price was: $30.00.</span></p>';
  assert.match(renderPlainText(price), /Original price was: \$30\.00/);
  assert.match(
    renderMarkdown('<p>Follow: <a href="/f"><svg></svg><span class="sr-only">Facebook</span></a></p>'),
    /\[Facebook\]/,
  );
  assert.match(
    renderPlainText('<p><span class="sr-only">Warning:</span> The gate is open.</p>'),
    /^Warning: The gate is open\.$/,
  );
  assert.match(
    renderPlainText(
      '<p><span class="sr-only">Price reduced from</span> <del>$30</del> <span class="sr-only">to</span> $20</p>',
    ),
    /^Price reduced from \$30 to \$20$/,
  );
  assert.match(renderPlainText('<h2 class="sr-only">Opening hours</h2><p>All day.</p>'), /Opening hours/);
  assert.match(renderPlainText('<p><span class="sr-only">All of the words</span></p>'), /All of the words/);
});

test('a field by selector has the visible text', () => {
  const html = `<main><p class="price"><span style="display:none">$99.00</span><span>$39.90</span></p>
<p class="stock"><span hidden>Sold out</span>In stock</p><p class="only" hidden>code 7</p></main>`;
  const fields = {
    price: { selector: '.price', type: 'money' as const, many: false },
    inner: { selector: '.price span', type: 'money' as const, many: false },
    stock: { selector: '.stock', many: false },
    xpath: { xpath: '//p[@class="stock"]', many: false },
    only: { selector: '.only', many: false },
  };
  const { json } = read(html, { outputs: ['json'], extract: { fields } }).outputs;
  const text = JSON.stringify(json);
  assert.match(text, /"price":\{"amount":"?39\.9/);
  assert.match(text, /"inner":\{"amount":"?39\.9/);
  assert.match(text, /"stock":"In stock"/);
  assert.match(text, /"xpath":"In stock"/);
  assert.match(text, /"only":"code 7"/);
});

test('very many hidden elements are processed in linear time', () => {
  const html = `<main><p>Seen words ${'<b hidden>x</b>'.repeat(200_000)} at the end</p><p>${paragraphs(1, 200)}</p></main>`;
  const text = renderPlainText(html);
  assert.match(text, /Seen words at the end/);
});
