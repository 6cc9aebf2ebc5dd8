import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';

/** Frees 64 MiB in small pieces, between pieces that stay in use, and prints the resident MiB before and after. */
const PROGRAM = `
  import { collectGarbage } from '#kernel/memory-budget.ts';
  const pieces = Array.from({ length: 4096 }, () => new Uint8Array(16 * 1024).fill(1));
  const before = process.memoryUsage.rss();
  const used = pieces.filter((_, index) => index % 64 === 0);
  pieces.length = 0;
  collectGarbage();
  const after = process.memoryUsage.rss();
  console.log(JSON.stringify({ used: used.length, freedMb: (before - after) / 2 ** 20 }));
`;

test(
  'after a peak, memory that is free between memory in use goes back to the system',
  { skip: process.platform === 'linux' ? false : 'malloc of glibc only' },
  async () => {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [...process.execArgv, '--expose-gc', '--input-type=module', '--eval', PROGRAM],
      { cwd: import.meta.dirname, timeout: 60_000 },
    );
    const { used, freedMb } = JSON.parse(stdout);
    assert.equal(used, 64);
    assert.ok(freedMb > 40, `freed ${freedMb} MiB of 63`);
  },
);
