import { writeComments, writeFooter, writeHeader, writeImage, writeRelated, writeState } from './frame.ts';
import { type PageFacts, drawFacts, writeHead } from './head.ts';
import {
  escapeHtml,
  buildLabel,
  buildParagraph,
  buildSentence,
  NOUNS,
  drawBelow,
  drawItem,
  type RandomSource,
  buildArray,
  capitalize,
} from './prose.ts';
import type { World } from './site.ts';

/** The whole page, or its print version with the article only. */
export type PageForm = 'whole' | 'print';

/** The HTML of a page, 20 to 150 KB. */
export function writePage(site: World, id: number, form: PageForm): string {
  const random = site.createRandom(id, 2);
  const size = drawSize(random);
  const facts = drawFacts(site, id, random);
  const { kind } = facts;
  const head = writeHead(site, facts) + (form === 'whole' ? writeHeader(site) : '');
  const article = writeArticle(site, random, facts, { size, form });
  if (form === 'print') return `${head}${article}</body>\n</html>\n`;
  const related = writeRelated(site, random, size);
  const comments = writeComments(site, random, { kind, size });
  const state = writeState(site, random, { id, kind, size });
  return `${head}${article}${related}${comments}${writeFooter(site)}${state}</body>\n</html>\n`;
}

/** Most pages are of the middle size, some are small, few are three times as large. */
function drawSize(random: RandomSource): number {
  const x = random();
  if (x < 0.1) return 3.2;
  if (x < 0.35) return 1.7;
  return x < 0.8 ? 1 : 0.45;
}

function writeArticle(
  site: World,
  random: RandomSource,
  facts: PageFacts,
  { size, form }: { readonly size: number; readonly form: PageForm },
): string {
  const opening = writeOpening(site, random, facts);
  const count = Math.max(1, Math.round((2 + random() * 5) * size));
  const sections = buildArray(count, (at) => {
    const ad = form === 'whole' && at % 3 === 2 ? writeAd(facts.id, at) : '';
    return `${writeSection(site, random, facts, { at, size })}${ad}</section>\n`;
  });
  return opening + sections.join('') + writeProduct(random, facts) + writeEnd(site, random, facts.id);
}

/** Breadcrumb, heading, author, lead. */
function writeOpening(site: World, random: RandomSource, { id, title, author, published }: PageFacts): string {
  const up = id === 0 ? 0 : Math.floor((id - 1) / 8);
  const text = escapeHtml(title);
  const above = `<a href="${escapeHtml(site.buildLink(up, random))}">${escapeHtml(site.getTitle(up))}</a>`;
  const crumbs = `<li><a href="/">Home</a></li><li>${above}</li><li aria-current="page">${text}</li>`;
  const by = `<a rel="author" href="${escapeHtml(site.buildLink((id * 31 + 7) % site.pages, random))}">${author}</a>`;
  const time = `<time datetime="${published}">${published.slice(0, 10)}</time>`;
  const lead = buildParagraph(site, random, 'without links');
  return `<nav class="breadcrumb" aria-label="Breadcrumb"><ol>${crumbs}</ol></nav>
<main class="layout"><article class="article" itemscope>
<h1 class="article__title">${text}</h1><p class="article__meta">By ${by} ${time}</p><p class="article__lead">${lead}</p>
`;
}

function writeAd(id: number, at: number): string {
  const link = `<a href="https://ads.example.org/c?i=${id}-${at}" rel="sponsored nofollow">Advertisement</a>`;
  return `<aside class="ad-slot ad-slot--inline" data-ad="mpu-${at}"><div class="ad-slot__inner">${link}</div></aside>\n`;
}

function writeProduct(random: RandomSource, { id, price }: PageFacts): string {
  if (price === null) return '';
  const tag = `<p class="product__price"><data value="${price}">&euro;${price}</data></p>`;
  const facts = `<dt>Weight</dt><dd>${drawBelow(random, 90)} kg</dd><dt>Stock</dt><dd>${drawBelow(random, 90)}</dd>`;
  const button = `<button class="btn btn--primary" data-sku="${id}">Add to basket</button>`;
  return `<div class="product">${tag}<dl class="product__spec">${facts}</dl>${button}</div>\n`;
}

/** Links to the pages below, to the next one, and to the print copy. */
function writeEnd(site: World, random: RandomSource, id: number): string {
  const children = buildArray(8, (at) => id * 8 + at + 1).filter((child) => child < site.pages);
  const items = children.map(
    (child) =>
      `<li><a href="${escapeHtml(site.buildLink(child, random))}">${escapeHtml(site.getTitle(child))}</a></li>`,
  );
  const next = `<a rel="next" href="${escapeHtml(site.buildLink((id + 1) % site.pages, random))}">Next</a>`;
  const print = site.hasPrintCopy(id) ? `<a href="/print/${id}">Print</a>` : '';
  return `<ul class="children">${items.join('')}</ul><nav class="pagination">${next}${print}</nav></article>\n`;
}

/** What a section is written from: its number on the page, and how large the page is. */
type SectionPosition = { readonly at: number; readonly size: number };

/** A heading, paragraphs, and a piece of code, a table, a list, a quote or a figure. */
function writeSection(site: World, random: RandomSource, facts: PageFacts, { at, size }: SectionPosition): string {
  const head = `<section class="article__section" id="s${at}"><h2>${escapeHtml(capitalize(buildLabel(random, 44)))}</h2>\n`;
  const paragraphs = buildArray(
    2 + drawBelow(random, 5),
    () => `<p>${buildParagraph(site, random, 'with links')}</p>\n`,
  );
  return head + paragraphs.join('') + writeSectionElement(site, random, facts, size);
}

function writeSectionElement(site: World, random: RandomSource, { kind, author }: PageFacts, size: number): string {
  const x = random();
  if (x < (kind === 'docs' ? 0.6 : 0.08)) return writeCode(random);
  if (x < (kind === 'listing' || kind === 'product' ? 0.6 : 0.22)) return writeTable(site, random, size);
  if (x < 0.75) return writeList(random, x < 0.5 ? 'ul' : 'ol');
  if (x < 0.85) {
    return `<blockquote class="quote"><p>${escapeHtml(buildSentence(random))}</p><cite>${author}</cite></blockquote>\n`;
  }
  const image = writeImage(random, 'figure__img');
  return `<figure class="figure">${image}<figcaption>${escapeHtml(buildSentence(random))}</figcaption></figure>\n`;
}

function writeCode(random: RandomSource): string {
  const lines = buildArray(6 + drawBelow(random, 20), (at) => {
    const word = drawItem(random, NOUNS);
    const isFirst = at % 4 === 0;
    const rest = isFirst ? '(a, b) {' : ` = ${drawBelow(random, 1000)} &amp;&amp; [${drawBelow(random, 9)}];`;
    return `<span class="line"><span class="k">${isFirst ? 'function' : '  const'}</span> ${word}${rest}</span>\n`;
  });
  return `<div class="code-block"><pre><code class="language-js">${lines.join('')}</code></pre></div>\n`;
}

function writeTable(site: World, random: RandomSource, size: number): string {
  const columns = 3 + drawBelow(random, 4);
  const rows = 5 + Math.floor(random() * 18 * size);
  const head = buildArray(columns, () => `<th scope="col">${capitalize(drawItem(random, NOUNS))}</th>`).join('');
  const body = buildArray(
    rows,
    () => `<tr>${buildArray(columns, (at) => writeCell(site, random, at)).join('')}</tr>`,
  ).join('');
  return `<div class="table-wrap"><table class="table"><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>\n`;
}

function writeCell(site: World, random: RandomSource, at: number): string {
  if (at === 0 && random() < 0.4) {
    const href = escapeHtml(site.buildLink(drawBelow(random, site.pages), random));
    return `<td><a href="${href}">${drawItem(random, NOUNS)}</a></td>`;
  }
  return `<td>${at % 2 === 1 ? drawBelow(random, 9000) : drawItem(random, NOUNS)}</td>`;
}

function writeList(random: RandomSource, name: 'ul' | 'ol'): string {
  const items = buildArray(3 + drawBelow(random, 7), () => `<li>${escapeHtml(buildSentence(random))}</li>`);
  return `<${name} class="list">${items.join('')}</${name}>\n`;
}
