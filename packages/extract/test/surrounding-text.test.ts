import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { paragraphs, read } from './pages.ts';

const URL = 'https://example.org/shop/kettles/red-kettle';
const SHORT_POST = 'Shall we buy the red kettle, or is the blue one better?';

function readText(html: string, url = URL): string {
  return read(html, { url, outputs: ['text'] }).outputs.text ?? '';
}

function links(from: number): string {
  const numbers = Array.from({ length: 12 }, (_, at) => from + at);
  return numbers.map((number) => `<li><a href=/p/${number}>Kettles of kind ${number}</a></li>`).join('');
}

suite('a thread of one short post', () => {
  const MORE: readonly (readonly [string, string])[] = [
    ['a pager', '<h2>Post navigation</h2><p><a href=/t/1>An older topic</a></p>'],
    ['a list', '<h3>Post navigation</h3><ul><li><a href=/t/1>An older topic</a></li></ul>'],
    ['buttons', '<p><button>Post navigation</button></p><p><a href=/t/1>An older topic</a></p>'],
  ];
  for (const open of ['main', 'div role=main']) {
    for (const [kind, more] of MORE) {
      test(`is the post without what leads on: ${open}, ${kind}`, () => {
        const tag = open.split(' ')[0];
        const text = readText(
          `<!doctype html><html lang=en><head><meta name=generator content="Discourse 3.3.0"><title>The red kettle</title></head><body><nav><ul><li><a href=/>Home</a></li><li><a href=/topics>Topics</a></li><li><a href=/hot>Hot topics</a></li></ul></nav><${open}><h1>The red kettle</h1><article class=post><div class=post-content><p>${SHORT_POST}</p></div></article><div>${more}</div></${tag}><footer><p>Theme by Singularity</p></footer></body></html>`,
          'https://example.org/t/the-red-kettle/17',
        );
        assert.match(text, /Shall we buy/);
        assert.doesNotMatch(text, /Post navigation|older topic/);
      });
    }
  }
});

test('text around the content is excluded, even if scripts insert the content after the declared main element', () => {
  const text = readText(
    `<!doctype html><html lang=en><head><title>The harbour</title></head><body><main><header><nav><ul>${links(0)}</ul></nav></header><template id=B></template><footer><div><h2>Resources</h2><ul>${links(20)}</ul></div></footer></main><div hidden id=S><h1>The harbour</h1>${paragraphs(0, 5)}</div><script>$RC("B","S")</script></body></html>`,
  );
  assert.match(text, /year 1800[^]*year 1804/);
  assert.doesNotMatch(text, /Kettles of kind|Resources/);
});

suite('what a control opens in the text', () => {
  const CHOICES = 'Red Blue Green Black White'.split(' ');
  const INSIDE: readonly (readonly [string, string])[] = [
    [
      'a filter with boxes to tick',
      `<h3><button aria-expanded=false aria-controls=f1>Colour of the kettles</button></h3><div id=f1 hidden><p>Choose the colours of the kettles that are shown to you in the list below.</p>${CHOICES.map((name) => `<p><label><input type=checkbox value=${name}> Kettles that are ${name}</label></p>`).join('')}</div>`,
    ],
    [
      'a filter with one choice',
      `<h3><button aria-expanded=false aria-controls=f1>Colour of the kettles</button></h3><ul id=f1 hidden>${CHOICES.map((name) => `<li><label><input type=radio name=c value=${name}> Choose all of the kettles in our shop that are ${name}</label></li>`).join('')}</ul>`,
    ],
    [
      'the second level of a menu',
      `<div id=toc><ul class=mobileNav><li><a href="javascript:void(0)" aria-controls=m1 aria-expanded=false>Colour</a><ul id=m1 aria-hidden=true>${CHOICES.map((name) => `<li><a href=/k/${name}>All of the kettles in our shop that are ${name}</a></li>`).join('')}</ul></li></ul></div>`,
    ],
  ];
  for (const [kind, html] of INSIDE) {
    test(`is none of it where it is ${kind}`, () => {
      const text = readText(
        `<!doctype html><html lang=en><head><title>The red kettle</title></head><body><main><article><h1>The red kettle</h1>${paragraphs(0, 3)}${html}${paragraphs(3, 6)}</article></main></body></html>`,
      );
      assert.match(text, /year 1800[^]*year 1805/);
      assert.doesNotMatch(text, /Green/);
    });
  }

  test('is content where it answers a question with a link or two', () => {
    const text = readText(
      `<!doctype html><html lang=en><head><title>The red kettle</title></head><body><main><article><h1>The red kettle</h1>${paragraphs(0, 3)}<h3><button aria-expanded=false aria-controls=q1>May I return it?</button></h3><div id=q1 hidden><p>You may send it back within thirty days; see <a href=/r>our page on returns</a> or write to the clerk.</p></div></article></main></body></html>`,
    );
    assert.match(text, /within thirty days/);
  });
});
