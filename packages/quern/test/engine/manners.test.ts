import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import type { Visit } from '#access/page.ts';
import { buildTestPage, SITE } from './gate.ts';
import { inEachMode, serves } from '../support/engine/crawl-modes.ts';

const GAP_MS = 200;
const ROBOTS_MS = 600;
/**
 * Measured starts are a little late, more on a busy machine. Without pacing, pages that start when robots.txt arrives would have
 * no gap at all.
 */
const TOLERANCE = 0.25;
const PAGES = 5;

const Pages = z.looseObject({ pages: z.array(z.unknown()) });

let starts: number[] = [];
const site = serves(() => ({ links: [] }));
/** A site with a slow robots.txt, so that several pages wait for it. */
const slowRobots: Visit = async (request, signal) => {
  const { pathname } = request.url;
  if (pathname === '/robots.txt') {
    await wait(ROBOTS_MS);
    return buildTestPage({ status: 404 });
  }
  starts.push(performance.now());
  return site(request, signal);
};

inEachMode(
  'pages that waited for the same robots.txt keep the delay between them',
  { kind: 'crawl', options: { tierVisits: { http: slowRobots } } },
  async (crawl) => {
    starts = [];
    const urls = Array.from({ length: PAGES }, (_, at) => `${SITE}p${at}`);
    const { pages } = Pages.parse(await crawl({ url: undefined, urls, delay_ms: GAP_MS }));
    assert.equal(pages.length, PAGES);
    const gaps = starts.slice(1).map((at, before) => at - (starts[before] ?? 0));
    assert.ok(Math.min(...gaps) >= GAP_MS * TOLERANCE, `gaps of ${gaps.map(Math.round).join(', ')} ms`);
  },
);
