/**
 * Runs another content extractor: `node readers.mjs NAME`. Each line on standard input is a page, `{html, url}`. For each, a
 * line on standard output has the result and the CPU time in ms.
 */
import { createInterface } from 'node:readline';
import { htmlToMarkdown } from '@mdream/js';
import { withMinimalPreset } from '@mdream/js/preset/minimal';
import { Readability } from '@mozilla/readability';
import { gfm } from '@truto/turndown-plugin-gfm';
import { Defuddle } from 'defuddle/node';
import { parseHTML } from 'linkedom';
import TurndownService from 'turndown';

const turndown = new TurndownService({ headingStyle: 'atx', codeBlockStyle: 'fenced', bulletListMarker: '-' });
turndown.use(gfm);

/** The usual combination in Node: linkedom, Readability and Turndown. */
function readWithReadability(html, url) {
  const { document } = parseHTML(html);
  for (const name of ['baseURI', 'documentURI']) {
    Object.defineProperty(document, name, { value: url, configurable: true });
  }
  const article = new Readability(document).parse();
  if (article === null) return {};
  const { content, title, byline, publishedTime } = article;
  return { html: content, markdown: turndown.turndown(content), title, author: byline, date: publishedTime };
}

async function readWithDefuddle(html, url) {
  const { document } = parseHTML(html);
  const read = await Defuddle(document, url, { separateMarkdown: true, useAsync: false });
  const { content, contentMarkdown, title, author, published } = read;
  return { html: content, markdown: contentMarkdown, title, author, date: published };
}

/** A converter without a tree, which excludes elements by name only. */
function readWithMdream(html, url) {
  const markdown = htmlToMarkdown(html, withMinimalPreset({ origin: new URL(url).origin }));
  // Its front matter is before the content.
  const [head = '', title] = /^---\n(?:title: "(.*)"\n)?[^]*?\n---\n/.exec(markdown) ?? [];
  return { markdown: markdown.slice(head.length), title };
}

const READERS = { readability: readWithReadability, defuddle: readWithDefuddle, mdream: readWithMdream };
const read = READERS[process.argv[2]];
// Some extractors log to standard output, which is reserved for results.
console.log = console.warn = console.error = () => {};

for await (const line of createInterface({ input: process.stdin })) {
  const { html, url } = JSON.parse(line);
  const before = process.cpuUsage();
  let made = {};
  try {
    made = await read(html, url);
  } catch (error) {
    made = { failed: String(error) };
  }
  const { user, system } = process.cpuUsage(before);
  process.stdout.write(`${JSON.stringify({ ...made, cpuMs: (user + system) / 1000 })}\n`);
}
