import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { strToU8, zipSync } from 'fflate';

/** Packs the Python client as its publisher does: a wheel of pure Python is its package and three texts in a zip. Answers its name. */
export function packWheel(client: string, folder: string): string {
  const version = /^version = "(.+)"$/m.exec(readFileSync(join(client, 'pyproject.toml'), 'utf8'))?.[1] ?? '0';
  const about = `quern-${version}.dist-info`;
  const files: Record<string, Uint8Array> = {};
  for (const name of readdirSync(join(client, 'quern')).filter((one) => /\.py$|^py\.typed$/.test(one)))
    files[`quern/${name}`] = readFileSync(join(client, 'quern', name));
  files[`${about}/METADATA`] = strToU8(
    `Metadata-Version: 2.1\nName: quern\nVersion: ${version}\nRequires-Python: >=3.11\n`,
  );
  files[`${about}/WHEEL`] = strToU8('Wheel-Version: 1.0\nGenerator: quern\nRoot-Is-Purelib: true\nTag: py3-none-any\n');
  const records = Object.entries(files).map(
    ([name, bytes]) => `${name},sha256=${createHash('sha256').update(bytes).digest('base64url')},${bytes.length}`,
  );
  files[`${about}/RECORD`] = strToU8([...records, `${about}/RECORD,,`, ''].join('\n'));
  const wheel = `quern-${version}-py3-none-any.whl`;
  writeFileSync(join(folder, wheel), zipSync(files));
  return wheel;
}
