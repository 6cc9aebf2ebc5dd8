import { buildHtmlReply, type PageReply } from '#demo/layout.ts';
import { readSyntheticPage, type MockCall, type MockSite } from './site-pages.ts';

/** Mock of three job boards: a search with two pages and one job each. */
export const JOB_PAGES: readonly MockSite[] = [
  { site: 'jobs-d', origins: { web: answerD, mcp: () => null } },
  { site: 'jobs-b', origins: { web: answerB } },
  { site: 'jobs-s', origins: { web: answerS } },
];

function answerD({ url: { pathname, searchParams } }: MockCall): PageReply | null {
  if (pathname === '/jobs') {
    if (searchParams.get('q') !== 'mill') return buildHtmlReply('<!doctype html><main><p>No jobs found</p></main>\n');
    return readSyntheticPage('jobs-d', `jobs--${searchParams.get('page') === '2' ? 'second' : 'mill'}.page.html`);
  }
  return pathname === '/job-detail/3f0d7c1e-8a52-4b6d-9e10-1a2b3c4d5e01'
    ? readSyntheticPage('jobs-d', 'job--mill.page.html')
    : null;
}

function answerB({ url: { pathname, searchParams } }: MockCall): PageReply | null {
  if (pathname === '/jobs') {
    if (searchParams.get('search') !== 'mill')
      return buildHtmlReply('<!doctype html><main><p>No job results</p></main>\n');
    return readSyntheticPage('jobs-b', `jobs--${searchParams.get('page') === '2' ? 'second' : 'mill'}.page.html`);
  }
  return pathname === '/job/mill-systems-engineer/7001001' ? readSyntheticPage('jobs-b', 'job--mill.page.html') : null;
}

function answerS({ url: { pathname, searchParams } }: MockCall): PageReply | null {
  if (pathname === '/search') {
    if (searchParams.get('q') !== 'mill') return buildHtmlReply('<!doctype html><main><p>No jobs found</p></main>\n');
    return readSyntheticPage('jobs-s', `jobs--${searchParams.get('cursor') === null ? 'mill' : 'second'}.page.html`);
  }
  return pathname === '/job/qT3mil1systemsEng1neerAAAAAAAAAA'
    ? readSyntheticPage('jobs-s', 'job--mill.page.html')
    : null;
}
