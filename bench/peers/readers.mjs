/**
 * Another reader of main content as a program: `node readers.mjs NAME`. A page a line comes on standard input as
 * `{html, url}`, and what was made of it goes a line to standard output, with the ms of CPU that it took.
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

/** The usual chain of Node: a tree, Readability's choice, Turndown's Markdown. */
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

/** A converter without a tree, which leaves out what is no content by the names of elements alone. */
function readWithMdream(html, url) {
  const markdown = htmlToMarkdown(html, withMinimalPreset({ origin: new URL(url).origin }));
  // What it says of the page stands before what it read of it.
  const [head = '', title] = /^---\n(?:title: "(.*)"\n)?[^]*?\n---\n/.exec(markdown) ?? [];
  return { markdown: markdown.slice(head.length), title };
}

const READERS = { readability: readWithReadability, defuddle: readWithDefuddle, mdream: readWithMdream };
const read = READERS[process.argv[2]];
// Some readers log what they do not understand; standard output is for answers.
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
