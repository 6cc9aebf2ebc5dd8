import { escapeHtml, buildSentence, NOUNS, type RandomSource, createRandom, capitalize } from './prose.ts';
import type { PageKind, World } from './site.ts';

const STYLED_CLASSES =
  'site-header site-nav mega-menu mega-menu__column card card__media card__title article article__lead article__meta comment comment__body footer footer__list ad-slot newsletter breadcrumb pagination product__price product__spec code-block table-wrap sidebar related tag badge btn btn--primary modal cookie-banner';

/** Metadata of a page. */
export type PageFacts = {
  readonly id: number;
  readonly kind: PageKind;
  readonly title: string;
  readonly canonical: string;
  readonly description: string;
  readonly published: string;
  readonly author: string;
  /** Price in euros; null if the page is not a product. */
  readonly price: string | null;
};

/** Draws the metadata of a page. */
export function drawFacts(site: World, id: number, random: RandomSource): PageFacts {
  const kind = site.getKind(id);
  return {
    id,
    kind,
    title: site.getTitle(id),
    canonical: site.origin + site.getPath(id),
    published: `2026-0${1 + (id % 9)}-1${id % 10}T08:00:00Z`,
    author: `${getName(id)} ${getName(id * 7)}`,
    description: buildSentence(random),
    price: kind === 'product' ? (random() * 400 + 5).toFixed(2) : null,
  };
}

/** From the doctype to the start of the body. */
export function writeHead(site: World, facts: PageFacts): string {
  const { id, kind, canonical } = facts;
  const title = escapeHtml(facts.title);
  return `<!DOCTYPE html>
<html lang="en" class="no-js">
<head>
<meta charset="utf-8">
<title>${title} | ${capitalize(site.getSection(id))} | The Local World</title>
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="description" content="${escapeHtml(facts.description)}">
<link rel="canonical" href="${canonical}">
<meta property="og:title" content="${title}">
<meta property="og:type" content="article">
<meta property="og:url" content="${canonical}">
<meta property="og:image" content="/static/img/${id % 64}.png">
<meta name="twitter:card" content="summary_large_image">
<link rel="stylesheet" href="/static/app.css">
<link rel="preload" as="font" type="font/woff2" href="/static/font.woff2" crossorigin>
<link rel="alternate" hreflang="fr" href="${canonical}?lang=fr">
<style>${STYLE}</style>
<script type="application/ld+json">${JSON.stringify(buildLinkedData(facts))}</script>
<script>window.dataLayer=window.dataLayer||[];dataLayer.push({page:${id},kind:"${kind}"});</script>
</head>
<body class="page page--${kind}" data-page-id="${id}">
`;
}

function getName(id: number): string {
  return capitalize(NOUNS[id % NOUNS.length] ?? '');
}

function buildLinkedData({ kind, title, canonical, published, author, description, price }: PageFacts) {
  const offer = { '@type': 'Offer', price, priceCurrency: 'EUR', availability: 'https://schema.org/InStock' };
  return {
    '@context': 'https://schema.org',
    '@type': kind === 'product' ? 'Product' : kind === 'docs' ? 'TechArticle' : 'NewsArticle',
    headline: title,
    url: canonical,
    datePublished: published,
    author: { '@type': 'Person', name: author },
    description,
    ...(price === null ? {} : { offers: offer }),
  };
}

/** About 7 KB, as sites carry it for the first paint. */
const STYLE = buildStyle(createRandom(77));

function buildStyle(random: RandomSource): string {
  const px = (most: number): string => `${Math.floor(random() * most)}px`;
  const rules = STYLED_CLASSES.split(' ').map((name) => {
    const display = random() < 0.5 ? 'flex' : 'block';
    const margin = `margin:${px(24)} ${px(24)}`;
    const shape = `padding:${px(20)};border-radius:${px(9)};gap:var(--gap)`;
    const hover = `.${name}:hover{opacity:.${Math.floor(random() * 30) + 60}}`;
    const narrow = `@media (max-width:${600 + Math.floor(random() * 500)}px){.${name}{display:block;padding:${px(9)}}}`;
    return `.${name}{display:${display};${margin};${shape}}${hover}${narrow}`;
  });
  const root = ':root{--fg:#1c1c1e;--bg:#fff;--accent:#0a58ca;--gap:16px}*{box-sizing:border-box}';
  const body = 'body{margin:0;font:16px/1.55 system-ui,sans-serif;color:var(--fg);background:var(--bg)}';
  return `${root}${body}a{color:var(--accent)}${rules.join('')}`;
}
