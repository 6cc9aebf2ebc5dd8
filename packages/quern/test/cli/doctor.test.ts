import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { test } from 'node:test';
import { describeModel, describeTiers } from '#engine/call/instance.ts';
import { checkMachine, type DoctorParts } from '#transports/cli/doctor.ts';

const SUCCESS = async (): Promise<void> => undefined;
/** What doctor reports as missing on a machine where everything else works. */
async function findMissing(limits: Awaited<ReturnType<DoctorParts['findBrowserLimits']>>) {
  const findings = await checkMachine({
    dataDir: tmpdir(),
    store: 'SQLite',
    artifacts: 'folder',
    tiers: () => describeTiers(['http', 'browser', 'proxy', 'proxy_browser'], 'missing'),
    model: describeModel('there'),
    checkBrowsers: async () => [],
    findBrowserLimits: async () => limits,
    findMissingData: async () => null,
    checkDataDir: SUCCESS,
    openStore: SUCCESS,
    checkArtifacts: SUCCESS,
    resolve: async () => ({ addresses: [], ttlMs: 0 }),
    checkProxies: async () => [],
  });
  return findings.filter(({ state }) => state === 'missing');
}

test('doctor reports a missing second browser and missing fonts, and names the image that has them', async () => {
  assert.deepEqual(await findMissing([]), []);
  const missing = await findMissing(['light browser', 'CJK fonts']);
  assert.deepEqual(
    missing.map(({ name, fix }) => [name, fix]),
    [
      ['light browser', 'npm run setup:browser'],
      ['CJK fonts', 'apt-get install fonts-noto-cjk'],
    ],
  );
  for (const { says } of missing) assert.match(says, /image with a tag that ends in -full/);
});
