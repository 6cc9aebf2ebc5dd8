import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { Accounts } from '#engine/credits/accounts.ts';
import { Billing } from '#engine/credits/billing.ts';
import { Processes } from '#engine/credits/processes.ts';
import { loadPlans, type Plan } from '#engine/identity/plans.ts';
import { Tenants } from '#engine/credits/tenants.ts';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';
import { ServiceError } from '#kernel/errors.ts';
import { reserveCredits } from '#engine/credits/tenant-credits.ts';
import type { Db, Queryable, StoreKind } from '#store/db.ts';
import { createGroupCommit } from '#store/group-commit.ts';
import { openTestClock, type TestClock } from '../support/clock.ts';
import { onEveryStore, withStoreKind } from '../support/store.ts';

const starter = loadPlans(null).starter;

type Books = {
  readonly db: Db;
  readonly clock: TestClock;
  readonly tenant: string;
  readonly billing: Billing;
  readonly processes: Processes;
  readonly plan: Plan;
  readonly balance: () => ReturnType<Accounts['readBalance']>;
  readonly tenants: Tenants;
};

async function withBooks(
  store: StoreKind,
  limits: Partial<Plan>,
  work: (books: Books) => Promise<void>,
): Promise<void> {
  await withStoreKind(store, async (db) => {
    const clock = openTestClock('2026-11-21T12:00:00Z');
    const plan = { ...starter, ...limits };
    const tenants = new Tenants({ db, clock });
    const tenant = await tenants.create('t', 'starter');
    const billing = new Billing({ db, inTurn: createGroupCommit(db, SYSTEM_CLOCK), clock, processId: 'here' });
    const accounts = new Accounts({ db, clock });
    const processes = new Processes({ db, clock, processId: 'here' });
    await processes.sweep();
    await work({
      db,
      clock,
      tenant,
      billing,
      processes,
      plan,
      tenants,
      balance: async () => accounts.readBalance(tenant, plan),
    });
  });
}

function buildCharge(credits: number) {
  return { operation: 'fetch', credits, record: async () => {} };
}

async function awaitCode(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'ok',
    (error: unknown) => (error instanceof ServiceError ? error.code : String(error)),
  );
}

async function invariants({ db, plan, balance }: Books): Promise<void> {
  const { credits_used, credits_reserved, credits_remaining, credits_topped_up } = await balance();
  const [charged] = await db.query("select coalesce(sum(credits), 0) as n from ledger where kind <> 'top_up'");
  const [held] = await db.query('select coalesce(sum(credits), 0) as n from reservations');
  assert.equal(charged?.['n'], credits_used, 'the ledger says what was used');
  assert.equal(held?.['n'], credits_reserved, 'what is reserved is what is held');
  const granted = (plan.credits_per_month ?? 0) + credits_topped_up;
  assert.equal(credits_remaining, granted - credits_used - credits_reserved);
  assert.ok((credits_remaining ?? 0) >= 0);
}

onEveryStore(
  '400 concurrent calls at the end of a balance never make it negative and lose no credit',
  async (store) => {
    const ends = fc.array(fc.constantFrom('settle', 'release', 'raise', 'cheaper'), { minLength: 400, maxLength: 400 });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 1500 }), ends, async (credits, plans) => {
        await withBooks(store, { credits_per_month: credits }, async (books) => {
          const { billing, tenant, plan } = books;
          await Promise.all(
            plans.map(async (end, at) => {
              const account = { key: `call-${at}`, tenant, plan };
              if ((await awaitCode(billing.reserve(account, 2))) !== 'ok') return;
              if (end === 'raise' && (await awaitCode(billing.raise(account, 10))) !== 'ok')
                return billing.release(account);
              if (end === 'release') return billing.release(account);
              await billing.settle(account, buildCharge(end === 'raise' ? 10 : end === 'cheaper' ? 1 : 2));
            }),
          );
          await invariants(books);
          assert.equal((await books.balance()).credits_reserved, 0);
        });
      }),
      // Without shrinking, because a sequence of 400 steps does not become clearer by removing some.
      { numRuns: 8, endOnFailure: true },
    );
  },
);

onEveryStore('of 400 calls at 15 credits on a balance of 1000, exactly 66 are served', async (store) => {
  await withBooks(store, { credits_per_month: 1000 }, async (books) => {
    const codes = await Promise.all(
      Array.from({ length: 400 }, async (_, at) => {
        const account = { key: `call-${at}`, tenant: books.tenant, plan: books.plan };
        const code = await awaitCode(books.billing.reserve(account, 15));
        if (code === 'ok') await books.billing.settle(account, buildCharge(15));
        return code;
      }),
    );
    assert.equal(codes.filter((code) => code === 'ok').length, 66);
    assert.equal(codes.filter((code) => code === 'credits_exhausted').length, 334);
    assert.equal((await books.balance()).credits_remaining, 10);
  });
});

onEveryStore('a balance below the price is rejected with the needed and remaining credits', async (store) => {
  await withBooks(store, { credits_per_month: 1 }, async ({ billing, tenant, plan }) => {
    await assert.rejects(billing.reserve({ key: 'a', tenant, plan }, 15), /15 credits are needed and 1 are left/);
  });
});

onEveryStore('50 calls that may become more expensive do not overdraw a balance of 100', async (store) => {
  await withBooks(store, { credits_per_month: 100 }, async (books) => {
    const { billing, tenant, plan } = books;
    const codes = await Promise.all(
      Array.from({ length: 50 }, async (_, at) => awaitCode(billing.reserve({ key: `c${at}`, tenant, plan }, 2))),
    );
    assert.ok(codes.every((code) => code === 'ok'));
    assert.equal(await awaitCode(billing.raise({ key: 'c0', tenant, plan }, 10)), 'credits_exhausted');
    for (let at = 0; at < 50; at += 1) await billing.settle({ key: `c${at}`, tenant, plan }, buildCharge(2));
    assert.equal((await books.balance()).credits_remaining, 0);
  });
});

onEveryStore('concurrent calls that raise their reservations each hold what they requested', async (store) => {
  await withBooks(store, {}, async (books) => {
    const { billing, db, tenant, plan } = books;
    const asked = [3, 5, 8, 13].map((more) => ({ account: { key: `call-${more}`, tenant, plan }, more }));
    await Promise.all(asked.map(async ({ account }) => billing.reserve(account, 2)));
    await Promise.all(asked.map(async ({ account, more }) => billing.raise(account, more)));
    await invariants(books);
    const inTurn = createGroupCommit(db, SYSTEM_CLOCK);
    await Promise.all(
      asked.map(async ({ account, more }) =>
        inTurn({ tenant }, async (tx) => billing.reserveShares(tx, account, { each: 1, most: more, ceiling: null }), {
          key: account.key,
        }),
      ),
    );
    const held = await db.query('select credits from reservations order by credits');
    assert.deepEqual(
      held.map(({ credits }) => credits),
      [6, 10, 16, 26],
    );
    await invariants(books);
  });
});

onEveryStore('a charge counts once however often it is settled, and leaves no reservation', async (store) => {
  await withBooks(store, {}, async (books) => {
    const account = { key: 'a', tenant: books.tenant, plan: books.plan };
    await books.billing.reserve(account, 10);
    await Promise.all([1, 2, 3].map(async () => books.billing.settle(account, buildCharge(2))));
    await books.billing.release(account);
    assert.equal((await books.balance()).credits_used, 2);
    await invariants(books);
  });
});

onEveryStore('rows written with a charge are committed exactly if the charge is', async (store) => {
  await withBooks(store, {}, async ({ db, billing, tenant, plan, balance }) => {
    const account = { key: 'a', tenant, plan };
    await billing.reserve(account, 2);
    const failing = billing.settle(account, {
      operation: 'fetch',
      credits: 2,
      async record() {
        throw new Error('cannot be written');
      },
    });
    await assert.rejects(failing, /cannot be written/);
    assert.equal((await db.query('select key from ledger')).length, 0);
    assert.equal((await balance()).credits_reserved, 2);
  });
});

onEveryStore('the daily cap is checked after the balance, and resets at the next midnight UTC', async (store) => {
  await withBooks(store, { credits_per_month: 100, daily_cap: 4 }, async (books) => {
    const { billing, tenant, plan, clock } = books;
    for (const key of ['a', 'b']) {
      await billing.reserve({ key, tenant, plan }, 2);
      await billing.settle({ key, tenant, plan }, buildCharge(2));
    }
    const refused = await billing.reserve({ key: 'c', tenant, plan }, 2).catch((error: unknown) => error);
    assert.ok(refused instanceof ServiceError);
    assert.equal(refused.code, 'daily_credit_cap_exceeded');
    assert.equal(refused.retryAfterSeconds, 12 * 3600);
    assert.equal(
      await awaitCode(billing.reserve({ key: 'd', tenant, plan: { ...plan, credits_per_month: 4 } }, 2)),
      'credits_exhausted',
    );
    clock.set('2026-11-22T00:00:00Z');
    assert.equal(await awaitCode(billing.reserve({ key: 'e', tenant, plan }, 2)), 'ok');
    assert.equal((await books.balance()).daily_used, 0);
  });
});

onEveryStore('a month rolls over once, and a clock that steps back grants nothing again', async (store) => {
  await withBooks(store, { credits_per_month: 10 }, async (books) => {
    const { billing, tenant, plan, clock } = books;
    const spend = async (key: string, credits: number): Promise<string> => {
      const account = { key, tenant, plan };
      const code = await awaitCode(billing.reserve(account, credits));
      if (code === 'ok') await billing.settle(account, buildCharge(credits));
      return code;
    };
    assert.equal(await spend('a', 10), 'ok');
    await books.tenants.topUp(tenant, 5);
    assert.equal((await books.balance()).credits_remaining, 5);
    clock.set('2026-12-01T00:00:00Z');
    assert.equal((await books.balance()).credits_remaining, 10);
    const together = await Promise.all(Array.from({ length: 10 }, async (_, at) => spend(`b${at}`, 2)));
    assert.equal(together.filter((code) => code === 'ok').length, 5);
    clock.set('2026-11-30T23:00:00Z');
    assert.equal(await spend('c', 1), 'credits_exhausted');
    clock.set('2026-12-01T01:00:00Z');
    assert.equal(await spend('d', 1), 'credits_exhausted');
    assert.equal((await books.balance()).credits_used, 10);
  });
});

onEveryStore('a reservation taken in one month and settled in the next is charged to the next', async (store) => {
  await withBooks(store, { credits_per_month: 10 }, async (books) => {
    const account = { key: 'a', tenant: books.tenant, plan: books.plan };
    await books.billing.reserve(account, 2);
    books.clock.set('2026-12-01T00:00:01Z');
    await books.billing.settle(account, buildCharge(2));
    const { credits_used, credits_reserved, daily_used } = await books.balance();
    assert.deepEqual([credits_used, credits_reserved, daily_used], [2, 0, 2]);
  });
});

onEveryStore(
  'reservations of a dead process are released within a minute, and its late charge is paid as a new one',
  async (store) => {
    await withBooks(store, { credits_per_month: 10 }, async (books) => {
      const { db, clock, tenant, plan, billing, processes } = books;
      const dead = new Billing({ db, inTurn: createGroupCommit(db, SYSTEM_CLOCK), clock, processId: 'dead' });
      await new Processes({ db, clock, processId: 'dead' }).sweep();
      await dead.reserve({ key: 'a', tenant, plan }, 8);
      clock.pass(30_000);
      await processes.sweep();
      assert.deepEqual((await processes.listLive()).toSorted(), ['dead', 'here']);
      assert.equal((await books.balance()).credits_reserved, 8);
      clock.pass(30_000);
      await processes.sweep();
      assert.deepEqual(await processes.listLive(), ['here']);
      assert.equal((await books.balance()).credits_reserved, 0);
      await billing.reserve({ key: 'b', tenant, plan }, 8);
      await billing.settle({ key: 'b', tenant, plan }, buildCharge(8));
      assert.equal(await awaitCode(dead.settle({ key: 'a', tenant, plan }, buildCharge(8))), 'credits_exhausted');
      assert.equal((await books.balance()).credits_used, 8);
    });
  },
);

onEveryStore('a plan change sets grant and cap at once and revokes nothing', async (store) => {
  await withBooks(store, {}, async ({ db, clock, tenant, billing, plan }) => {
    const plans = loadPlans(null);
    const accounts = new Accounts({ db, clock });
    await billing.reserve({ key: 'a', tenant, plan }, 4000);
    await billing.settle({ key: 'a', tenant, plan }, buildCharge(4000));
    assert.equal((await accounts.readBalance(tenant, plans.pro)).credits_remaining, 246_000);
    const down = await accounts.readBalance(tenant, { ...plans.free, credits_per_month: 1000 });
    assert.deepEqual([down.credits_remaining, down.credits_used], [0, 4000]);
  });
});

onEveryStore('credit refunds one charge, once, also on the day it was spent', async (store) => {
  await withBooks(store, { credits_per_month: 10 }, async (books) => {
    const { billing, tenant, plan, tenants } = books;
    await billing.reserve({ key: 'req_1', tenant, plan }, 2);
    await billing.settle({ key: 'req_1', tenant, plan }, buildCharge(2));
    assert.equal(await tenants.refund(tenant, 'req_1'), 2);
    assert.equal(await awaitCode(tenants.refund(tenant, 'req_1')), 'invalid_request');
    assert.equal(await awaitCode(tenants.refund(tenant, 'req_2')), 'not_found');
    const { credits_used, daily_used } = await books.balance();
    assert.deepEqual([credits_used, daily_used], [0, 0]);
    await invariants(books);
  });
});

onEveryStore('a sum over many ledger rows is an exact integer', async (store) => {
  await withBooks(
    store,
    { credits_per_month: null, daily_cap: null },
    async ({ db, tenant, billing, plan, balance }) => {
      await Promise.all(
        Array.from({ length: 2000 }, async (_, at) => {
          const account = { key: `c${at}`, tenant, plan };
          await billing.reserve(account, 67);
          await billing.settle(account, buildCharge(67));
        }),
      );
      const [sum] = await db.query('select sum(credits) as n from ledger');
      assert.equal(sum?.['n'], 134_000);
      const { credits_used, credits_remaining } = await balance();
      assert.deepEqual([credits_used, credits_remaining], [134_000, null]);
    },
  );
});

onEveryStore('a call is not rejected for credits that another process releases meanwhile', async (kind) => {
  await withStoreKind(kind, async (db) => {
    const clock = openTestClock('2026-11-21T12:00:00Z');
    const tenant = await new Tenants({ db, clock }).create('t', 'starter');
    const plan = { ...loadPlans(null).starter, credits_per_month: 1000, daily_cap: null };
    await db.query('update tenants set reserved = 1000 where id = $1', [tenant]);
    const need = { credits: 15, held: 0, now: clock.now() };
    const short = await db.transaction(async (tx) => reserveCredits(tx, { tenant, plan }, need));
    assert.equal(short?.code, 'credits_exhausted');
    const refused = await db.transaction(async (tx) => {
      const freeing: Queryable = {
        async query(sql, values) {
          if (sql.startsWith('select')) await tx.query('update tenants set reserved = 0 where id = $1', [tenant]);
          return tx.query(sql, values);
        },
      };
      return reserveCredits(freeing, { tenant, plan }, need);
    });
    assert.equal(refused, null);
    const [row] = await db.query('select reserved from tenants where id = $1', [tenant]);
    assert.equal(row?.['reserved'], 15);
  });
});
