import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { toPublishedTree } from './publish.ts';

const root = join(import.meta.dirname, '..');
const from = join(root, 'src');
const to = join(root, 'dist');

const files = readdirSync(from, { recursive: true, encoding: 'utf8' }).filter(
  (file) =>
    statSync(join(from, file)).isFile() && !/\.(?:d|as)\.ts$/.test(file) && !/^sites\W[^/\\]+\Wfixtures\W/.test(file),
);
const sources = new Map(
  files.filter((file) => file.endsWith('.ts')).map((file) => [file, readFileSync(join(from, file), 'utf8')]),
);
const published = toPublishedTree(sources);

rmSync(to, { recursive: true, force: true });
for (const file of files) {
  mkdirSync(join(to, file, '..'), { recursive: true });
  const module = published.get(file);
  if (module === undefined) copyFileSync(join(from, file), join(to, file));
  else writeFileSync(join(to, module.file), module.text);
}
process.stderr.write(`packed ${published.size} modules and ${files.length - published.size} other files into dist\n`);
