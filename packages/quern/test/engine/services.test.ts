import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { listServices } from '#compose/services.ts';
import { loadSearchSettings } from '#features/search/settings.ts';
import { loadConfig } from '#kernel/config.ts';
import { inTemporaryFolder } from '../support/store.ts';

const SEARCH = {
  backends: {
    mine: { driver: 'searxng', url: 'http://searx:8080' },
    api: {
      driver: 'json',
      url: 'https://api.search.test/s',
      results: 'a.b',
      fields: { title: 't', url: 'u', description: 'd' },
    },
  },
  assistant: { driver: 'sonar', url: 'http://answers:9000/v1', key: 'k', model: 'm' },
};

test('model, database, bucket, proxies and search backends of the settings count as services', async () =>
  inTemporaryFolder(async (folder) => {
    const file = join(folder, 'search.json');
    await writeFile(file, JSON.stringify(SEARCH));
    const { config, artifacts } = loadConfig(
      {
        QUERN_DATA_DIR: folder,
        QUERN_SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
        QUERN_MODEL_URL: 'http://model-host:7756/v1',
        QUERN_MODEL: 'm',
        QUERN_DATABASE_URL: 'postgres://u:p@db:7755/quern',
        QUERN_ARTIFACTS_URL: 's3://k:s@results?endpoint=http://minio:9001&path_style=false',
        QUERN_PROXIES_DATACENTER: 'http://u:p@dc.test:8000,socks5://[fd00::7]:1080',
        QUERN_PROXIES_RESIDENTIAL: 'https://gate.test:7000',
      },
      null,
    );
    const listed = listServices(config, { artifacts, search: loadSearchSettings(file) });
    assert.deepEqual(listed.map(({ host, port }) => `${host} ${port}`).toSorted(), [
      'answers 9000',
      'api.search.test 443',
      'db 7755',
      'dc.test 8000',
      'fd00::7 1080',
      'gate.test 7000',
      'minio 9001',
      'model-host 7756',
      'results.minio 9001',
      'searx 8080',
    ]);
  }));

for (const [url, expected] of [
  ['postgres://u@db/quern', ['db 5432']],
  ['postgresql://u@[fd00::7]:7755/quern', ['fd00::7 7755']],
  ['postgres://u@old/quern?host=db&port=6543', ['db 6543']],
  ['postgres:///quern?host=/run/postgresql', []],
  ['postgres:///quern', ['localhost 5432']],
] as const) {
  test(`the database of ${url} is at ${expected.join() || 'a socket'}`, () => {
    const { config, artifacts } = loadConfig(
      { QUERN_DATABASE_URL: url, QUERN_SECRET_KEY: Buffer.alloc(32, 1).toString('base64') },
      null,
    );
    const listed = listServices(config, { artifacts, search: loadSearchSettings(null) });
    assert.deepEqual(
      listed.map(({ host, port }) => `${host} ${port}`),
      expected,
    );
  });
}
