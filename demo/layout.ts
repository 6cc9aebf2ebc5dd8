import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';

/** Content and metadata of one page of the demo site. */
export type PageContent = {
  readonly origin: string;
  readonly path: string;
  readonly title: string;
  readonly description: string;
  /** Further elements of the head, as HTML. */
  readonly head?: string;
  /** The main content, as HTML. */
  readonly main: string;
};

const SECTIONS = [
  ['/', 'News'],
  ['/articles', 'All articles'],
  ['/shop', 'Shop'],
  ['/forum/starter-smells-of-nail-varnish', 'Readers write'],
  ['/feed.xml', 'Feed'],
] as const;

/** The whole document: masthead, navigation, the page's own content, sidebar and footer. */
export function renderDocument(sheet: PageContent): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${escapeHtml(sheet.title)} · The Harrow Mill Gazette</title>
<meta name="description" content="${escapeHtml(sheet.description)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="canonical" href="${sheet.origin}${sheet.path}">
<link rel="icon" href="/images/grain.png" type="image/png">
<link rel="alternate" type="application/rss+xml" title="The Harrow Mill Gazette" href="/feed.xml">
<link rel="alternate" type="application/atom+xml" title="The Harrow Mill Gazette" href="/atom.xml">
<meta property="og:site_name" content="The Harrow Mill Gazette">
<meta property="og:title" content="${escapeHtml(sheet.title)}">
<meta property="og:url" content="${sheet.origin}${sheet.path}">
${sheet.head ?? ''}
<style>body{font:17px/1.5 serif;max-width:62rem;margin:auto;display:grid;grid-template-columns:3fr 1fr;gap:2rem}header,footer{grid-column:1/-1}</style>
</head>
<body>
<header>
<p class="masthead"><a href="/">The Harrow Mill Gazette</a></p>
<nav aria-label="Sections"><ul>${SECTIONS.map(([path, name]) => `<li><a href="${path}">${name}</a></li>`).join('')}</ul></nav>
</header>
<main>
${sheet.main}
</main>
<aside>
<h2>The river today</h2>
<p>0.7 m³ a second. The stones turn.</p>
<h2>Most read</h2>
<ul><li><a href="/articles/the-wheel-turns-again">The wheel turns again</a></li><li><a href="/articles/grain-prices-this-autumn">Grain prices this autumn</a></li></ul>
</aside>
<footer><p>The Harrow Mill Gazette, printed on paper when the wheel stands still. <a href="/members">Members</a> · <a href="/robots.txt">For robots</a></p></footer>
</body>
</html>
`;
}

/** Escapes text for content and quoted attributes of HTML and XML. */
export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

/** The request, as a page sees it. */
export type PageCall = {
  /** The origin of the site, such as `http://127.0.0.1:4000`. */
  readonly origin: string;
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  /** IP address of the client. */
  readonly client: string;
  /** Number of requests for this path since the start, including this one. */
  readonly visits: number;
};

export type PageReply = {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: string | Uint8Array;
  /** Delay before the response, in ms. */
  readonly delayMs?: number;
};

/** One path of the site. */
export type Page = (call: PageCall) => PageReply;

/** An HTML response with a UTF-8 content type. */
export function buildHtmlReply(body: string, status = 200): PageReply {
  return { status, headers: { 'content-type': 'text/html; charset=utf-8' }, body };
}

/** A response of any content type, with optional further headers. */
export function buildReply(
  contentType: string,
  body: string | Uint8Array,
  headers: OutgoingHttpHeaders = {},
): PageReply {
  return { status: 200, headers: { 'content-type': contentType, ...headers }, body };
}

/** A permanent redirect. */
export function buildRedirect(location: string): PageReply {
  return { status: 301, headers: { location, 'content-type': 'text/html; charset=utf-8' }, body: '<p>Moved.</p>\n' };
}
