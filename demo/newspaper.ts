import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import { escapeHtml, buildHtmlReply, type Page, renderDocument, buildReply } from './layout.ts';

export type Article = {
  readonly slug: string;
  readonly title: string;
  readonly description: string;
  readonly author: string;
  /** ISO 8601 with UTC offset. */
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

const TEASER_HTML = ARTICLES.map(
  (article) =>
    `<article><h2><a href="/articles/${article.slug}">${escapeHtml(article.title)}</a></h2><p>${escapeHtml(article.description)}</p></article>`,
).join('\n');

/** The articles, the front page and the list of all articles. */
export function buildArticlePages(): ReadonlyMap<string, Page> {
  const pages = new Map<string, Page>();
  pages.set('/', ({ origin }) =>
    buildHtmlReply(
      renderDocument({
        origin,
        path: '/',
        title: 'News from the river',
        description: 'The local paper of Harrow Mill: bread, grain and the state of the bridge.',
        main: `<h1>News from the river</h1>\n${TEASER_HTML}\n<p><a href="/articles/a-year-at-the-mill">The long read: a year at the mill</a></p>`,
      }),
    ),
  );
  pages.set('/articles', ({ origin }) =>
    buildHtmlReply(
      renderDocument({
        origin,
        path: '/articles',
        title: 'All articles',
        description: 'Everything the Gazette has printed this autumn.',
        main: `<h1>All articles</h1>\n${TEASER_HTML}`,
      }),
    ),
  );
  for (const article of ARTICLES) {
    const text = readFileSync(join(import.meta.dirname, 'pages', `${article.slug}.html`), 'utf8');
    pages.set(`/articles/${article.slug}`, ({ origin }) => buildHtmlReply(renderArticle(article, text, origin)));
  }
  const long = readFileSync(join(import.meta.dirname, 'pages/article-45k.html'));
  pages.set('/articles/a-year-at-the-mill', () => buildReply('text/html; charset=utf-8', long));
  return pages;
}

function renderArticle(article: Article, text: string, origin: string): string {
  const described = JSON.stringify({
    '@context': 'https://schema.org',
    '@type': 'NewsArticle',
    headline: article.title,
    datePublished: article.publishedAt,
    author: { '@type': 'Person', name: article.author },
    publisher: { '@type': 'Organization', name: 'The Harrow Mill Gazette' },
    image: `${origin}/images/wheel.svg`,
  });
  return renderDocument({
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

/** The logo as SVG. */
export function drawWheel(): string {
  const paddles = Array.from({ length: 12 }, (_, index) => {
    return `<rect x="156" y="20" width="8" height="24" transform="rotate(${index * 30} 160 100)"/>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="320" height="200" viewBox="0 0 320 200"><title>The wheel of Harrow Mill</title><rect width="320" height="200" fill="#dfe8ea"/><circle cx="160" cy="100" r="60" fill="none" stroke="#7a5230" stroke-width="10"/><g fill="#7a5230">${paddles.join('')}</g><path d="M0 170h320v30H0z" fill="#6c99a8"/></svg>\n`;
}

/** A square PNG with stripes in two greys, `size` pixels wide (PNG specification, colour type 0). */
export function drawStripes(size: number): Uint8Array {
  const header = new DataView(new ArrayBuffer(13));
  header.setUint32(0, size);
  header.setUint32(4, size);
  header.setUint8(8, 8);
  const pixels = new Uint8Array(size * (size + 1));
  for (let row = 0; row < size; row++) {
    // The first byte of each row is its filter type; 0 is none.
    pixels.fill(row % 8 < 4 ? 210 : 120, row * (size + 1) + 1, (row + 1) * (size + 1));
  }
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    buildPngChunk('IHDR', new Uint8Array(header.buffer)),
    buildPngChunk('IDAT', deflateSync(pixels)),
    buildPngChunk('IEND', new Uint8Array()),
  ]);
}

function buildPngChunk(type: string, body: Uint8Array): Uint8Array {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), body]);
  const framed = Buffer.alloc(named.length + 8);
  framed.writeUInt32BE(body.length, 0);
  named.copy(framed, 4);
  framed.writeUInt32BE(crc32(named), named.length + 4);
  return framed;
}

const SITEMAP_PATHS = ['/', '/articles', '/articles/a-year-at-the-mill', '/shop', '/shop/whole-rye-flour'];

const ROBOTS_TXT = `User-agent: *
Disallow: /members
Disallow: /slow
Crawl-delay: 1

User-agent: GreedyBot
Disallow: /
`;

/** Feeds, sitemap and robots.txt. */
export function buildFeedPages(): ReadonlyMap<string, Page> {
  return new Map<string, Page>([
    ['/feed.xml', ({ origin }) => buildReply('application/rss+xml; charset=utf-8', renderRss(origin))],
    ['/atom.xml', ({ origin }) => buildReply('application/atom+xml; charset=utf-8', renderAtom(origin))],
    ['/sitemap.xml', ({ origin }) => buildReply('application/xml; charset=utf-8', renderSitemap(origin))],
    [
      '/robots.txt',
      ({ origin }) => buildReply('text/plain; charset=utf-8', `${ROBOTS_TXT}\nSitemap: ${origin}/sitemap.xml\n`),
    ],
  ]);
}

function renderRss(origin: string): string {
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

function renderAtom(origin: string): string {
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

function renderSitemap(origin: string): string {
  const paths = [...SITEMAP_PATHS, ...ARTICLES.map((article) => `/articles/${article.slug}`)];
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${paths.map((path) => `<url><loc>${origin}${path}</loc></url>`).join('\n')}
</urlset>
`;
}

type ForumPost = {
  readonly author: string;
  readonly at: string;
  readonly text: string;
  readonly replies: readonly ForumPost[];
};

const FORUM_PATH = '/forum/starter-smells-of-nail-varnish';

const FORUM_THREAD: ForumPost = {
  author: 'crumb_and_crust',
  at: '2026-10-11T19:02:00Z',
  text: 'My rye starter smells of nail varnish since Thursday. Is it dead?',
  replies: [
    {
      author: 'ilse_at_the_mill',
      at: '2026-10-11T19:40:00Z',
      text: 'Hungry, not dead. Feed it twice a day for three days and keep it warmer.',
      replies: [
        {
          author: 'crumb_and_crust',
          at: '2026-10-14T07:15:00Z',
          text: 'It smells of apples again. You saved Sunday.',
          replies: [],
        },
      ],
    },
    {
      author: 'old_oven',
      at: '2026-10-12T05:30:00Z',
      text: 'Mine did that in 1994 & it still bakes. < 20 °C is too cold for it.',
      replies: [],
    },
  ],
};

/** The readers' forum: one thread with nested replies. */
export function buildForumPages(): ReadonlyMap<string, Page> {
  return new Map<string, Page>([
    [
      FORUM_PATH,
      ({ origin }) =>
        buildHtmlReply(
          renderDocument({
            origin,
            path: FORUM_PATH,
            title: 'Starter smells of nail varnish',
            description: 'Four posts by three readers.',
            head: '<meta property="og:type" content="article">',
            main: `<h1>Starter smells of nail varnish</h1>\n<ol class="thread">${renderPost(FORUM_THREAD)}</ol>`,
          }),
        ),
    ],
  ]);
}

function renderPost(post: ForumPost): string {
  const replies = post.replies.length === 0 ? '' : `<ol>${post.replies.map(renderPost).join('')}</ol>`;
  return `<li><article class="post"><p class="meta"><b class="author">${post.author}</b> <time datetime="${post.at}">${post.at.slice(0, 16).replace('T', ' ')}</time></p><p>${escapeHtml(post.text)}</p></article>${replies}</li>`;
}
