import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { JobRecord } from '#engine/jobs/job-record.ts';
import { JobStopped } from '#engine/jobs/lease.ts';
import { toTlsFailure, buildFailure, buildRefusedTarget, buildNameNotFound } from '#access/failure.ts';
import { JobView } from '#features/jobs/job-view.ts';
import { ServiceError } from '#kernel/errors.ts';
import type { StoreKind } from '#store/db.ts';
import { onEveryStore } from '../support/store.ts';
import { brings, type Gate, isBlocked, SITE, timesOut, withGate } from './gate.ts';
import { checkBooks, openJobTools, openWorker, getOperation, runClaimed } from '../support/engine/queue.ts';

const DAY_MS = 24 * 3600 * 1000;
/** From now on no job can be completed. */
const NO_COMPLETION: Readonly<Record<StoreKind, string>> = {
  sqlite: "create trigger deny before update on jobs when new.status = 'completed' begin select raise(abort, 0); end",
  postgres: "alter table jobs add constraint deny check (status <> 'completed')",
};

async function claim(gate: Gate, worker = 'w1') {
  const [claimed] = await gate.queue.leases.claim(worker, 1);
  assert.ok(claimed !== undefined);
  return claimed;
}

onEveryStore(
  'a job runs through the gate, is charged under its own key, and answers what the inline call would',
  async (store) => {
    await withGate({ store }, async (gate) => {
      const jobs = openJobTools(gate);
      const inline = await gate.fetch();
      const { answer } = await jobs.submit();
      assert.equal(answer?.status, 202);
      const id = String(answer.body['id']);
      assert.equal(answer.headers['location'], `/v1/jobs/${id}`);
      assert.equal(answer.usage, null);
      assert.equal(await runClaimed(gate, await claim(gate)), 'ok');
      const record = await jobs.show(id);
      assert.equal(record.status, 'completed');
      assert.deepEqual(record.progress, { discovered: 1, completed: 1, failed: 0, total: 1 });
      assert.deepEqual(record.usage, { credits: 2, base: 2, surcharge: 0, tier: 'http' });
      const { answer: result } = await jobs.result(id);
      assert.deepEqual(Object.keys(result?.body ?? {}), Object.keys(inline.answer?.body ?? {}));
      assert.equal(result?.body['request_id'], answer.body['request_id']);
      assert.deepEqual(record.result?.['markdown'], result?.body['markdown']);
      assert.deepEqual(await gate.spent(), [4, 0]);
      await checkBooks(gate);
      assert.equal(await gate.tenants.refund(gate.tenant, id), 2);
      await assert.rejects(gate.tenants.refund(gate.tenant, id), /was refunded before/);
      assert.deepEqual(await gate.spent(), [2, 0]);
    });
  },
);

onEveryStore('a fetch beyond the inline limit answers exactly what a submission answers', async (store) => {
  await withGate({ store, plan: 'free' }, async (gate) => {
    const jobs = openJobTools(gate);
    const promoted = await gate.fetch({ timeout_ms: 30_001 });
    const submitted = await jobs.submit({ timeout_ms: 30_001 });
    assert.deepEqual(Object.keys(promoted.answer?.body ?? {}), Object.keys(submitted.answer?.body ?? {}));
    assert.equal(promoted.answer?.status, 202);
    assert.match(promoted.answer.headers['location'] ?? '', /^\/v1\/jobs\/job_/);
    assert.equal(promoted.answer.body['kind'], 'fetch');
    assert.deepEqual(await gate.spent(), [0, 0]);
  });
});

onEveryStore('a submission is rejected like the same inline call', async (store) => {
  await withGate({ store, plan: 'free', limits: { queued_jobs: 1, job_timeout_ms: 40_000 } }, async (gate) => {
    const jobs = openJobTools(gate);
    const submit = async (raw: unknown) => (await gate.ask(getOperation('jobs.submit'), raw)).error?.message ?? 'ok';
    assert.match(await submit({ kind: 'fetsh', input: {} }), /^kind: fetsh is not known; the nearest is fetch$/);
    assert.match(await submit({ kind: 'usage', input: {} }), /^kind: usage is not known/);
    assert.match(
      await submit({ kind: 'fetch', input: { ulr: SITE } }),
      /^input\.url: is missing; input\.ulr: unknown member; the nearest known name is url$/,
    );
    assert.match(
      await submit({ kind: 'fetch', input: { url: 'http://10.0.0.1/' } }),
      /^input\.url: .*QUERN_ALLOW_TARGETS/,
    );
    assert.match(await submit({ kind: 'crawl', input: { urls: [SITE, 'x'] } }), /^input\.urls\.1: is not an absolute/);
    assert.match(await submit({ kind: 'crawl', input: { url: SITE, max_pages: 501 } }), /^input\.max_pages: plan free/);
    assert.match(await submit({ kind: 'fetch', input: 'x' }), /^input: /);
    for (const webhook of [null, 7]) {
      assert.equal(
        await submit({ kind: 'fetch', input: { url: SITE }, webhook }),
        'webhook: must be a URL or an object with a url; omit it for none',
      );
    }
    assert.match(
      await submit({ kind: 'fetch', input: { url: SITE }, webhook: 'x' }),
      /^webhook\.url: is not an absolute URL/,
    );
    assert.match(await submit({ kind: 'fetch', input: { url: SITE }, max_credits: 1 }), /^max_credits: .* 2$/);
    assert.equal((await jobs.submit({ proxy: 'stealth' })).code, 'plan_upgrade_required');
    assert.equal((await jobs.submit()).code, 'ok');
    assert.equal((await jobs.submit()).code, 'queue_full');
    assert.equal((await gate.fetch({ timeout_ms: 30_001 })).code, 'queue_full');
  });
});

for (const [kind, input] of Object.entries({ fetch: {}, crawl: { max_pages: 1 }, map: { max_urls: 1 } }))
  onEveryStore(`a ${kind} with a timeout above the job limit of the plan is accepted with a warning`, async (store) => {
    await withGate({ store, plan: 'free', limits: { job_timeout_ms: 40_000 } }, async (gate) => {
      const told = [{ code: 'time_limited', message: TIME_LIMIT }];
      for (const timeout_ms of [40_001, 300_001, 259_200_001, Number.MAX_SAFE_INTEGER]) {
        const whole = { url: SITE, ...input, timeout_ms };
        const direct = await gate.ask(getOperation(kind), whole);
        assert.deepEqual([direct.answer?.status, direct.answer?.body['warnings']], [202, told]);
        const submitted = await gate.ask(getOperation('jobs.submit'), { kind, input: whole });
        const job = JobView.parse(submitted.answer?.body);
        assert.deepEqual(job.warnings, told);
        for (const claimed of await gate.queue.leases.claim('w1', 2))
          assert.equal(await runClaimed(gate, claimed), 'ok');
        const body = (await openJobTools(gate).result(job.id)).answer?.body;
        assert.deepEqual(z.looseObject({ warnings: z.unknown() }).parse(body).warnings, told);
      }
      const within = await gate.ask(getOperation(kind), { url: SITE, ...input, timeout_ms: 40_000 });
      assert.deepEqual([within.answer?.status, within.answer?.body['warnings']], [202, undefined]);
    });
  });

const TIME_LIMIT = 'timeout_ms: limited to 40000 ms, the longest job time of plan free';

onEveryStore('a job ends at the time limit of its plan, whatever timeout the caller set', async (store) => {
  await withGate(
    { store, plan: 'free', limits: { inline_timeout_ms: 1000, job_timeout_ms: 1500 }, tierVisits: { http: timesOut } },
    async (gate) => {
      const id = await openJobTools(gate).queued({ timeout_ms: 259_200_000 });
      const [claimed] = await gate.queue.leases.claim('w1', 1);
      assert.ok(claimed !== undefined);
      assert.equal(await runClaimed(gate, claimed), 'timeout');
      assert.ok((await openJobTools(gate).show(id)).status !== 'completed');
    },
  );
});

test('a timeout below one second is accepted', async () => {
  await withGate({ tierVisits: { http: timesOut } }, async (gate) => {
    for (const kind of ['fetch', 'crawl', 'map'])
      for (const timeout_ms of [1, 999])
        assert.equal((await gate.ask(getOperation(kind), { url: SITE, timeout_ms })).code, 'timeout', kind);
  });
  await withGate({}, async (gate) => {
    for (const timeout_ms of [0, -1, 1.5])
      assert.equal((await gate.fetch({ timeout_ms })).code, 'invalid_request', `${timeout_ms}`);
    assert.equal((await gate.fetch({ timeout_ms: 999 })).code, 'ok');
  });
});

onEveryStore('concurrent submissions are accepted only up to the limit', async (store) => {
  await withGate({ store, limits: { queued_jobs: 7 } }, async (gate) => {
    const said = await Promise.all(Array.from({ length: 20 }, async () => openJobTools(gate).submit()));
    assert.equal(said.filter(({ code }) => code === 'ok').length, 7);
    assert.equal(said.filter(({ code }) => code === 'queue_full').length, 13);
  });
});

onEveryStore('cookies and headers are sealed in the row and masked in every answer', async (store) => {
  await withGate({ store }, async (gate) => {
    const jobs = openJobTools(gate);
    const secrets = { headers: { 'x-key': 'rye-secret' }, cookies: [{ name: 'sid', value: 'rye-secret' }] };
    const { answer } = await jobs.submit(secrets);
    const id = String(answer?.body['id']);
    const { answer: list } = await gate.ask(getOperation('jobs.list'), {});
    const shown = JSON.stringify([answer, list, await jobs.show(id)]);
    assert.doesNotMatch(shown, /rye-secret/);
    assert.match(shown, /"x-key":"\*{8}"/);
    assert.match(shown, /"name":"sid","value":"\*{8}"/);
    assert.doesNotMatch(JSON.stringify(await gate.db.query('select * from jobs')), /rye-secret|mill\.example/);
    assert.equal(await runClaimed(gate, await claim(gate)), 'ok');
    assert.deepEqual(gate.visits[0]?.headers, secrets.headers);
  });
});

onEveryStore(
  'transient failures are retried after 1, 2, 4 and 8 seconds, and the fifth is final and free',
  async (store) => {
    await withGate(
      { store, tierVisits: { http: async () => Promise.reject(buildFailure('unreachable', 'refused')) } },
      async (gate) => {
        const jobs = openJobTools(gate);
        const id = await jobs.queued();
        for (const seconds of [1, 2, 4, 8]) {
          assert.equal(await runClaimed(gate, await claim(gate)), 'target_unreachable');
          assert.equal((await jobs.show(id)).status, 'queued');
          gate.clock.pass(seconds * 1000 - 1);
          assert.deepEqual(await gate.queue.leases.claim('w1', 1), []);
          gate.clock.pass(1);
        }
        assert.equal(await runClaimed(gate, await claim(gate)), 'target_unreachable');
        const record = await jobs.show(id);
        assert.equal(record.status, 'failed');
        assert.equal(record.attempt, 5);
        assert.equal(record.error?.code, 'target_unreachable');
        assert.deepEqual(await gate.spent(), [0, 0]);
        assert.equal((await jobs.result(id)).code, 'job_failed');
        assert.match((await jobs.result(id)).error?.message ?? '', /^target_unreachable: /);
      },
    );
  },
);

onEveryStore('a job that cannot succeed ends at once, and says why', async (store) => {
  for (const [failure, said] of [
    [buildNameNotFound('mill.example'), /the name mill\.example was not found/],
    [buildRefusedTarget('10.0.0.7', true), /does not connect to 10\.0\.0\.7; .*QUERN_ALLOW_TARGETS/],
    [toTlsFailure('CERT_HAS_EXPIRED', {}), /its TLS certificate has expired/],
    [toTlsFailure('DEPTH_ZERO_SELF_SIGNED_CERT', {}), /its TLS certificate is self-signed/],
  ] as const) {
    await withGate({ store, tierVisits: { http: async () => Promise.reject(failure) } }, async (gate) => {
      const id = await openJobTools(gate).queued();
      assert.equal(await runClaimed(gate, await claim(gate)), 'target_unreachable');
      const { status, attempt, error } = await openJobTools(gate).show(id);
      assert.deepEqual([status, attempt], ['failed', 1]);
      assert.match(error?.message ?? '', said);
    });
  }
});

onEveryStore('a permanent failure ends the job at once', async (store) => {
  await withGate({ store, tierVisits: { http: isBlocked } }, async (gate) => {
    const id = await openJobTools(gate).queued();
    assert.equal(await runClaimed(gate, await claim(gate)), 'target_blocked');
    const { status, attempt, error } = await openJobTools(gate).show(id);
    assert.deepEqual([status, attempt, error?.code], ['failed', 1, 'target_blocked']);
  });
});

onEveryStore('every state of a job has its answer under /result', async (store) => {
  await withGate({ store }, async (gate) => {
    const jobs = openJobTools(gate);
    const id = await jobs.queued();
    const early = await jobs.result(id);
    assert.equal(early.code, 'job_not_finished');
    assert.ok((early.error?.retryAfterSeconds ?? 0) > 0);
    const claimed = await claim(gate);
    assert.equal((await jobs.result(id)).code, 'job_not_finished');
    const { answer: partial } = await jobs.result(id, { partial: true });
    assert.deepEqual(partial?.body, { request_id: 'req_0001', usage: null });
    await runClaimed(gate, claimed);
    assert.equal((await jobs.result(id)).answer?.body['status_code'], 200);
    const cancelled = await jobs.queued();
    await jobs.cancel(cancelled);
    assert.equal((await jobs.result(cancelled)).code, 'job_cancelled');
    gate.clock.pass(7 * DAY_MS);
    assert.equal((await jobs.result(id)).code, 'result_expired');
    assert.equal((await jobs.result(id, { partial: true })).code, 'result_expired');
    assert.equal((await jobs.result('job_unknown')).code, 'not_found');
    const stranger = await gate.tenants.create('other', 'starter');
    const asked = await gate.ask(getOperation('jobs.result'), { id }, { as: stranger });
    assert.equal(asked.code, 'not_found');
  });
});

onEveryStore(
  'cancelling returns 200 for a queued job, 202 for a running one and 204 for an ended one',
  async (store) => {
    await withGate({ store, tierVisits: { http: timesOut } }, async (gate) => {
      const jobs = openJobTools(gate);
      const queued = await jobs.queued();
      assert.equal((await jobs.cancel(queued)).answer?.status, 200);
      const running = await jobs.queued();
      const claimed = await claim(gate);
      const stop = new AbortController();
      const ending = runClaimed(gate, claimed, stop.signal);
      const asked = await jobs.cancel(running);
      assert.equal(asked.answer?.status, 202);
      assert.equal(asked.answer.body['cancel_requested'], true);
      assert.equal(asked.answer.body['status'], 'running');
      stop.abort(new JobStopped('cancelled'));
      await ending;
      assert.equal((await jobs.show(running)).status, 'cancelled');
      assert.equal((await jobs.cancel(running)).answer?.status, 204);
      const after = await jobs.show(running);
      assert.deepEqual([after.status, after.input], ['expired', null]);
      assert.equal((await jobs.cancel('job_unknown')).code, 'not_found');
      assert.deepEqual(await gate.spent(), [0, 0]);
    });
  },
);

onEveryStore('a deleted job keeps its record and its charge, but neither input nor result', async (store) => {
  await withGate({ store }, async (gate) => {
    const jobs = openJobTools(gate);
    const id = await jobs.queued();
    await runClaimed(gate, await claim(gate));
    assert.equal((await jobs.cancel(id)).answer?.status, 204);
    assert.equal((await jobs.result(id)).code, 'result_expired');
    const { input, usage } = await jobs.show(id);
    assert.deepEqual([input, usage?.credits], [null, 2]);
    assert.deepEqual(await gate.db.query('select * from result_segments'), []);
  });
});

onEveryStore('a worker has no effect after its lease has expired', async (store) => {
  const arrived = Promise.withResolvers<void>();
  let first = true;
  const gates = Promise.withResolvers<void>();
  const http: typeof isBlocked = async (request, signal) => {
    if (first) {
      first = false;
      arrived.resolve();
      await gates.promise;
    }
    return brings()(request, signal);
  };
  await withGate({ store, tierVisits: { http } }, async (gate) => {
    const id = await openJobTools(gate).queued();
    const zombie = runClaimed(gate, await claim(gate, 'zombie'));
    await arrived.promise;
    gate.clock.pass(31_000);
    await gate.queue.leases.recover(null, async () => gate.plan);
    gate.clock.pass(1000);
    const second = await claim(gate, 'other');
    assert.equal(second.row.attempt, 2);
    gates.resolve();
    assert.equal(await zombie, 'lost');
    assert.equal((await openJobTools(gate).show(id)).status, 'running');
    assert.deepEqual(await gate.spent(), [0, 0]);
    assert.equal(await runClaimed(gate, second), 'ok');
    assert.deepEqual(await gate.spent(), [2, 0]);
    await checkBooks(gate);
  });
});

onEveryStore('a worker that wakes after its lease has expired starts no visit and no reservation', async (store) => {
  await withGate({ store }, async (gate) => {
    await openJobTools(gate).queued();
    const late = await claim(gate, 'zombie');
    gate.clock.pass(31_000);
    await gate.queue.leases.recover(null, async () => gate.plan);
    gate.clock.pass(1000);
    const second = await claim(gate, 'other');
    assert.equal(await runClaimed(gate, late), 'lost');
    assert.equal(gate.visits.length, 0);
    assert.deepEqual(await gate.spent(), [0, 0]);
    assert.equal(await runClaimed(gate, second), 'ok');
    await checkBooks(gate);
  });
});

onEveryStore('a charge and the end of its job are committed together or not at all', async (store) => {
  await withGate({ store }, async (gate) => {
    await gate.db.query(NO_COMPLETION[store]);
    await openJobTools(gate).queued();
    assert.equal(await runClaimed(gate, await claim(gate)), 'internal_error');
    assert.deepEqual(await gate.spent(), [0, 0]);
    assert.deepEqual(await gate.db.query('select key from ledger'), []);
    await checkBooks(gate);
  });
});

onEveryStore('the death of a worker counts as an attempt, and the fifth ends the job', async (store) => {
  await withGate({ store }, async (gate) => {
    const id = await openJobTools(gate).queued();
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      const { row } = await claim(gate);
      await gate.billing.reserve({ key: `job:${id}`, tenant: gate.tenant, plan: gate.plan }, 2);
      assert.equal(row.attempt, attempt);
      gate.clock.pass(31_000);
      await gate.queue.leases.recover(null, async () => gate.plan);
      assert.deepEqual(await gate.spent(), [0, 0]);
      gate.clock.pass(16_000);
    }
    const { status, error } = await openJobTools(gate).show(id);
    assert.deepEqual([status, error?.code], ['failed', 'internal_error']);
  });
});

onEveryStore('a job is blocked at a tier that would exceed its max_credits', async (store) => {
  const tierVisits = { http: isBlocked, proxy: brings() };
  await withGate({ store, tierVisits }, async (gate) => {
    const raw = { kind: 'fetch', input: { url: SITE }, max_credits: 5 };
    await gate.ask(getOperation('jobs.submit'), raw);
    assert.equal(await runClaimed(gate, await claim(gate)), 'target_blocked');
    await gate.ask(getOperation('jobs.submit'), { ...raw, max_credits: 10 });
    assert.equal(await runClaimed(gate, await claim(gate)), 'ok');
    assert.deepEqual(await gate.spent(), [10, 0]);
  });
});

onEveryStore('results are deleted when they expire, and records after 90 days', async (store) => {
  await withGate({ store }, async (gate) => {
    const id = await openJobTools(gate).queued();
    await runClaimed(gate, await claim(gate));
    gate.clock.pass(7 * DAY_MS - 1);
    await gate.queue.retention.tidy();
    assert.equal((await openJobTools(gate).show(id)).status, 'completed');
    gate.clock.pass(1);
    await gate.queue.retention.tidy();
    assert.deepEqual(await gate.db.query('select * from result_segments'), []);
    assert.equal((await gate.db.query('select input from jobs'))[0]?.['input'], null);
    gate.clock.pass(90 * DAY_MS);
    await gate.queue.retention.tidy();
    assert.deepEqual(await gate.db.query('select * from jobs'), []);
  });
});

onEveryStore('a worker runs queued jobs, and returns the others to the queue unchanged when drained', async (store) => {
  await withGate({ store }, async (gate) => {
    const jobs = openJobTools(gate);
    const ids = await Promise.all(Array.from({ length: 12 }, async () => jobs.queued()));
    const worker = openWorker(gate);
    for (const id of ids) {
      const ended = await gate.queue.jobs.waitForEnd(gate.tenant, id, {
        ms: 20_000,
        signal: new AbortController().signal,
      });
      assert.equal(ended.record.status, 'completed');
    }
    assert.equal(worker.isAlive(), true);
    await worker.drain();
    assert.equal(worker.isAlive(), false);
    assert.deepEqual(await gate.spent(), [24, 0]);
    await checkBooks(gate);
  });
});

onEveryStore('draining a worker during a job requeues the job without counting the attempt', async (store) => {
  const { http, begun } = holdVisit();
  await withGate({ store, tierVisits: { http } }, async (gate) => {
    const id = await openJobTools(gate).queued();
    const worker = openWorker(gate);
    await begun.promise;
    await worker.drain();
    const { status, attempt } = await openJobTools(gate).show(id);
    assert.deepEqual([status, attempt], ['queued', 0]);
    assert.deepEqual(await gate.spent(), [0, 0]);
  });
});

onEveryStore('a worker cancels the job that it runs', async (store) => {
  const { http, begun } = holdVisit();
  await withGate({ store, tierVisits: { http } }, async (gate) => {
    const id = await openJobTools(gate).queued();
    const worker = openWorker(gate);
    await begun.promise;
    assert.equal((await openJobTools(gate).cancel(id)).answer?.status, 202);
    const wait = { ms: 20_000, signal: new AbortController().signal };
    assert.equal((await gate.queue.jobs.waitForEnd(gate.tenant, id, wait)).record.status, 'cancelled');
    await worker.drain();
    assert.deepEqual(await gate.spent(), [0, 0]);
  });
});

/** The ids of a page of the list. */
function listIds({ data }: Readonly<Record<string, unknown>>): unknown[] {
  return z
    .array(JobRecord)
    .parse(data)
    .map(({ id }) => id);
}

onEveryStore('the job list has filters and pages, newest first', async (store) => {
  await withGate({ store }, async (gate) => {
    const jobs = openJobTools(gate);
    const ids: string[] = [];
    for (let at = 0; at < 5; at += 1) {
      ids.unshift(await jobs.queued());
      gate.clock.pass(1000);
    }
    await jobs.cancel(ids[1] ?? '');
    const list = async (raw: object) => (await gate.ask(getOperation('jobs.list'), raw)).answer?.body ?? {};
    const first = await list({ limit: 3 });
    assert.deepEqual(listIds(first), ids.slice(0, 3));
    assert.deepEqual(listIds(await list({ limit: 3, cursor: first['next_cursor'] })), ids.slice(3));
    assert.deepEqual(listIds(await list({ status: 'cancelled' })), [ids[1]]);
    assert.deepEqual(listIds(await list({ kind: 'crawl' })), []);
    assert.deepEqual(listIds(await list({ from: '2026-11-21T12:00:03Z' })), ids.slice(0, 2));
    assert.deepEqual(listIds(await list({ to: '2026-11-21T12:00:00Z' })), ids.slice(4));
    const forged = await gate.ask(getOperation('jobs.list'), { cursor: 'Zm9yZ2Vk' });
    assert.ok(forged.error instanceof ServiceError);
    assert.equal(forged.code, 'invalid_request');
  });
});

/** A visit that reports its start and ends only with its signal. */
function holdVisit() {
  const begun = Promise.withResolvers<void>();
  const http: typeof isBlocked = async (request, signal) => {
    begun.resolve();
    return timesOut(request, signal);
  };
  return { http, begun };
}
