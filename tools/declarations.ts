import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, posix, sep } from 'node:path';
import { toPublishedPaths } from './publish.ts';

const TSC = join(import.meta.dirname, '../node_modules/.bin/tsc');

/**
 * Writes the type declarations of a published package into `dist`: those of `index.ts` and of the modules that it
 * imports. Throws if the compiler fails.
 */
export function writeDeclarations(name: string, home: string): number {
  const dist = join(home, 'dist');
  const { status, stdout } = spawnSync(TSC, ['-p', 'tsconfig.declarations.json'], { cwd: home, encoding: 'utf8' });
  if (status !== 0) throw new Error(`the declarations of ${name} could not be written:\n${stdout}`);
  const files = readdirSync(dist, { recursive: true, encoding: 'utf8' })
    .map((file) => file.split(sep).join('/'))
    .filter((file) => file.endsWith('.d.ts'));
  const modules = new Set(files.map((file) => file.replace(/\.d\.ts$/, '.ts')));
  const texts = new Map(
    files.map((file) => {
      const source = file.replace(/\.d\.ts$/, '.ts');
      const text = readFileSync(join(dist, file), 'utf8');
      return [file, toPublishedPaths(name, source, { text, isModule: (path) => modules.has(path) })];
    }),
  );
  const reached = findReached(texts, 'index.d.ts');
  for (const [file, text] of texts) {
    if (reached.has(file)) writeFileSync(join(dist, file), text);
    else rmSync(join(dist, file));
  }
  return reached.size;
}

function findReached(texts: ReadonlyMap<string, string>, entry: string): ReadonlySet<string> {
  const reached = new Set([entry]);
  for (const file of reached)
    for (const [, path = ''] of (texts.get(file) ?? '').matchAll(/['"](\.{1,2}\/[^'"]+)\.js['"]/g))
      reached.add(`${posix.join(posix.dirname(file), path)}.d.ts`);
  return reached;
}
