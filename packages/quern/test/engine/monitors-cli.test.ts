import assert from 'node:assert/strict';
import { test } from 'node:test';
import { showJobResult, showJob, submitJob } from '#features/jobs/operations.ts';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';
import { runCli } from '#transports/cli/cli.ts';
import type { CommandContext } from '#transports/cli/context.ts';
import { lineOver } from '../support/cli.ts';
import { type Gate, SITE, withGate } from './gate.ts';
import { createMonitorCalls, openShop, runAll } from '../support/engine/monitoring.ts';

/** Runs a command line on the gate; returns the output and the exit code. */
async function quern(gate: Gate, ...args: readonly string[]) {
  const said = { out: '', err: '' };
  const parts: CommandContext = {
    place: 'here',
    serveLine: 'quern serve',
    clock: SYSTEM_CLOCK,
    jobs: { submit: submitJob, show: showJob, result: showJobResult },
    operations: gate.operations,
    version: '0.0.0',
    now: gate.clock.now,
    terminal: {
      out: (text) => void (said.out += String(text)),
      note: (line) => void (said.err += `${line}\n`),
      live: () => undefined,
      display: null,
      isScreen: false,
      isRead: () => true,
    },
    async ask(operation, raw) {
      const { answer, error } = await gate.ask(operation, raw);
      if (answer === null) throw error ?? new Error('no answer');
      return { body: answer.body, stream: null };
    },
    work: async () => undefined,
    isServed: async () => true,
    interrupted: () => new AbortController().signal,
  };
  const code = await runCli(args, lineOver(parts));
  return { code, ...said };
}

test('a monitor can be created, changed and deleted on the command line', async () => {
  const { shop, tierVisits } = openShop();
  await withGate({ tierVisits }, async (gate) => {
    const what = [SITE, '--extract', '{"price": {"selector": ".price", "type": "money"}}'];
    const tried = await quern(gate, 'monitors', 'create', ...what, '--try');
    assert.deepEqual([tried.code, JSON.parse(tried.out)], [0, { price: 100 }]);
    assert.match(tried.err, /no monitor was created; 2 credits/);
    assert.deepEqual(await gate.db.query('select id from monitors'), []);
    const made = await quern(
      gate,
      'monitors',
      'create',
      ...what,
      '--cron',
      '@hourly',
      '--webhook',
      'https://h.example/',
    );
    assert.equal(made.code, 0, made.err);
    const id = /mon_\w+/.exec(made.out)?.[0] ?? '';
    assert.match(
      (await quern(gate, 'monitors', 'list')).out,
      new RegExp(`${id} +mill\\.example/ +@hourly +waiting_first_run`),
    );
    await runAll(gate);
    shop.price = '80.00 EUR';
    assert.match((await quern(gate, 'monitors', 'pause', id)).out, /"active": false/);
    gate.clock.pass(10_000);
    assert.match((await quern(gate, 'monitors', 'trigger', id)).out, /"status": "queued"/);
    await runAll(gate);
    assert.match((await quern(gate, 'monitors', 'resume', id)).out, /"active": true/);
    assert.match((await quern(gate, 'monitors', 'runs', id)).out, /"price": 80/);
    assert.match((await quern(gate, 'monitors', 'changes', id)).out, /"new_value": 80/);
    assert.match((await quern(gate, 'monitors', 'deliveries', id)).out, /monitor\.change_detected/);
    assert.match((await quern(gate, 'monitors', 'show', id)).out, /"health": "ok"/);
    const gone = await quern(gate, 'monitors', 'delete', id);
    assert.deepEqual([gone.code, gone.out], [0, '']);
    assert.equal((await quern(gate, 'monitors', 'show', id)).code, 2);
    assert.equal((await createMonitorCalls(gate).ask('list', {})).code, 'ok');
  });
});
