import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { ImageStore } from './image-store.ts';

const SUITE = 'bookworm';
/** What the slim images of Debian leave out, of packages that are installed later too. */
const SLIM_PATHS = `path-exclude /usr/share/doc/*
path-include /usr/share/doc/*/copyright
path-exclude /usr/share/info/*
path-exclude /usr/share/lintian/*
path-exclude /usr/share/locale/*
path-exclude /usr/share/man/*
`;
/** The images of Debian keep no downloaded packages. */
const APT_SETTINGS = `DPkg::Post-Invoke { "rm -f /var/cache/apt/archives/*.deb /var/cache/apt/*.bin || true"; };
Dir::Cache::pkgcache ""; Dir::Cache::srcpkgcache "";
Acquire::Languages "none";
`;
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';

/** Makes an image of a bare Debian, with the files that the official slim image has. */
export async function makeDebian(store: ImageStore, name: string): Promise<void> {
  await store.makeImage({ from: 'scratch', name }, async (root) => {
    // The mounts of debootstrap end with its namespace, however it ends.
    await store.run('unshare', ['--mount', 'debootstrap', '--variant=minbase', SUITE, root]);
    addUpdates(join(root, 'etc/apt/sources.list'));
    writeFileSync(join(root, 'etc/dpkg/dpkg.cfg.d/docker'), SLIM_PATHS);
    writeFileSync(join(root, 'etc/apt/apt.conf.d/docker'), APT_SETTINGS);
    const shared = join(root, 'usr/share');
    await store.run('find', [join(shared, 'doc'), '-type', 'f', '-not', '-name', 'copyright', '-delete']);
    for (const folder of ['info', 'lintian', 'locale', 'man'])
      await store.run('find', [join(shared, folder), '-mindepth', '1', '-delete']);
    await store.run('find', [join(root, 'var/cache/apt'), join(root, 'var/lib/apt/lists'), '-type', 'f', '-delete']);
  });
}

/** Adds the updates of the suite to the mirror that debootstrap chose, as the official image has them. */
function addUpdates(file: string): void {
  const [, mirror] = /^deb (\S+)/m.exec(readFileSync(file, 'utf8')) ?? [];
  if (mirror === undefined) throw new Error(`${file} names no mirror`);
  const sources = [
    `${mirror} ${SUITE}`,
    `${mirror} ${SUITE}-updates`,
    `${mirror.replace(/\/$/, '')}-security ${SUITE}-security`,
  ];
  writeFileSync(file, sources.map((source) => `deb ${source} main\n`).join(''));
}

/** Makes an image of Debian with that major version of Node and npm, which finds packages where the npm of this machine does. */
export async function makeNode(
  store: ImageStore,
  { name, debian, major }: { name: string; debian: string; major: string },
): Promise<void> {
  const packages = mkdtempSync(join(store.folder, 'npm-'));
  const wanted = [`node-${process.platform}-${process.arch}@${major}`, 'npm@11'];
  await store.run('npm', [
    'install',
    '--prefix',
    packages,
    '--no-save',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    ...wanted,
  ]);
  const readSetting = async (key: string): Promise<string> => (await store.run('npm', ['config', 'get', key])).trim();
  const certificates = [await readSetting('cafile'), process.env['NODE_EXTRA_CA_CERTS']].find(
    (file) => file !== undefined && existsSync(file),
  );
  const registry = await readSetting('registry');
  await store.makeImage({ from: debian, name }, async (root) => {
    const local = join(root, 'usr/local');
    copyFileSync(
      join(packages, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin/node'),
      join(local, 'bin/node'),
    );
    chmodSync(join(local, 'bin/node'), 0o755);
    cpSync(join(packages, 'node_modules/npm'), join(local, 'lib/node_modules/npm'), { recursive: true });
    symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(local, 'bin/npm'));
    mkdirSync(join(root, 'etc/ssl/certs'), { recursive: true });
    if (certificates !== undefined) copyFileSync(certificates, join(root, CERTIFICATES));
    writeFileSync(
      join(local, 'etc/npmrc'),
      `registry=${registry}\n${certificates === undefined ? '' : `cafile=${CERTIFICATES}\n`}`,
    );
  });
  rmSync(packages, { recursive: true });
}
