import assert from 'node:assert/strict';
import { z } from 'zod';
import type { StoreKind } from '#store/db.ts';
import { checkBooks } from '#support/engine/queue.ts';
import { withFleet } from '#support/fleet.ts';
import type { RunningService } from '#support/quern.ts';
import { completeWithKills } from './archive-kills.ts';

const PAGES = 120;
const REPEATED = 30;
const CREDITS_PER_PAGE = 2;

const Result = z.looseObject({
  complete: z.boolean(),
  results: z.array(
    z.looseObject({
      url: z.string(),
      index: z.int(),
      markdown: z.string().optional(),
      text: z.string().optional(),
    }),
  ),
  stats: z.looseObject({ requested: z.int(), duplicates: z.int(), fetched: z.int(), failed: z.int() }),
  usage: z.looseObject({ credits: z.int() }),
});

/** Kills the process of a batch `kills` times: each page must be in the result once, and charged once. */
export async function surviveBatchKills(kind: StoreKind, kills: number): Promise<void> {
  await withFleet({ kind, time: 'rehearsed', delayMs: () => 40 }, async (fleet) => {
    const { site } = fleet;
    const pages = Array.from({ length: PAGES }, (_, n) => `${site.origin}/p${n}`);
    // Every second page has its own output.
    const listed = pages.map((url, n) => (n % 2 === 0 ? url : { url, output: ['text'] }));
    const urls = [...listed, ...listed.slice(0, REPEATED)];
    const submit = async (service: RunningService) => service.call('/v1/fetch/batch', { urls, delay_ms: 0 });
    const { service, id } = await completeWithKills(fleet, kind, { kills, pages: PAGES, submit });
    const { body } = await service.call(`/v1/jobs/${id}/result?limit=1000`);
    const { complete, results, stats, usage } = Result.parse(body);
    assert.equal(complete, true);
    assert.deepEqual(results.map(({ url }) => url).toSorted(), pages.toSorted());
    for (const { url, index, markdown, text } of results) {
      const said = `The page /p${index} of the mill.`;
      assert.equal(url, pages[index]);
      assert.deepEqual([markdown?.trim(), text?.trim()], index % 2 === 0 ? [said, undefined] : [undefined, said]);
    }
    assert.deepEqual(
      [stats.requested, stats.duplicates, stats.fetched, stats.failed],
      [PAGES + REPEATED, REPEATED, PAGES, 0],
    );
    assert.equal(usage.credits, PAGES * CREDITS_PER_PAGE);
    const { body: month } = await service.call('/v1/usage');
    assert.equal(month['credits_used'], PAGES * CREDITS_PER_PAGE);
    await fleet.look(async (db) => checkBooks({ db }));
  });
}
