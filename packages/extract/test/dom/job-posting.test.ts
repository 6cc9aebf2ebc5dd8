import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readEmploymentTypes, listJobPostings } from '#extract/dom/job-posting.ts';
import { readFlightData } from '#extract/dom/scripts.ts';
import { parsePage } from '#extract/dom/parsed-page.ts';
import { parsePay } from '#extract/values/pay.ts';

for (const [text, ...expected] of [
  ['$43K - $60.2K a year', 43_000, 60_200, 'USD', 'year'],
  ['USD 140,000.00 - 170,000.00 per year', 140_000, 170_000, 'USD', 'year'],
  ['12K-26K Annually', 12_000, 26_000, null, 'year'],
  ['80-100K Annually', 80_000, 100_000, null, 'year'],
  ['$55 - $62.50/hr', 55, 62.5, 'USD', 'hour'],
  ['Estimated: $55K to $70K a year', 55_000, 70_000, 'USD', 'year'],
  ['Up to $31 an hour', null, 31, 'USD', 'hour'],
  ['From £25,000 a year', 25_000, null, 'GBP', 'year'],
  ['$20+ per hour', 20, null, 'USD', 'hour'],
  ['€400 a day', 400, 400, 'EUR', 'day'],
  ['$1,200 weekly', 1200, 1200, 'USD', 'week'],
  ['$5,000 a month, 401(k)', 5000, 5000, 'USD', 'month'],
] as const)
  test(`the pay of ${text}`, () => {
    const [min, max, currency, period] = expected;
    assert.deepEqual(parsePay(text), { min, max, currency, period });
  });

test('text without pay gives null', () => {
  for (const text of ['Depends on Experience', '401k and dental', '', 'Level 3', '$0 an hour', '$90 - $20 an hour'])
    assert.equal(parsePay(text), null, text);
});

test('employment types are normalized', () => {
  assert.deepEqual(readEmploymentTypes('Full-time, Third Party'), ['full_time', 'third_party']);
  assert.deepEqual(readEmploymentTypes(['FULL_TIME', 'CONTRACTOR', 'Full time', 'Night shift']), [
    'full_time',
    'contract',
    'night_shift',
  ]);
  assert.deepEqual(readEmploymentTypes(undefined), []);
});

test('a JobPosting is read in every form of its members', () => {
  const posting = {
    '@type': 'JobPosting',
    title: 'Miller &amp; Sons',
    description: '&amp;lt;p&amp;gt;Grind&amp;lt;/p&amp;gt;',
    jobLocation: { address: 'Lower Weir' },
    baseSalary: { currency: 'USD', value: 0 },
    hiringOrganization: 'Harrow Mill',
    jobBenefits: ['Flour', 'Flour'],
    experienceRequirements: { monthsOfExperience: -5 },
  };
  const page = parsePage(
    `<script type="application/ld&#x2B;json">${JSON.stringify({ '@graph': [posting] })}</script>`,
    'https://board.example/job/1',
  );
  const [job] = listJobPostings(page);
  assert.equal(job?.title, 'Miller & Sons');
  assert.equal(job?.description?.text, 'Grind');
  assert.equal(job?.places[0]?.city, 'Lower Weir');
  assert.deepEqual(
    [job?.company.name, job?.benefits, job?.pay, job?.experienceMonths],
    ['Harrow Mill', ['Flour'], null, null],
  );
});

test('streamed data is joined to one text, without other pushed values', () => {
  const pieces = [[0], [1, 'a:{"b'], [1, '":2}\n'], [2, 'x']];
  const html = pieces.map((piece) => `<script>self.__next_f.push(${JSON.stringify(piece)})</script>`).join('');
  assert.equal(readFlightData(parsePage(html, 'https://board.example/')), 'a:{"b":2}\n');
  assert.equal(readFlightData(parsePage('<p>__next_f</p>', 'https://board.example/')), '');
});
