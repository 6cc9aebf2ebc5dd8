import { writeComments, writeFooter, writeHeader, writeRelated, writeState } from './frame.ts';
import { type Facts, toFacts, writeHead } from './head.ts';
import { escapeHtml, makeParagraph } from './prose.ts';
import { below, type Random, times } from './random.ts';
import { writeSection } from './sections.ts';
import type { Site } from './site.ts';

/** A page as readers see it, or its copy for printers: the article alone. */
export type Form = 'whole' | 'print';

/** The HTML of a page, 20 to 150 KB. */
export function writePage(site: Site, id: number, form: Form): string {
  const random = site.randomFor(id, 2);
  const size = nextSize(random);
  const facts = toFacts(site, id, random);
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
function nextSize(random: Random): number {
  const x = random();
  if (x < 0.1) return 3.2;
  if (x < 0.35) return 1.7;
  return x < 0.8 ? 1 : 0.45;
}

function writeArticle(
  site: Site,
  random: Random,
  facts: Facts,
  { size, form }: { readonly size: number; readonly form: Form },
): string {
  const opening = writeOpening(site, random, facts);
  const count = Math.max(1, Math.round((2 + random() * 5) * size));
  const sections = times(count, (at) => {
    const ad = form === 'whole' && at % 3 === 2 ? writeAd(facts.id, at) : '';
    return `${writeSection(site, random, facts, { at, size })}${ad}</section>\n`;
  });
  return opening + sections.join('') + writeProduct(random, facts) + writeEnd(site, random, facts.id);
}

/** Breadcrumb, heading, author, lead. */
function writeOpening(site: Site, random: Random, { id, title, author, published }: Facts): string {
  const up = id === 0 ? 0 : Math.floor((id - 1) / 8);
  const text = escapeHtml(title);
  const above = `<a href="${escapeHtml(site.linkTo(up, random))}">${escapeHtml(site.titleOf(up))}</a>`;
  const crumbs = `<li><a href="/">Home</a></li><li>${above}</li><li aria-current="page">${text}</li>`;
  const by = `<a rel="author" href="${escapeHtml(site.linkTo((id * 31 + 7) % site.pages, random))}">${author}</a>`;
  const time = `<time datetime="${published}">${published.slice(0, 10)}</time>`;
  const lead = makeParagraph(site, random, 'without links');
  return `<nav class="breadcrumb" aria-label="Breadcrumb"><ol>${crumbs}</ol></nav>
<main class="layout"><article class="article" itemscope>
<h1 class="article__title">${text}</h1><p class="article__meta">By ${by} ${time}</p><p class="article__lead">${lead}</p>
`;
}

function writeAd(id: number, at: number): string {
  const link = `<a href="https://ads.example.org/c?i=${id}-${at}" rel="sponsored nofollow">Advertisement</a>`;
  return `<aside class="ad-slot ad-slot--inline" data-ad="mpu-${at}"><div class="ad-slot__inner">${link}</div></aside>\n`;
}

function writeProduct(random: Random, { id, price }: Facts): string {
  if (price === null) return '';
  const tag = `<p class="product__price"><data value="${price}">&euro;${price}</data></p>`;
  const facts = `<dt>Weight</dt><dd>${below(random, 90)} kg</dd><dt>Stock</dt><dd>${below(random, 90)}</dd>`;
  const button = `<button class="btn btn--primary" data-sku="${id}">Add to basket</button>`;
  return `<div class="product">${tag}<dl class="product__spec">${facts}</dl>${button}</div>\n`;
}

/** Links to the pages below, to the next one, and to the print copy. */
function writeEnd(site: Site, random: Random, id: number): string {
  const children = times(8, (at) => id * 8 + at + 1).filter((child) => child < site.pages);
  const items = children.map(
    (child) => `<li><a href="${escapeHtml(site.linkTo(child, random))}">${escapeHtml(site.titleOf(child))}</a></li>`,
  );
  const next = `<a rel="next" href="${escapeHtml(site.linkTo((id + 1) % site.pages, random))}">Next</a>`;
  const print = site.hasPrintCopy(id) ? `<a href="/print/${id}">Print</a>` : '';
  return `<ul class="children">${items.join('')}</ul><nav class="pagination">${next}${print}</nav></article>\n`;
}
