import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';
import { backupCommand, restoreCommand } from '#transports/cli/backup.ts';
import type { RunAdministration } from '#transports/cli/administration.ts';
import { EXIT } from '#transports/cli/exit.ts';
import { administer as runCommand } from '../support/cli.ts';

/** Runs a single operator command. */
async function administer(name: string, command: RunAdministration, ...args: readonly string[]) {
  const notes: string[] = [];
  let out = '';
  const note = (line: string): void => void notes.push(line);
  const terminal = {
    out: (text: string | Uint8Array) => void (out += String(text)),
    note,
    live: note,
    isRead: () => true,
    display: null,
    isScreen: false,
  };
  const code = await runCommand(command, [name, ...args], { terminal, refused: 'told' });
  return { code, out, notes };
}

test('backup prints its result and progress, and where the secret key is', async () => {
  const backup = backupCommand(async (file, progress) => {
    progress(1);
    progress(3);
    return { file, bytes: 100, schema: 2, rows: { jobs: 1, tenants: 2 }, carries_secret: file === 'own' };
  }, SYSTEM_CLOCK);
  const own = await administer('backup', backup, 'own');
  assert.deepEqual([own.code, own.out], [EXIT.ok, 'own: 3 rows, 100 bytes, schema 2\n']);
  assert.deepEqual(own.notes.slice(0, 1), ['quern: rows written so far: 1']);
  assert.match(own.notes.at(-1) ?? '', /the file contains the secret key of the data folder/);
  const set = await administer('backup', backup, 'set', '--json');
  assert.deepEqual(JSON.parse(set.out)['rows'], { jobs: 1, tenants: 2 });
  assert.match(set.notes.at(-1) ?? '', /back up QUERN_SECRET_KEY/);
  for (const args of [[], [''], ['a', 'b'], ['--force', 'a'], ['--all', 'a']])
    assert.equal((await administer('backup', backup, ...args)).code, EXIT.usage, args.join(' '));
});

test('restore replaces existing data only with --force', async () => {
  const asked: unknown[] = [];
  const restore = restoreCommand(async (file, { force, note }) => {
    asked.push([file, force]);
    note('a note');
    return { file, rows: 3, at: '2026-11-21T12:00:00.000Z', replaced: null };
  }, SYSTEM_CLOCK);
  const plain = await administer('restore', restore, 'a');
  assert.deepEqual([plain.code, plain.out], [EXIT.ok, 'a: 3 rows of 2026-11-21T12:00:00.000Z restored\n']);
  assert.deepEqual(plain.notes, ['quern: a note']);
  await administer('restore', restore, '--force', 'b', '--json');
  assert.deepEqual(asked, [
    ['a', false],
    ['b', true],
  ]);
  for (const args of [[], ['a', 'b'], ['--all', 'a']])
    assert.equal((await administer('restore', restore, ...args)).code, EXIT.usage, args.join(' '));
});
