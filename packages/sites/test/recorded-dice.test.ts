import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toArray } from '#extract/values/raw.ts';
import {
  assertFields,
  findReading,
  findRecord,
  findRefusal,
  readInstead,
  readRecorded,
  SKIP_RECORDED,
} from '#testkit/sites/recorded-pages.ts';

const JOB = 'jobs-d.job';
const JOBS = 'jobs-d.jobs';
const DETAIL = 'detail-2026-06.html';
const SEARCH = 'search-2026-06.html';

test('a recorded job has all fields of its page, and none of similar jobs', { skip: SKIP_RECORDED }, () => {
  const { job } = findRecord(JOB, DETAIL);
  assertFields(job, {
    id: '09b88736-b90a-4210-8228-b7e87f1d1f8a',
    url: 'https://www.dice.com/job-detail/09b88736-b90a-4210-8228-b7e87f1d1f8a',
    title: 'Senior CIAM Software Engineer',
    'company.name': 'Zions Bancorporation, N.A.',
    'company.url': 'https://www.dice.com/company-profile/3981d58e-3b73-5ffa-9705-540d71afeed2',
    location_text: 'Midvale, UT, US',
    'locations.0': {
      city: 'Midvale',
      region: 'UT',
      country: 'US',
      postal_code: '84047',
      latitude: null,
      longitude: null,
    },
    workplace: 'onsite',
    employment_types: ['full_time'],
    // The page has only the salary of a similar job.
    salary: null,
    posted_at: '2026-06-04T00:01:05.000Z',
    posted_text: 'Posted 14 hours ago',
    valid_through: '2026-07-05T12:01:10.000Z',
    easy_apply: false,
    'skills.0': 'Finance',
    'skills.32': 'Apache Tomcat',
    is_expired: false,
  });
  assert.equal(toArray(Object(job).skills).length, 55);
});

test('a recorded search has places and one sponsored job', { skip: SKIP_RECORDED }, () => {
  const record = findRecord(JOBS, SEARCH);
  const jobs = toArray(record['jobs']);
  assert.equal(jobs.length, 20);
  assertFields(record, {
    total: 14381,
    'jobs.0.title': 'Senior CIAM Software Engineer',
    'jobs.0.company.name': 'Zions Bancorporation, N.A.',
    'jobs.0.company.url': 'https://www.dice.com/company-profile/3981d58e-3b73-5ffa-9705-540d71afeed2',
    'jobs.0.locations.0.city': 'Midvale',
    'jobs.0.locations.0.region': 'UT',
    'jobs.0.sponsored': true,
    'jobs.0.salary': null,
    'jobs.1.id': '141b5c04-f363-49dc-838e-e8196c9d1c5f',
    'jobs.1.salary.min': 215200,
    'jobs.1.salary.max': 245600,
    'jobs.1.salary.period': 'year',
    'jobs.1.workplace': 'onsite',
    'jobs.1.posted_at': '2026-05-28T20:47:39.000Z',
    'jobs.1.sponsored': false,
    // A state without a city.
    'jobs.2.locations.0.city': null,
    'jobs.2.locations.0.region': 'MD',
    'jobs.9.workplace': 'hybrid',
    'jobs.13.workplace': 'remote',
    'jobs.13.easy_apply': true,
    'jobs.13.employment_types': ['full_time', 'part_time', 'contract', 'third_party'],
  });
  assert.ok(jobs.every((job) => Object(job).locations !== null));
});

test('the cards of a recorded search and its data give the same jobs', { skip: SKIP_RECORDED }, () => {
  const reading = findReading(JOBS, SEARCH);
  const shown = readInstead(reading, { body: reading.read.body.replaceAll(/<script\b.*?<\/script>/gs, '') });
  assert.equal(shown.kind, 'record', 'reason' in shown ? shown.reason : '');
  const data = toArray(findRecord(JOBS, SEARCH)['jobs']);
  const cards = shown.kind === 'record' ? toArray(shown.record['jobs']) : [];
  assert.equal(cards.length, data.length);
  const members = ['id', 'title', 'employment_types', 'salary', 'easy_apply', 'sponsored'];
  for (const [at, card] of cards.entries())
    for (const member of members) assert.deepEqual(Object(card)[member], Object(data[at])[member], `${at} ${member}`);
  assertFields(cards, {
    '0.company.name': 'Zions Bancorporation, N.A.',
    '0.location_text': 'Midvale, Utah',
    '0.posted_text': 'Today',
    '9.location_text': 'Hybrid in Coppell, Texas',
    '9.workplace': 'hybrid',
    '13.workplace': 'remote',
  });
  assert.match(String(Object(cards[0]).summary), /^Zions Bancorporation's Enterprise Technology/);
});

test('rejects pages of other kinds instead of jobs', { skip: SKIP_RECORDED }, () => {
  const job = findReading(JOB, DETAIL);
  const jobs = findReading(JOBS, SEARCH);
  const [detail, search] = [readRecorded('jobs-d/job', DETAIL), readRecorded('jobs-d/jobs', SEARCH)];
  assert.equal(readInstead(jobs, { body: detail }).kind, 'unusable', 'the similar jobs of a job');
  assert.equal(readInstead(job, { body: search }).kind, 'unusable', 'a search');
  assert.equal(
    readInstead(job, { body: search, url: 'https://www.dice.com/jobs' }).kind,
    'not_found',
    'led to a search',
  );
  const company = 'https://www.dice.com/company-profile/3981d58e-3b73-5ffa-9705-540d71afeed2';
  assert.equal(readInstead(job, { body: detail, url: company }).kind, 'not_found', 'led to a company');
  const other = { ...jobs, order: { ...jobs.order, input: { ...jobs.order.input, keywords: 'data analyst' } } };
  const verdict = readInstead(other, { body: search });
  assert.match(verdict.kind === 'unusable' ? verdict.reason : verdict.kind, /another search: software engineer/);
  const gone = detail.replaceAll('09b88736-b90a-4210-8228-b7e87f1d1f8a', '19b88736-b90a-4210-8228-b7e87f1d1f8a');
  assert.equal(readInstead(job, { body: gone }).kind, 'unusable', 'another job');
  assert.equal(readInstead(job, { body: detail.slice(0, 3000) }).kind, 'unusable', 'a cut job');
  assert.equal(readInstead(jobs, { body: search.slice(0, 3000) }).kind, 'unusable', 'a cut search');
  assert.equal(readInstead(job, { body: '', status: 404 }).kind, 'not_found', 'an error page');
});

test('rejects the addresses of other kinds of pages, and names the kind', () => {
  const guid = '3981d58e-3b73-5ffa-9705-540d71afeed2';
  for (const path of [
    '/jobs?q=mill',
    `/company-profile/${guid}`,
    `/job-applications/${guid}/start-apply`,
    '/dashboard/login',
  ])
    assert.match(
      findRefusal(JOB, { url: `https://www.dice.com${path}` }) ?? 'taken',
      /^url: is the address of .+, not of a job$/,
      path,
    );
  assert.equal(findRefusal(JOB, { url: `https://www.dice.com/job-detail/${guid}?from=x` }), null);
});
