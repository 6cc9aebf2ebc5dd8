import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { escapeHtml, toDocument } from './layout.ts';
import { html, type Page, typed } from './reply.ts';

export type Article = {
  readonly slug: string;
  readonly title: string;
  readonly description: string;
  readonly author: string;
  /** ISO 8601 with its offset, as a newsroom writes it. */
  readonly publishedAt: string;
  readonly section: string;
};

/** Newest first. */
export const ARTICLES: readonly Article[] = [
  {
    slug: 'the-wheel-turns-again',
    title: 'The wheel turns again',
    description: 'After four years of silence the great wheel of Harrow Mill took its first bucket of water.',
    author: 'Tomas Reed',
    publishedAt: '2026-10-17T11:30:00+02:00',
    section: 'Mill',
  },
  {
    slug: 'grain-prices-this-autumn',
    title: 'Grain prices this autumn',
    description: 'Rye is up, spelt is down: what the mill paid its farmers.',
    author: 'Nadia Okafor',
    publishedAt: '2026-10-14T06:00:00+02:00',
    section: 'Market',
  },
  {
    slug: 'measuring-a-grind',
    title: 'Measuring a grind',
    description: 'Four sieves, a kitchen scale and ten lines of code.',
    author: 'Ilse Aaldring',
    publishedAt: '2026-10-09T18:15:00+02:00',
    section: 'Workshop',
  },
  {
    slug: 'keeping-a-rye-starter',
    title: 'Keeping a rye starter',
    description: 'How the bakery behind the mill keeps the one it has kept since 1987.',
    author: 'Jonas Brandt',
    publishedAt: '2026-10-02T08:00:00+02:00',
    section: 'Kitchen',
  },
  {
    slug: 'bridge-closed-on-sunday',
    title: 'Bridge closed on Sunday',
    description: 'The third plank has to go.',
    author: 'The editors',
    publishedAt: '2026-09-25T16:40:00+02:00',
    section: 'Notices',
  },
];

const TEASERS = ARTICLES.map(
  (article) =>
    `<article><h2><a href="/articles/${article.slug}">${escapeHtml(article.title)}</a></h2><p>${escapeHtml(article.description)}</p></article>`,
).join('\n');

/** The articles, the front page and the list of all. */
export function articlePages(): ReadonlyMap<string, Page> {
  const pages = new Map<string, Page>();
  pages.set('/', ({ origin }) =>
    html(
      toDocument({
        origin,
        path: '/',
        title: 'News from the river',
        description: 'The local paper of Harrow Mill: bread, grain and the state of the bridge.',
        main: `<h1>News from the river</h1>\n${TEASERS}\n<p><a href="/articles/a-year-at-the-mill">The long read: a year at the mill</a></p>`,
      }),
    ),
  );
  pages.set('/articles', ({ origin }) =>
    html(
      toDocument({
        origin,
        path: '/articles',
        title: 'All articles',
        description: 'Everything the Gazette has printed this autumn.',
        main: `<h1>All articles</h1>\n${TEASERS}`,
      }),
    ),
  );
  for (const article of ARTICLES) {
    const text = readFileSync(join(import.meta.dirname, 'pages', `${article.slug}.html`), 'utf8');
    pages.set(`/articles/${article.slug}`, ({ origin }) => html(toArticle(article, text, origin)));
  }
  const long = readFileSync(join(import.meta.dirname, 'pages/article-45k.html'));
  pages.set('/articles/a-year-at-the-mill', () => typed('text/html; charset=utf-8', long));
  return pages;
}

function toArticle(article: Article, text: string, origin: string): string {
  const described = JSON.stringify({
    '@context': 'https://schema.org',
    '@type': 'NewsArticle',
    headline: article.title,
    datePublished: article.publishedAt,
    author: { '@type': 'Person', name: article.author },
    publisher: { '@type': 'Organization', name: 'The Harrow Mill Gazette' },
    image: `${origin}/images/wheel.svg`,
  });
  return toDocument({
    origin,
    path: `/articles/${article.slug}`,
    title: article.title,
    description: article.description,
    head: `<meta name="author" content="${escapeHtml(article.author)}">
<meta property="og:type" content="article">
<meta property="og:image" content="${origin}/images/wheel.svg">
<meta property="article:published_time" content="${article.publishedAt}">
<script type="application/ld+json">${described}</script>`,
    main: `<article>
<p class="section">${escapeHtml(article.section)}</p>
<h1>${escapeHtml(article.title)}</h1>
<p class="byline">By <a rel="author" href="/articles">${escapeHtml(article.author)}</a>, <time datetime="${article.publishedAt}">${article.publishedAt.slice(0, 10)}</time></p>
${text}</article>`,
  });
}
