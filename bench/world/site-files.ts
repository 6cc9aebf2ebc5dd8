import { escapeHtml, buildParagraph, drawBelow, buildArray } from './prose.ts';
import type { World } from './site.ts';

/** A file of the site. */
export type SiteFile = readonly [path: string, body: string];

const URLS_PER_SITEMAP = 10_000;
const FIRST_YEAR = 2020;
const LAST_YEAR = 2030;
/** Limit of pages that are filled by a script. */
const MAX_APP_PAGES = 500;

const NOT_FOUND =
  '<!DOCTYPE html><html><head><title>Not found</title></head><body><h1>Not found</h1><p>No such page.</p><a href="/">Home</a></body></html>';

export function writeRobots({ origin }: World): string {
  return `User-agent: *\nDisallow: /calendar/\nDisallow: /search\nAllow: /\nSitemap: ${origin}/sitemap.xml\n`;
}

/** All other files: sitemaps, a calendar that robots.txt disallows, app pages with their data, and the 404 page. */
export function listSiteFiles(site: World): readonly SiteFile[] {
  const shells = buildArray(Math.min(MAX_APP_PAGES, site.pages), (id): readonly SiteFile[] => [
    [`/app/${id}`, writeAppPage(id)],
    [`/api/${id}.json`, writeAppData(site, id)],
  ]);
  return [...listSitemaps(site), ...listMonths(), ...shells.flat(), ['/404.html', NOT_FOUND]];
}

/** Redirects of old URLs. */
export function listRedirects(site: World): readonly (readonly [from: string, to: string])[] {
  return buildArray(site.pages, (id): readonly (readonly [string, string])[] => {
    if (!site.hasOldPath(id)) return [];
    const old = `/old/${id}`;
    const last = [old, site.origin + site.getPath(id)] as const;
    return site.hasTwoOldPaths(id) ? [last, [`/older/${id}`, site.origin + old]] : [last];
  }).flat();
}

function listSitemaps(site: World): readonly SiteFile[] {
  const ids = buildArray(site.pages, (id) => id).filter((id) => !site.isFailing(id));
  const parts = buildArray(Math.ceil(ids.length / URLS_PER_SITEMAP), (at): SiteFile => {
    const entries = ids.slice(at * URLS_PER_SITEMAP, (at + 1) * URLS_PER_SITEMAP).map((id) => {
      const url = escapeHtml(site.origin + site.getPath(id));
      const facts = `<lastmod>2026-0${1 + (id % 9)}-1${id % 10}</lastmod><priority>0.${1 + (id % 9)}</priority>`;
      return `<url><loc>${url}</loc>${facts}</url>`;
    });
    return [`/sitemap-${at + 1}.xml`, buildXml('urlset', entries)];
  });
  const entries = parts.map(
    ([path]) => `<sitemap><loc>${site.origin}${path}</loc><lastmod>2026-09-01</lastmod></sitemap>`,
  );
  return [...parts, ['/sitemap.xml', buildXml('sitemapindex', entries)]];
}

function buildXml(name: string, entries: readonly string[]): string {
  const start = `<?xml version="1.0" encoding="UTF-8"?>\n<${name} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n`;
  return `${start}${entries.join('\n')}\n</${name}>\n`;
}

/** Each month links to the next one. */
function listMonths(): readonly SiteFile[] {
  const months = buildArray((LAST_YEAR - FIRST_YEAR + 1) * 12, (at) => {
    return `${FIRST_YEAR + Math.floor(at / 12)}-${String((at % 12) + 1).padStart(2, '0')}`;
  });
  return months.map((month, at) => {
    const link = month.startsWith(String(LAST_YEAR)) ? '' : `<a href="/calendar/${months[at + 1] ?? ''}">next</a>`;
    const head = `<!DOCTYPE html><html><head><meta charset="utf-8"><title>Calendar ${month}</title></head>`;
    return [`/calendar/${month}`, `${head}<body><h1>${month}</h1>${link}</body></html>`];
  });
}

function writeAppPage(id: number): string {
  const head = `<head><meta charset="utf-8"><title>App ${id}</title><link rel="stylesheet" href="/static/app.css"></head>`;
  const body = `<body><div id="root" data-id="${id}">Loading</div><script src="/static/app.js"></script></body>`;
  return `<!DOCTYPE html><html lang="en">${head}${body}</html>`;
}

function writeAppData(site: World, id: number): string {
  const random = site.createRandom(id, 8);
  const items = buildArray(30, () => {
    const target = drawBelow(random, site.pages);
    return { t: site.getTitle(target), p: buildParagraph(site, random, 'without links'), u: site.getBasePath(target) };
  });
  return JSON.stringify({ title: site.getTitle(id), items });
}
