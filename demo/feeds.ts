import { ARTICLES } from './articles.ts';
import { escapeHtml } from './layout.ts';
import { type Page, typed } from './reply.ts';

const SITEMAP_PATHS = ['/', '/articles', '/articles/a-year-at-the-mill', '/shop', '/shop/whole-rye-flour'];

const ROBOTS = `User-agent: *
Disallow: /members
Disallow: /slow
Crawl-delay: 1

User-agent: GreedyBot
Disallow: /
`;

/** What the site offers to machines: feeds, sitemap and robots.txt. */
export function feedPages(): ReadonlyMap<string, Page> {
  return new Map<string, Page>([
    ['/feed.xml', ({ origin }) => typed('application/rss+xml; charset=utf-8', toRss(origin))],
    ['/atom.xml', ({ origin }) => typed('application/atom+xml; charset=utf-8', toAtom(origin))],
    ['/sitemap.xml', ({ origin }) => typed('application/xml; charset=utf-8', toSitemap(origin))],
    ['/robots.txt', ({ origin }) => typed('text/plain; charset=utf-8', `${ROBOTS}\nSitemap: ${origin}/sitemap.xml\n`)],
  ]);
}

function toRss(origin: string): string {
  const items = ARTICLES.map(
    (article) => `<item>
<title>${escapeHtml(article.title)}</title>
<link>${origin}/articles/${article.slug}</link>
<guid isPermaLink="true">${origin}/articles/${article.slug}</guid>
<pubDate>${new Date(article.publishedAt).toUTCString()}</pubDate>
<description>${escapeHtml(article.description)}</description>
</item>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0"><channel>
<title>The Harrow Mill Gazette</title>
<link>${origin}/</link>
<description>Bread, grain and the state of the bridge.</description>
<language>en</language>
${items.join('\n')}
</channel></rss>
`;
}

function toAtom(origin: string): string {
  const entries = ARTICLES.map(
    (article) => `<entry>
<title>${escapeHtml(article.title)}</title>
<id>${origin}/articles/${article.slug}</id>
<link rel="alternate" href="${origin}/articles/${article.slug}"/>
<updated>${article.publishedAt}</updated>
<author><name>${escapeHtml(article.author)}</name></author>
<summary>${escapeHtml(article.description)}</summary>
</entry>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">
<title>The Harrow Mill Gazette</title>
<id>${origin}/</id>
<link rel="self" href="${origin}/atom.xml"/>
<updated>${ARTICLES[0]?.publishedAt ?? ''}</updated>
${entries.join('\n')}
</feed>
`;
}

function toSitemap(origin: string): string {
  const paths = [...SITEMAP_PATHS, ...ARTICLES.map((article) => `/articles/${article.slug}`)];
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${paths.map((path) => `<url><loc>${origin}${path}</loc></url>`).join('\n')}
</urlset>
`;
}
