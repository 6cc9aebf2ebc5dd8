import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadConfig } from '#kernel/config.ts';

const SECRET = Buffer.alloc(32, 1).toString('base64');

test('defaults apply without any setting', () => {
  const { config, remote } = loadConfig({}, null);
  assert.equal(config.QUERN_HOST, '127.0.0.1');
  assert.equal(config.QUERN_PORT, 7700);
  assert.equal(config.QUERN_DATA_DIR, './data');
  assert.deepEqual(config.QUERN_MAX_DISK, { percent: 80 });
  assert.equal(config.QUERN_SQLITE_SYNC, 'normal');
  assert.equal(remote, null);
});

/** The data folder of a command without a service. */
function folder(environment: Readonly<Record<string, string>>, file: string | null = null): string {
  return loadConfig(environment, file, 'work').config.QUERN_DATA_DIR;
}

test('without a service, the data folder is in the home of the user unless a setting specifies one', () => {
  assert.equal(folder({ HOME: '/home/ada' }), '/home/ada/.local/share/quern');
  assert.equal(folder({ HOME: '/home/ada', XDG_DATA_HOME: '/d' }), '/d/quern');
  assert.equal(folder({ HOME: '/home/ada', XDG_DATA_HOME: 'd' }), '/home/ada/.local/share/quern');
  assert.equal(folder({ HOME: '/home/ada', QUERN_DATA_DIR: './mine' }), './mine');
  assert.equal(folder({ HOME: '/home/ada', QUERN_DATA_DIR: './data' }), './data');
  assert.equal(folder({ HOME: '/home/ada' }, 'QUERN_DATA_DIR=/srv/quern'), '/srv/quern');
  assert.equal(folder({}), './data');
  assert.equal(loadConfig({ HOME: '/home/ada' }, null).config.QUERN_DATA_DIR, './data');
  const { artifacts, usesUserFolder } = loadConfig({ HOME: '/home/ada' }, null, 'work');
  assert.deepEqual(artifacts, { kind: 'folder', folder: '/home/ada/.local/share/quern/artifacts' });
  assert.equal(usesUserFolder, true);
});

test('the environment takes precedence over .env, and an empty value counts as unset', () => {
  const { config } = loadConfig({ QUERN_PORT: '1234', QUERN_HOST: '' }, 'QUERN_PORT=1\nQUERN_HOST=127.0.0.2\n');
  assert.deepEqual([config.QUERN_PORT, config.QUERN_HOST], [1234, '127.0.0.2']);
});

test('an unknown setting stops the start and suggests the nearest name, also in .env', () => {
  assert.throws(() => loadConfig({ QUERN_PRT: '1' }, null), /QUERN_PRT is not a setting; the nearest is QUERN_PORT/);
  assert.throws(() => loadConfig({}, 'QUERN_LOGLEVEL=debug'), /QUERN_LOG_LEVEL/);
});

test('settings that only the command line and the tests read are known', () => {
  const { remote } = loadConfig({ QUERN_URL: 'http://127.0.0.1:1/', QUERN_API_KEY: 'k', QUERN_CORPUS: '/x' }, null);
  assert.deepEqual(remote, { url: 'http://127.0.0.1:1', apiKey: 'k' });
});

test('the error for an invalid value has its setting and the valid values', () => {
  const bad = [
    [{ QUERN_PORT: '65536' }, /QUERN_PORT: must be a port/],
    [{ QUERN_PORT: '80x' }, /QUERN_PORT: must be a port/],
    [{ QUERN_SECRET_KEY: 'short' }, /QUERN_SECRET_KEY: must be 32 bytes/],
    [{ QUERN_MAX_DISK: '120%' }, /QUERN_MAX_DISK: must be a share/],
    [{ QUERN_MAX_DISK: 'much' }, /QUERN_MAX_DISK: must be a share/],
    [{ QUERN_CORS_ORIGINS: 'app.example' }, /QUERN_CORS_ORIGINS: must be origins/],
    [{ QUERN_TRUST_PROXY: '10.0.0.0/33' }, /QUERN_TRUST_PROXY: must be addresses/],
    [{ QUERN_PUBLIC_URL: 'quern.example' }, /QUERN_PUBLIC_URL: must be an http or https URL/],
    [{ QUERN_BOOTSTRAP_KEY: 'has space' }, /QUERN_BOOTSTRAP_KEY: must be/],
    [{ QUERN_BOOTSTRAP_KEY: 'k'.repeat(23) }, /QUERN_BOOTSTRAP_KEY: must be 24 characters or more/],
    [{ QUERN_SQLITE_SYNC: 'off' }, /QUERN_SQLITE_SYNC/],
    [{ QUERN_LOG_LEVEL: 'loud' }, /QUERN_LOG_LEVEL/],
    [{ QUERN_URL: 'ftp://127.0.0.1:7700' }, /QUERN_URL: must be an http or https URL/],
    [{ QUERN_URL: 'the server' }, /QUERN_URL: must be an http or https URL/],
    [{ QUERN_CLOCK_FILE: '/x', QUERN_HOST: '0.0.0.0' }, /QUERN_CLOCK_FILE requires a loopback address/],
  ] as const;
  for (const [environment, message] of bad) assert.throws(() => loadConfig(environment, null), message);
});

test('QUERN_URL needs no scheme', () => {
  for (const [given, url] of [
    ['127.0.0.1:7700', 'http://127.0.0.1:7700'],
    ['localhost:7700/', 'http://localhost:7700'],
    ['quern.example', 'https://quern.example'],
  ] as const)
    assert.equal(loadConfig({ QUERN_URL: given }, null).remote?.url, url);
});

test('sizes and shares of the disk are read with their units', () => {
  assert.deepEqual(quota('20GB'), { bytes: 20e9 });
  assert.deepEqual(quota('1.5 mb'), { bytes: 1.5e6 });
  assert.deepEqual(quota('50%'), { percent: 50 });
});

test('settings are shown with their source, secrets masked', () => {
  const { settings } = loadConfig(
    { QUERN_SECRET_KEY: SECRET, QUERN_PORT: '1' },
    'QUERN_METRICS_TOKEN=0123456789abcdef',
  );
  const line = (name: string) => settings.find((one) => one.name === name);
  assert.deepEqual([line('QUERN_PORT')?.value, line('QUERN_PORT')?.source], ['1', 'environment']);
  assert.deepEqual([line('QUERN_HOST')?.value, line('QUERN_HOST')?.source], ['127.0.0.1', 'default']);
  assert.deepEqual([line('QUERN_METRICS_TOKEN')?.value, line('QUERN_METRICS_TOKEN')?.source], ['********', '.env']);
  assert.ok(!JSON.stringify(settings).includes(SECRET));
});

test('the URL of a database is shown without its password, in any position', () => {
  assert.equal(getShownUrl('postgres://q:hush@db.example:5432/q'), 'postgres://q:********@db.example:5432/q');
  assert.equal(
    getShownUrl('postgresql://db.example/q?user=q&password=hush'),
    'postgresql://db.example/q?user=q&password=********',
  );
  assert.equal(getShownUrl('postgres://q@db.example/q'), 'postgres://q@db.example/q');
  assert.equal(getShownUrl('postgresql:///q?host=/run/postgresql'), 'postgresql:///q?host=/run/postgresql');
});

test('a database URL must have a known scheme, and PostgreSQL needs a shared secret', () => {
  assert.throws(
    load({ QUERN_DATABASE_URL: 'mysql://db/q' }),
    /^Error: QUERN_DATABASE_URL: must be the URL of a PostgreSQL/,
  );
  assert.throws(
    load({ QUERN_DATABASE_URL: 'postgres://q:a%zz@[/q' }),
    /^Error: QUERN_DATABASE_URL: must be a valid URL/,
  );
  assert.throws(
    load({ QUERN_DATABASE_URL: 'postgres://db/q' }),
    /^Error: QUERN_DATABASE_URL requires QUERN_SECRET_KEY/,
  );
});

function place(settings: Readonly<Record<string, string>>) {
  return loadConfig(settings, null).artifacts;
}

const AWS = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'hush' };

test('large results are stored in the data folder, in a shared database, or where the setting specifies', () => {
  assert.deepEqual(place({ QUERN_DATA_DIR: '/d' }), { kind: 'folder', folder: '/d/artifacts' });
  assert.deepEqual(place({ QUERN_DATABASE_URL: 'postgres://db/q', QUERN_SECRET_KEY: SECRET }), { kind: 'rows' });
  assert.deepEqual(place({ QUERN_ARTIFACTS_URL: 'file:///mnt/a%20b' }), { kind: 'folder', folder: '/mnt/a b' });
  const own = { bucket: 'results', prefix: 'a/b', endpoint: 'https://s3.example:9000', region: null, pathStyle: true };
  const url = 's3://k%2F:s%2B@results/a/b/?endpoint=https://s3.example:9000';
  assert.deepEqual(place({ QUERN_ARTIFACTS_URL: url }), {
    kind: 's3',
    ...own,
    credentials: { accessKeyId: 'k/', secretAccessKey: 's+', sessionToken: null },
  });
  const amazon = { ...AWS, AWS_SESSION_TOKEN: 'brief', AWS_REGION: 'eu-central-1' };
  assert.deepEqual(place({ QUERN_ARTIFACTS_URL: 's3://results', ...amazon }), {
    kind: 's3',
    bucket: 'results',
    prefix: '',
    endpoint: null,
    region: 'eu-central-1',
    pathStyle: false,
    credentials: { accessKeyId: 'id', secretAccessKey: 'hush', sessionToken: 'brief' },
  });
});

test('an invalid location for results is rejected in one line, without the secret', () => {
  const bad = [
    ['http://s3.example/results', /must be s3:/],
    ['s3://Results', /must contain a bucket name/],
    ['s3://results/..', /has no credentials|must have a prefix/],
    ['s3://results/a b', /must have a prefix/],
    ['s3://results?endpoint=s3.example', /must have an endpoint/],
    ['s3://results?endpoint=https://s3.example/path', /must have an endpoint/],
    [
      's3://results?acl=public',
      /must have no options except endpoint, region, path_style, each at most once, but has acl/,
    ],
    ['s3://results?region=a&region=b', /each at most once, but has region/],
    ['s3://results?path_style=1', /must have path_style true or false/],
    ['s3://hush@results', /must have both parts of the credentials/],
    ['s3://id:hush%zz@results', /must be a valid URL/],
    ['s3://id:hu/sh@results', /must be a valid URL|must contain a bucket name/],
    ['s3://results?endpoint=https://s3.example', /has no credentials/],
    ['s3://id:hush@results', /needs an endpoint or a region/],
    ['file://host/folder', /must be a folder/],
    ['file:///', /must be a folder/],
  ] as const;
  for (const [url, says] of bad) {
    assert.throws(load({ QUERN_ARTIFACTS_URL: url }), (error) => {
      assert.ok(error instanceof Error && error.message.startsWith('QUERN_ARTIFACTS_URL: '), url);
      assert.match(error.message, says);
      assert.doesNotMatch(error.message, /hush|\n/);
      return true;
    });
  }
});

test('the location of results is shown without its credentials', () => {
  const { settings } = loadConfig({ QUERN_ARTIFACTS_URL: 's3://id:hush@results?region=eu-central-1' }, null);
  const line = settings.find(({ name }) => name === 'QUERN_ARTIFACTS_URL');
  assert.equal(line?.value, 's3://********:********@results?region=eu-central-1');
});

function getShownUrl(url: string): string | undefined {
  const { settings } = loadConfig({ QUERN_SECRET_KEY: SECRET, QUERN_DATABASE_URL: url }, null);
  return settings.find(({ name }) => name === 'QUERN_DATABASE_URL')?.value;
}

function load(settings: Readonly<Record<string, string>>): () => unknown {
  return () => loadConfig(settings, null);
}

function quota(text: string) {
  return loadConfig({ QUERN_MAX_DISK: text }, null).config.QUERN_MAX_DISK;
}
