import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { writeDeclarations } from './declarations.ts';
import { toPublishedTree } from './publish.ts';

// Creates `dist/` for the package in the working folder. npm runs this before it packs: `npm pack --workspaces`.
const workspace = join(import.meta.dirname, '..');
const home = process.cwd();
const name = basename(home);
const from = join(home, 'src');
const to = join(home, 'dist');
if (!existsSync(from)) {
  process.stderr.write('The workspace itself is not a package: run npm pack --workspaces, or npm pack -w quern.\n');
  process.exit(1);
}

/** The files of the published service other than modules. */
const PAGES = ['README.md', 'CHANGELOG.md', 'LICENSE', 'docs'];

const files = readdirSync(from, { recursive: true, encoding: 'utf8' }).filter(
  (file) => statSync(join(from, file)).isFile() && !/\.(?:d|as)\.ts$/.test(file) && !/^[^/\\]+\Wfixtures\W/.test(file),
);
const sources = new Map(
  files.filter((file) => file.endsWith('.ts')).map((file) => [file, readFileSync(join(from, file), 'utf8')]),
);
const published = toPublishedTree(name, sources);

rmSync(to, { recursive: true, force: true });
for (const file of files) {
  mkdirSync(join(to, file, '..'), { recursive: true });
  const module = published.get(file);
  if (module === undefined) copyFileSync(join(from, file), join(to, file));
  else writeFileSync(join(to, module.file), module.text);
}
if (existsSync(join(home, 'tsconfig.declarations.json')))
  process.stderr.write(`wrote ${writeDeclarations(name, home)} declarations\n`);
for (const page of name === 'quern' ? PAGES : ['LICENSE'])
  cpSync(join(workspace, page), join(home, page), { recursive: true });
process.stderr.write(`packed ${published.size} modules and ${files.length - published.size} other files into dist\n`);
