import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { VERSION } from '#compose/version.ts';
import { type Ended, runQuern } from '../support/quern.ts';
import { inTemporaryFolder } from '../support/store.ts';

/** Runs a command in a process that first loads a module of the test. */
async function runPlanted(args: readonly string[], module: string): Promise<Ended> {
  return inTemporaryFolder(async (folder) => {
    const file = join(folder, 'planted.mjs');
    await writeFile(file, module);
    return runQuern(folder, args, { NODE_OPTIONS: `--import=${file}`, QUERN_PORT: '0', QUERN_LOG_LEVEL: 'silent' });
  });
}

const failing = (error: string): string => `
  import fs from 'node:fs/promises';
  import { syncBuiltinESMExports } from 'node:module';
  fs.statfs = async () => { throw ${error}; };
  syncBuiltinESMExports();`;

function assertBug({ code, err }: Ended): void {
  assert.equal(code, 70);
  assert.ok(err.includes(`quern: this is a bug in Quern ${VERSION} `), err);
  assert.match(err, /^TypeError: planted\n {4}at .*planted\.mjs/m);
}

test('a bug in a command is printed in full, with a request to report it and its own exit code', async () => {
  assertBug(await runPlanted(['doctor'], failing("new TypeError('planted')")));
});

test('a bug in an operation ends a command in the same way', async () => {
  const planted = `
    const real = Date.UTC;
    Date.UTC = (...parts) => {
      if (new Error().stack.includes('computeBillingCycle')) throw new TypeError('planted');
      return real(...parts);
    };`;
  assertBug(await runPlanted(['usage'], planted));
});

test('an unhandled rejection ends a service in the same way', async () => {
  assertBug(await runPlanted(['serve'], "setTimeout(() => { throw new TypeError('planted'); }, 300);"));
});

test('a system error is printed as one message', async () => {
  const refused = "Object.assign(new Error('EIO: i/o error, statfs'), { errno: -5, code: 'EIO', syscall: 'statfs' })";
  const { code, out, err } = await runPlanted(['doctor'], failing(refused));
  assert.equal(code, 1);
  assert.match(out, /^failed +disk +EIO: i\/o error, statfs$/m);
  assert.equal(err, '');
});
