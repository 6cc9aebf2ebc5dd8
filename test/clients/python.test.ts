import assert from 'node:assert/strict';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { ROOT } from '#support/copy.ts';
import { KEY, runToEnd } from '#support/quern.ts';
import { inTemporaryFolder } from '#support/store.ts';
import { startControlServer } from './control.ts';
import { startClientWorld } from './world.ts';

const CLIENT = join(ROOT, 'clients/python');
const NO_PYTHON = 'there is no python3 3.11 or newer, which the Python client is tested with: apt-get install python3';

/** Python writes no bytecode next to the sources. */
const QUIET = { PYTHONDONTWRITEBYTECODE: '1' };

before(async () => {
  const wanted = 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else 1)';
  const code = await runToEnd('python3', ['-c', wanted], { cwd: CLIENT, settings: {} }).then(
    (ended) => ended.code,
    () => null,
  );
  if (code !== 0) process.stderr.write(`${NO_PYTHON}\n`);
  assert.equal(code, 0, NO_PYTHON);
});

for (const [module, count] of [
  ['test_sync', 17],
  ['test_async', 6],
] as const)
  test(`the tests in ${module}.py pass against a service that is killed and a proxy that drops calls`, async () => {
    await inTemporaryFolder(async (folder) => {
      await using world = await startClientWorld(folder);
      await using control = await startControlServer(world);
      const settings = {
        ...QUIET,
        QUERN_TEST_URL: world.front.origin,
        QUERN_TEST_CONTROL: control.origin,
        QUERN_TEST_SITE: world.site,
        QUERN_TEST_RECEIVER: world.receiver,
        QUERN_TEST_KEY: KEY,
      };
      const args = ['-m', 'unittest', '-v', `tests.${module}`];
      const { code, err } = await runToEnd('python3', args, { cwd: CLIENT, settings });
      assert.equal(code, 0, err);
      assert.match(err, new RegExp(`^Ran ${count} tests`, 'm'));
    });
  });

test('the package works when copied to an empty folder', async () => {
  await inTemporaryFolder(async (folder) => {
    await cp(join(CLIENT, 'quern'), join(folder, 'quern'), { recursive: true });
    const script = 'import quern; print(quern.__version__, len(dir(quern.AsyncQuern)) == len(dir(quern.Quern)))';
    const { out, err } = await runToEnd('python3', ['-c', script], { cwd: folder, settings: QUIET });
    assert.equal(out.trim(), '0.2.0 True', err);
  });
});
