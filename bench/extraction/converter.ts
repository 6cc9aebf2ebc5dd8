import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import MarkdownIt from 'markdown-it';
import { z } from 'zod';
import { resolverOf } from '#extract/view/resolve-reference.ts';
import { viewOf } from '#extract/view/view.ts';
import { toMarkdown } from '#extract/renderers/markdown.ts';
import { parseHtml } from '#extract/html/parse.ts';
import { shownHtml } from './shown-html.ts';
import { readSuite, type Sample } from './corpus.ts';
import { compareStructure, framesOf, htmlStructure, markdownStructure, meanStructure } from './structure-scores.ts';
import type { Scores } from './suites.ts';

const reader = new MarkdownIt({ html: true });
const Examples = z.array(z.object({ suite: z.string(), n: z.number(), html: z.string() }));
const EXAMPLE_URL = 'http://h.example/';

/** HTML as Markdown, all of it: what is content is not asked. */
export function convert(html: string, url: string): string {
  const tree = parseHtml(html);
  return toMarkdown(viewOf(tree, new Uint8Array(tree.count).fill(1), resolverOf(tree, url)));
}

/** Whether Markdown, shown and written once more, is the same to the letter. */
function isSameAgain(markdown: string, url: string): boolean {
  return convert(reader.render(markdown), url) === markdown;
}

/**
 * How much structure the labelled content of these pages keeps as Markdown, and how many of them are the same when the
 * Markdown is shown and written again; frames are no links to compare.
 */
export function scoreFragments(samples: readonly Sample[]): Scores {
  const again = samples.filter((sample) => isSameAgain(convert(htmlOf(sample), sample.url), sample.url));
  const structure = meanStructure(
    samples.map((sample) => {
      const { url } = sample;
      const html = htmlOf(sample);
      const frames = framesOf(html, url);
      const found = markdownStructure(convert(html, url), url);
      const links = found.links.filter((link) => !frames.has(link.slice(0, link.indexOf(' '))));
      return compareStructure(htmlStructure(html, url), { ...found, links });
    }),
  );
  return samples.length === 0 ? structure : { ...structure, again: again.length / samples.length };
}

function htmlOf({ gold }: Sample): string {
  return gold.html ?? reader.render(gold.markdown ?? '');
}

/** The pages whose labelled content is HTML or Markdown. */
export function fragmentSamples(corpus: string): readonly Sample[] {
  return [...readSuite(corpus, 'readability-pages'), ...readSuite(corpus, 'defuddle-fixtures')];
}

/** An example of the Markdown specifications that is not the same after the way to Markdown and back. */
export type Loss = {
  readonly example: string;
  readonly markdown: string;
  readonly wanted: string;
  readonly got: string;
};
/** `again`: how many are the same to the letter when their Markdown is shown and written once more. */
export type RoundTrips = { readonly all: number; readonly again: number; readonly losses: readonly Loss[] };

/** The examples of the CommonMark and GFM specifications as HTML, to Markdown and back; null without them. */
export function roundTrips(corpus: string): RoundTrips | null {
  const file = join(corpus, 'tables/md-roundtrip.json');
  if (!existsSync(file)) return null;
  const examples = Examples.parse(JSON.parse(readFileSync(file, 'utf8')));
  const again = examples.filter(({ html }) => isSameAgain(convert(html, EXAMPLE_URL), EXAMPLE_URL));
  const losses = examples.flatMap(({ suite, n, html }): readonly Loss[] => {
    const markdown = convert(html, EXAMPLE_URL);
    const wanted = shownHtml(rooted(html));
    const got = shownHtml(reader.render(markdown));
    return got === wanted ? [] : [{ example: `${suite} ${n}`, markdown, wanted, got }];
  });
  return { all: examples.length, again: again.length, losses };
}

/** The references of the HTML as they are resolved. */
function rooted(html: string): string {
  return html.replace(/(href|src)="(?!#)([^"]*)"/g, (found, name: string, value: string) => {
    const url = URL.parse(value.replaceAll('&amp;', '&'), EXAMPLE_URL)?.href;
    return url === undefined ? found : `${name}="${url.replaceAll('&', '&amp;')}"`;
  });
}
