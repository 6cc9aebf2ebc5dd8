import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parsePage } from '#extract/dom/parsed-page.ts';
import { readSource } from '#sites/read-source.ts';
import { listLabelsUnder } from '#extract/dom/elements.ts';
import {
  assertFields,
  findReading,
  findRecord,
  findRefusal,
  readInstead,
  readRecorded,
  SKIP_RECORDED,
} from '#testkit/sites/recorded-pages.ts';

const ID = 'jobs-b.job';
const PAID = 'AI_Engineer_7756281.html';
const UNPAID = 'AI_Dev_Engineer_8492937.html';

test('a recorded job with a salary has all fields of its page', { skip: SKIP_RECORDED }, () => {
  const { job } = findRecord(ID, PAID);
  assertFields(job, {
    id: '7756281',
    url: 'https://builtin.com/job/ai-engineer/7756281',
    title: 'AI Engineer',
    'company.name': 'Hitachi',
    'company.url': 'https://builtin.com/company/hitachi',
    location_text: 'Bengaluru, Bengaluru Urban, Karnataka',
    'locations.0.region': 'Karnataka',
    'locations.0.latitude': 12.9767463,
    workplace: 'onsite',
    employment_types: ['full_time'],
    salary: { min: 50000, max: 70000, currency: null, period: 'year', text: '50K-70K Annually', is_estimate: null },
    posted_at: '2026-02-25',
    posted_text: 'Reposted 2 Days Ago',
    summary:
      'Design AI-powered solutions, optimize generative models, and integrate multimodal AI systems. Collaborate with teams to implement and deploy AI solutions.',
    skills: ['Azure Openai', 'Google Vertex Ai', 'Keras', 'Python', 'PyTorch', 'TensorFlow'],
    easy_apply: false,
    apply_url: 'https://hitachi.wd1.myworkdayjobs.com/hitachi/job/Bengaluru-Karnataka-India/AI-Engineer_R0098357',
    experience_months: 108,
    education: 'Bachelor Degree',
    industries: ['Fintech', 'Information Technology', 'Logistics'],
    valid_through: '2026-03-27T00:35:18.000Z',
  });
});

test('a recorded job without a salary has all skills of its only badge', { skip: SKIP_RECORDED }, () => {
  const { job } = findRecord(ID, UNPAID);
  assertFields(job, {
    id: '8492937',
    title: 'AI Dev Engineer',
    'company.name': 'Experian',
    location_text: 'Hyderabad, Telangana',
    workplace: 'hybrid',
    salary: null,
    posted_at: '2026-02-13',
    posted_text: 'Posted 14 Days Ago',
    'skills.0': 'Python',
    'skills.10': 'Mcp (Model Context Protocol)',
    'skills.16': 'Observability (Metrics,Tracing,Logs,Alerts)',
    easy_apply: false,
    experience_months: 60,
    industries: ['Big Data', 'Marketing Tech', 'Analytics'],
  });
  assert.match(String(Object(job).summary), /^Develop, test, deploy and operate Agentic AI solutions/);
});

test('rejects pages of other kinds instead of a job', { skip: SKIP_RECORDED }, () => {
  const wanted = findReading(ID, PAID);
  const { body } = findReading(ID, UNPAID).read;
  const own = readRecorded('jobs-b/job', PAID);
  assert.equal(readInstead(wanted, { body }).kind, 'unusable', 'another job');
  for (const path of ['/jobs', '/company/hitachi', '/company/hitachi/jobs', '/'])
    assert.equal(readInstead(wanted, { body: own, url: `https://builtin.com${path}` }).kind, 'not_found', path);
  assert.equal(readInstead(wanted, { body: own.slice(0, 6000) }).kind, 'unusable', 'a cut page');
  assert.equal(readInstead(wanted, { body: '', status: 404 }).kind, 'not_found', 'an error page');
});

test('rejects the addresses of other kinds of pages, and names the kind', () => {
  for (const path of [
    '/jobs',
    '/jobs/remote?search=mill',
    '/company/hitachi',
    '/company/hitachi/jobs',
    '/articles/x/1',
  ])
    assert.match(
      findRefusal(ID, { url: `https://builtin.com${path}` }) ?? 'taken',
      /^url: is the address of .+, not of a job$/,
      path,
    );
  assert.equal(findRefusal(ID, { url: 'https://www.builtinnyc.com/job/mill-engineer/7001001?i=1' }), null);
});

test('labels end at the end of the box or at the next heading, whichever comes first', () => {
  const page = parsePage(
    `<div><div><h2>Top Skills</h2></div><ul><li>Gears</li><li><b>Rye</b></li></ul><h3>More</h3><p>x</p></div><p>outside</p>`,
    'https://page.example/',
  );
  assert.deepEqual(listLabelsUnder(page, /^top skills$/i), ['Gears', 'Rye']);
  assert.deepEqual(listLabelsUnder(page, /^more$/i), ['x']);
  assert.deepEqual(listLabelsUnder(page, /^none$/i), []);
});

function buildCard(id: number, extra: string): string {
  return `<div data-id="job-card" id="job-card-${id}"><a data-id="job-card-title" href="/job/miller/${id}">Miller</a>${extra}</div>`;
}

test('easy_apply follows the text of the card, and is null if the card has none', () => {
  const url = 'https://builtin.com/jobs?search=miller&allLocations=true';
  const verdict = readSource({
    endpoint: 'jobs-b.jobs',
    source: 'page',
    input: { keywords: 'miller', remote: false },
    page: { url, requested: url, status: 200, headers: {}, contentType: 'text/html', carry: undefined },
    body: new TextEncoder().encode(
      `<main>${buildCard(7001001, '<span>Easy Apply</span>')}${buildCard(7001002, '')}</main>`,
    ),
    captures: [],
    settings: { origins: {}, constants: {} },
    cursor: null,
    limit: null,
  });
  assertFields(verdict.kind === 'record' ? verdict.record : null, {
    'jobs.0.easy_apply': true,
    'jobs.1.easy_apply': null,
  });
});
