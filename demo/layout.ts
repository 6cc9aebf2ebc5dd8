/** What one page of the demo site says of itself. */
export type Sheet = {
  readonly origin: string;
  readonly path: string;
  readonly title: string;
  readonly description: string;
  /** Further elements of the head, already HTML. */
  readonly head?: string;
  /** The content of the page, already HTML. */
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
export function toDocument(sheet: Sheet): string {
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

/** Text made safe for content and quoted attributes of HTML and XML. */
export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
