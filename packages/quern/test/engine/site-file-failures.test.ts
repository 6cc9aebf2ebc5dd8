import assert from 'node:assert/strict';
import { z } from 'zod';
import { buildFailure } from '#access/failure.ts';
import type { Visit } from '#access/page.ts';
import { buildTestPage, SITE } from './gate.ts';
import {
  type Answer,
  inEachMode,
  buildRobots,
  serves,
  type Site,
  buildSitemapIndex,
  buildSitemapAnswer,
  buildSite,
} from '../support/engine/crawl-modes.ts';

const Trouble = z.looseObject({
  url: z.string(),
  status_code: z.number().optional(),
  code: z.string(),
  message: z.string(),
});
const Named = z.array(z.looseObject({ url: z.string() }));
const Answered = z.looseObject({
  complete: z.boolean(),
  stop_reason: z.string(),
  pages: Named.optional(),
  urls: Named.optional(),
  sources: z.record(z.string(), z.looseObject({ read: z.number(), errors: z.array(Trouble) })),
  warnings: z.array(z.looseObject({ code: z.string(), message: z.string() })),
});
const Crawled = Answered.extend({
  errors: z.array(Trouble),
  skipped: z.record(z.string(), z.number()),
  stats: z.looseObject({ failed: z.number() }),
});

const page = (...links: readonly string[]): Answer => ({ links });
const KINDS = ['crawl', 'map'] as const;

function listPaths({ pages, urls }: z.output<typeof Answered>): readonly string[] {
  return [...(pages ?? []), ...(urls ?? [])].map(({ url }) => url.replace(SITE, '/')).toSorted();
}

/** A tier for a site whose given URLs fail the given number of times at first. */
function failsFirst(site: Site, failures: ReadonlyMap<string, readonly [times: number, status: number | null]>): Visit {
  const rest = serves(site);
  const asked = new Map<string, number>();
  return async (request, signal) => {
    const { href } = request.url;
    const times = (asked.get(href) ?? 0) + 1;
    asked.set(href, times);
    const [most, status] = failures.get(href) ?? [0, 200];
    if (times > most) return rest(request, signal);
    if (status === null) throw buildFailure('unreachable', 'the target could not be reached: the connection was reset');
    return buildTestPage({ url: href, status, text: 'away' });
  };
}

const mapped = buildSite({
  '/': page('/a'),
  '/a': page(),
  '/hidden': page(),
  '/robots.txt': buildRobots(`Sitemap: ${SITE}map.xml`),
  '/map.xml': buildSitemapAnswer(['/', '/hidden']),
});

for (const kind of KINDS) {
  for (const [status, says] of [
    [500, /500/],
    [429, /429/],
    [null, /reset/],
  ] as const) {
    inEachMode(
      `${kind}: a sitemap that fails with ${status ?? 'no answer'} is listed, and the answer is incomplete`,
      {
        kind,
        options: {
          paceSpeed: 100,
          tierVisits: { http: failsFirst(mapped, new Map([[`${SITE}map.xml`, [99, status]]])) },
        },
      },
      async (run) => {
        const all = Answered.parse(await run());
        assert.equal(all.complete, false);
        const [error, ...others] = all.sources['robots']?.errors ?? [];
        assert.deepEqual([error?.url, error?.status_code ?? null, others], [`${SITE}map.xml`, status, []]);
        assert.match(error?.message ?? '', says);
        assert.deepEqual(
          all.warnings.map(({ code }) => code),
          ['left_out'],
        );
        assert.match(all.warnings[0]?.message ?? '', /map\.xml/);
      },
    );

    inEachMode(
      `${kind}: a sitemap that answers after ${status ?? 'no answer'} is read, and the answer is complete`,
      {
        kind,
        modes: ['inline'],
        options: {
          paceSpeed: 100,
          tierVisits: { http: failsFirst(mapped, new Map([[`${SITE}map.xml`, [1, status]]])) },
        },
      },
      async (run) => {
        const all = Answered.parse(await run());
        assert.ok(listPaths(all).includes('/hidden'));
        assert.deepEqual([all.complete, all.sources['robots']?.errors, all.warnings], [true, [], []]);
      },
    );
  }

  inEachMode(
    `${kind}: a failed sitemap at a usual path makes the answer incomplete, and an absent one does not`,
    {
      kind,
      modes: ['inline'],
      options: {
        paceSpeed: 100,
        tierVisits: {
          http: failsFirst(buildSite({ '/': page() }), new Map([[`${SITE}sitemap.xml`, [99, 503]]])),
        },
      },
    },
    async (run) => {
      const all = Answered.parse(await run());
      assert.equal(all.complete, false);
      assert.deepEqual(
        all.sources['sitemap']?.errors.map(({ url, status_code }) => [url, status_code]),
        [[`${SITE}sitemap.xml`, 503]],
      );
    },
  );

  inEachMode(
    `${kind}: a robots.txt that fails once is requested again and obeyed`,
    {
      kind,
      modes: ['inline'],
      options: { tierVisits: { http: failsFirst(mapped, new Map([[`${SITE}robots.txt`, [1, 503]]])) } },
    },
    async (run) => {
      const all = Answered.parse(await run());
      assert.ok(listPaths(all).includes('/hidden'));
      assert.deepEqual([all.complete, all.warnings], [true, []]);
    },
  );

  for (const [status, says] of [
    [503, /robots\.txt answered 503/],
    [null, /robots\.txt could not be read: .*reset/],
  ] as const) {
    inEachMode(
      `${kind}: a seed whose robots.txt fails with ${status ?? 'no answer'} is not reported as forbidden`,
      {
        kind,
        modes: ['inline'],
        options: { tierVisits: { http: failsFirst(mapped, new Map([[`${SITE}robots.txt`, [99, status]]])) } },
      },
      async (run) => {
        await assert.rejects(run(), (error: Error & { code?: string }) => {
          assert.equal(error.code, 'target_unreachable');
          assert.match(error.message, says);
          return true;
        });
        const anyway = Answered.parse(await run({ respect_robots: false }));
        assert.deepEqual([anyway.complete, listPaths(anyway).includes('/a')], [false, true]);
        assert.deepEqual(
          anyway.sources['robots']?.errors.map(({ url, status_code }) => [url, status_code ?? null]),
          [[`${SITE}robots.txt`, status]],
        );
      },
    );
  }

  const elsewhere = buildSite({
    '/': page('/a'),
    '/a': page(),
    '/hidden': page(),
    '/more': page(),
    '/robots.txt': buildRobots('Sitemap: https://cdn.other.example/all.xml'),
    'https://cdn.other.example/all.xml': buildSitemapIndex([
      'https://cdn.other.example/part.xml',
      '/own.xml',
      'https://third.example/part.xml',
    ]),
    'https://cdn.other.example/part.xml': buildSitemapAnswer(['/hidden', 'https://cdn.other.example/page']),
    '/own.xml': buildSitemapAnswer(['/more']),
    'https://third.example/part.xml': buildSitemapAnswer(['/a']),
  });
  const elsewhereAsked: string[] = [];
  inEachMode(
    `${kind}: a sitemap of robots.txt on another host is read, and its entries for the site are used`,
    { kind, options: { paceSpeed: 100, tierVisits: { http: serves(elsewhere, elsewhereAsked) } } },
    async (run) => {
      elsewhereAsked.length = 0;
      const all = Answered.parse(await run(kind === 'map' ? { walk: true } : {}));
      assert.deepEqual(listPaths(all), ['/', '/a', '/hidden', '/more']);
      assert.deepEqual([all.complete, all.sources['robots']?.read], [true, 3]);
      assert.deepEqual(
        elsewhereAsked.filter((one) => one.startsWith('http')),
        ['https://cdn.other.example/all.xml', 'https://cdn.other.example/part.xml'],
      );
    },
  );
}

const branch = 'https://shop.mill.example';
const branched = buildSite({
  '/': page(`${branch}/one`, `${branch}/two`, '/a'),
  '/a': page(),
  [`${branch}/one`]: page(),
  [`${branch}/two`]: page(),
});
inEachMode(
  'pages fail if robots.txt cannot be loaded, instead of being forbidden',
  {
    kind: 'crawl',
    options: {
      paceSpeed: 100,
      tierVisits: { http: failsFirst(branched, new Map([[`${branch}/robots.txt`, [99, 500]]])) },
    },
  },
  async (crawl) => {
    const all = Crawled.parse(await crawl({ scope: 'subdomains', sitemap: 'skip' }));
    assert.deepEqual(listPaths(all), ['/', '/a']);
    assert.deepEqual([all.skipped['robots'], all.stats.failed, all.complete], [0, 2, false]);
    for (const { code, message } of all.errors) {
      assert.equal(code, 'target_unreachable');
      assert.match(message, /shop\.mill\.example\/robots\.txt answered 500/);
    }
  },
);
