import { html, type Reply } from '#demo/reply.ts';
import { madePage } from './made-pages.ts';
import type { SiteCall, SitePages } from './site-pages.ts';

/** Three job boards: a search of two pages and one job each. */
export const jobPages: readonly SitePages[] = [
  { site: 'jobs-d', origins: { web: answerD, mcp: () => null } },
  { site: 'jobs-b', origins: { web: answerB } },
  { site: 'jobs-s', origins: { web: answerS } },
];

function answerD({ url: { pathname, searchParams } }: SiteCall): Reply | null {
  if (pathname === '/jobs') {
    if (searchParams.get('q') !== 'mill') return html('<!doctype html><main><p>No jobs found</p></main>\n');
    return madePage('jobs-d', `jobs--${searchParams.get('page') === '2' ? 'second' : 'mill'}.page.html`);
  }
  return pathname === '/job-detail/3f0d7c1e-8a52-4b6d-9e10-1a2b3c4d5e01'
    ? madePage('jobs-d', 'job--mill.page.html')
    : null;
}

function answerB({ url: { pathname, searchParams } }: SiteCall): Reply | null {
  if (pathname === '/jobs') {
    if (searchParams.get('search') !== 'mill') return html('<!doctype html><main><p>No job results</p></main>\n');
    return madePage('jobs-b', `jobs--${searchParams.get('page') === '2' ? 'second' : 'mill'}.page.html`);
  }
  return pathname === '/job/mill-systems-engineer/7001001' ? madePage('jobs-b', 'job--mill.page.html') : null;
}

function answerS({ url: { pathname, searchParams } }: SiteCall): Reply | null {
  if (pathname === '/search') {
    if (searchParams.get('q') !== 'mill') return html('<!doctype html><main><p>No jobs found</p></main>\n');
    return madePage('jobs-s', `jobs--${searchParams.get('cursor') === null ? 'mill' : 'second'}.page.html`);
  }
  return pathname === '/job/qT3mil1systemsEng1neerAAAAAAAAAA' ? madePage('jobs-s', 'job--mill.page.html') : null;
}
