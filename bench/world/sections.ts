import { writeImage } from './frame.ts';
import type { Facts } from './head.ts';
import { escapeHtml, makeLabel, makeParagraph, makeSentence } from './prose.ts';
import { below, pick, type Random, times } from './random.ts';
import { capitalize, type Site } from './site.ts';
import { NOUNS } from './words.ts';

/** What a section is written from: its number on the page, and how large the page is. */
export type Place = { readonly at: number; readonly size: number };

/** A heading, paragraphs, and a piece of code, a table, a list, a quote or a figure. */
export function writeSection(site: Site, random: Random, facts: Facts, { at, size }: Place): string {
  const head = `<section class="article__section" id="s${at}"><h2>${escapeHtml(capitalize(makeLabel(random, 44)))}</h2>\n`;
  const paragraphs = times(2 + below(random, 5), () => `<p>${makeParagraph(site, random, 'with links')}</p>\n`);
  return head + paragraphs.join('') + writeInsert(site, random, facts, size);
}

function writeInsert(site: Site, random: Random, { kind, author }: Facts, size: number): string {
  const x = random();
  if (x < (kind === 'docs' ? 0.6 : 0.08)) return writeCode(random);
  if (x < (kind === 'listing' || kind === 'product' ? 0.6 : 0.22)) return writeTable(site, random, size);
  if (x < 0.75) return writeList(random, x < 0.5 ? 'ul' : 'ol');
  if (x < 0.85) {
    return `<blockquote class="quote"><p>${escapeHtml(makeSentence(random))}</p><cite>${author}</cite></blockquote>\n`;
  }
  const image = writeImage(random, 'figure__img');
  return `<figure class="figure">${image}<figcaption>${escapeHtml(makeSentence(random))}</figcaption></figure>\n`;
}

function writeCode(random: Random): string {
  const lines = times(6 + below(random, 20), (at) => {
    const word = pick(random, NOUNS);
    const isFirst = at % 4 === 0;
    const rest = isFirst ? '(a, b) {' : ` = ${below(random, 1000)} &amp;&amp; [${below(random, 9)}];`;
    return `<span class="line"><span class="k">${isFirst ? 'function' : '  const'}</span> ${word}${rest}</span>\n`;
  });
  return `<div class="code-block"><pre><code class="language-js">${lines.join('')}</code></pre></div>\n`;
}

function writeTable(site: Site, random: Random, size: number): string {
  const columns = 3 + below(random, 4);
  const rows = 5 + Math.floor(random() * 18 * size);
  const head = times(columns, () => `<th scope="col">${capitalize(pick(random, NOUNS))}</th>`).join('');
  const body = times(rows, () => `<tr>${times(columns, (at) => writeCell(site, random, at)).join('')}</tr>`).join('');
  return `<div class="table-wrap"><table class="table"><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>\n`;
}

function writeCell(site: Site, random: Random, at: number): string {
  if (at === 0 && random() < 0.4) {
    const href = escapeHtml(site.linkTo(below(random, site.pages), random));
    return `<td><a href="${href}">${pick(random, NOUNS)}</a></td>`;
  }
  return `<td>${at % 2 === 1 ? below(random, 9000) : pick(random, NOUNS)}</td>`;
}

function writeList(random: Random, name: 'ul' | 'ol'): string {
  const items = times(3 + below(random, 7), () => `<li>${escapeHtml(makeSentence(random))}</li>`);
  return `<${name} class="list">${items.join('')}</${name}>\n`;
}
