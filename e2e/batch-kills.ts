import assert from 'node:assert/strict';
import { z } from 'zod';
import type { StoreKind } from '#store/db.ts';
import { checkBooks } from '#support/engine/queue.ts';
import { until, withFleet } from '#support/fleet.ts';
import { textAt } from '#support/members.ts';
import { openLives } from './archive-kills.ts';

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
    const open = await openLives(fleet, kind);
    let life = await open('one');
    // On PostgreSQL the leases of killed processes must expire first.
    fleet.time.run(kind === 'sqlite' ? 1 : 10);
    const pages = Array.from({ length: PAGES }, (_, n) => `${site.origin}/p${n}`);
    // Every second page has its own output.
    const listed = pages.map((url, n) => (n % 2 === 0 ? url : { url, output: ['text'] }));
    const urls = [...listed, ...listed.slice(0, REPEATED)];
    const asked = await life.service.call('/v1/fetch/batch', { urls, delay_ms: 0 });
    assert.equal(asked.status, 202);
    const id = textAt(asked.body, 'id');
    for (let n = 0; n < kills; n += 1) {
      const before = site.visits();
      await site.until(() => site.visits() >= before + PAGES / (kills + 2));
      life.victim.signal('SIGKILL');
      await life.victim.ended;
      life = await open(`next ${n}`);
    }
    const { service } = life;
    await until('the batch has ended', async () => {
      const { body } = await service.call(`/v1/jobs/${id}?wait_ms=1000`);
      return body['status'] === 'completed';
    });
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
