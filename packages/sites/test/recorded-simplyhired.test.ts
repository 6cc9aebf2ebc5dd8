import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SiteVerdict } from '#sites/framework/answers.ts';
import { readSource } from '#sites/read-source.ts';
import { assertFields, findRefusal } from '#testkit/sites/recorded-pages.ts';

const KEY = 'RmHd7LjttZqdyZhiZesHGQ5n5P6j-l9oKlOcarmATLn9HjS9l5Sicw';

/** Parses a synthetic page in the format of the board. */
function readPage(endpoint: 'jobs-s.job' | 'jobs-s.jobs', body: string): SiteVerdict {
  const url = `https://www.simplyhired.com/${endpoint === 'jobs-s.job' ? `job/${KEY}` : 'search?q=mill&l='}`;
  return readSource({
    endpoint,
    source: 'page',
    input: endpoint === 'jobs-s.job' ? { job_id: KEY } : { keywords: 'mill', sort: 'relevance' },
    page: { url, requested: url, status: 200, headers: {}, contentType: 'text/html; charset=utf-8', carry: undefined },
    body: new TextEncoder().encode(body),
    captures: [],
    settings: { origins: {}, constants: {} },
    cursor: null,
    limit: null,
  });
}

function buildPage(pageProps: unknown): string {
  const data = JSON.stringify({ props: { pageProps } });
  return `<!doctype html><main></main><script id="__NEXT_DATA__" type="application/json">${data}</script>`;
}

function buildJob(verdict: SiteVerdict): unknown {
  assert.equal(verdict.kind, 'record', 'reason' in verdict ? verdict.reason : '');
  return verdict.kind === 'record' ? verdict.record['job'] : null;
}

const DATA = {
  jobKey: KEY,
  jobFound: true,
  jobTitle: 'Millwright',
  employerName: 'Harrow Mill Works',
  companyPageUrl: 'https://www.simplyhired.com/browse-jobs/companies/Harrow-Mill-Works',
  employerSquareLogoUrl: 'https://d2q79iu7y748jz.cloudfront.net/s/_squarelogo/128x128/harrow',
  compensation: '',
  salaryInfo: '$43K - $60.2K a year',
  isSalaryEstimate: true,
  indeedApply: false,
  sponsored: true,
  snippet: 'Keeps the gears turning.',
  dateOnIndeed: 1741710311000,
  jobDescriptionHtml: '<p>Keep the gears turning.</p>',
};

test("parses the salary from either of two members of a job's data, and whether quick apply is possible", () => {
  assertFields(buildJob(readPage('jobs-s.job', buildPage(DATA))), {
    'salary.min': 43000,
    'salary.max': 60200,
    'salary.currency': 'USD',
    'salary.period': 'year',
    'salary.is_estimate': true,
    easy_apply: false,
    sponsored: true,
    summary: 'Keeps the gears turning.',
    posted_at: '2025-03-11T16:25:11.000Z',
    'company.url': 'https://www.simplyhired.com/browse-jobs/companies/Harrow-Mill-Works',
    'company.logo_url': 'https://d2q79iu7y748jz.cloudfront.net/s/_squarelogo/128x128/harrow',
  });
  const { indeedApply: _left, ...older } = DATA;
  const renamed = buildJob(
    readPage('jobs-s.job', buildPage({ ...older, isIndeedApply: true, compensation: '$20 an hour' })),
  );
  assertFields(renamed, { easy_apply: true, 'salary.min': 20, 'salary.period': 'hour' });
});

test('parses salary, lists and the apply link from the visible page of a job without embedded data', () => {
  const shown = `<link rel="canonical" href="https://www.simplyhired.com/job/${KEY}"><h1 data-testid="viewJobTitle">Millwright</h1>
    <span data-testid="viewJobBodyJobCompensation"><span data-testid="detailText">$18 - $21 an hour</span></span>
    <a data-testid="viewJobHeaderFooterApplyButton">Quick Apply</a>
    <li data-testid="viewJobBenefitItem">Flour</li><li data-testid="viewJobQualificationItem">Gears</li>`;
  assertFields(buildJob(readPage('jobs-s.job', shown)), {
    'salary.min': 18,
    'salary.max': 21,
    'salary.period': 'hour',
    easy_apply: true,
    benefits: ['Flour'],
    qualifications: ['Gears'],
  });
});

/** Builds a card of a list. The key of its job is one repeated letter. */
function buildCard(letter: string, extra: string): string {
  return `<div data-testid="searchSerpJob" data-jobkey="${letter.repeat(20)}"><h2 data-testid="searchSerpJobTitle"><a>Miller</a></h2>${extra}</div>`;
}

test('the cards of a list distinguish estimated and confirmed salaries, and quick apply', () => {
  const verdict = readPage(
    'jobs-s.jobs',
    `<main>${buildCard('a', '<p data-testid="searchSerpJobSalaryEst">$43K - $60K a year</p>')}${buildCard(
      'b',
      '<p data-testid="searchSerpJobSalaryConfirmed">$18 an hour</p><p data-testid="searchSerpJobQuickApply">Quick Apply</p>',
    )}${buildCard('c', '<span data-testid="salaryChip-0">$50,000 a year</span>')}</main>`,
  );
  assertFields(verdict.kind === 'record' ? verdict.record : null, {
    'jobs.0.salary.is_estimate': true,
    'jobs.0.salary.max': 60000,
    'jobs.0.easy_apply': false,
    'jobs.1.salary.is_estimate': false,
    'jobs.1.salary.min': 18,
    'jobs.1.easy_apply': true,
    'jobs.2.salary.min': 50000,
  });
});

test('rejects the addresses of other kinds of pages, and names the kind', () => {
  for (const path of ['/search?q=mill', '/browse-jobs/companies/Harrow-Mill-Works', '/salaries'])
    assert.match(
      findRefusal('jobs-s.job', { url: `https://www.simplyhired.com${path}` }) ?? 'taken',
      /^url: is the address of .+, not of a job$/,
      path,
    );
  assert.equal(findRefusal('jobs-s.job', { url: `https://www.simplyhired.com/job/${KEY}` }), null);
});
