import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readBackup } from '#features/admin/operations.ts';
import { copyBackupFile } from '#store/backup-file.ts';
import { summarizeBackup } from '#store/open-store.ts';
import { inTemporaryFolder, onEveryStore } from '../support/store.ts';
import { brings, type Gate, withGate } from './gate.ts';

const { signal } = new AbortController();
const READING = { progress: () => undefined, signal };

async function open(gate: Gate): Promise<AsyncIterator<string | Uint8Array>> {
  const { answer, error } = await gate.ask(readBackup, {}, { isOperator: true });
  if (answer?.stream === undefined || answer.stream === null) throw error;
  assert.equal(answer.stream.type, 'application/zstd');
  return answer.stream.pieces[Symbol.asyncIterator]();
}

async function* rest(pieces: AsyncIterator<string | Uint8Array>, first: IteratorResult<string | Uint8Array>) {
  for (let piece = first; piece.done !== true; piece = await pieces.next()) yield piece.value;
}

onEveryStore('a streamed backup is complete, consistent at one moment, and without the secret', async (store) => {
  await withGate({ store, tierVisits: { http: brings() } }, async (gate) =>
    inTemporaryFolder(async (folder) => {
      assert.equal((await gate.fetch()).code, 'ok');
      // More than the buffers between store and reader hold, so that the snapshot is still open during the next call.
      for (let at = 0; at < 40; at += 1) {
        const noise = Array.from({ length: 20_000 }, (_, n) => ((n * 7919 + at * 104_729) % 65_521).toString(36)).join(
          '',
        );
        await gate.db.query('update tenants set name = name || $2 where id = $1', [gate.tenant, at === 0 ? noise : '']);
        await gate.tenants.create(noise, 'free');
      }
      const pieces = await open(gate);
      const first = await pieces.next();
      assert.equal((await gate.fetch()).code, 'ok');
      const file = join(folder, 'a.quern');
      const bytes = await copyBackupFile(file, rest(pieces, first), signal);
      const summary = await summarizeBackup(file, READING);
      assert.deepEqual([summary.bytes, summary.carries_secret], [bytes, false]);
      assert.deepEqual([summary.rows['tenants'], summary.rows['ledger']], [41, 1]);
    }),
  );
});

onEveryStore('only one backup is streamed at a time, and an aborted one lets the next begin', async (store) => {
  await withGate({ store }, async (gate) => {
    const pieces = await open(gate);
    assert.equal((await pieces.next()).done, false);
    const second = await gate.ask(readBackup, {}, { isOperator: true });
    assert.deepEqual([second.code, second.error?.retryAfterSeconds], ['backend_unavailable', 60]);
    await pieces.return?.();
    const again = await open(gate);
    for (let piece = await again.next(); piece.done !== true;) piece = await again.next();
    assert.equal((await gate.ask(readBackup, {}, { isOperator: true })).code, 'ok');
  });
});

onEveryStore('a backup that arrives truncated or modified is deleted', async (store) => {
  await withGate({ store }, async (gate) =>
    inTemporaryFolder(async (folder) => {
      const whole = join(folder, 'whole.quern');
      const pieces = await open(gate);
      await copyBackupFile(whole, rest(pieces, await pieces.next()), signal);
      const bytes = await readFile(whole);
      for (const damaged of [bytes.subarray(0, -20), bytes.subarray(0, bytes.length / 2), Buffer.from('<html>')]) {
        const file = join(folder, 'cut.quern');
        await writeFile(file, damaged);
        await assert.rejects(summarizeBackup(file, READING), /cut\.quern: is removed, because/);
        assert.equal(existsSync(file), false);
      }
    }),
  );
});
