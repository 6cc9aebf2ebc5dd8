import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(import.meta.dirname, '../..');
const SOURCE = 'packages/extract/src/content/model/forest.as.ts';

/** The module that carries the kernel, made of `forest.as.ts` beside it. */
export const KERNEL = join(root, 'packages/extract/src/content/model/forest-wasm.ts');

const OPTIONS = ['-O3', '--runtime', 'stub', '--noAssert', '--enable', 'simd'];
const LINE = /.{1,110}/g;

/** The text of {@link KERNEL}, compiled anew. Throws with what the compiler says. */
export function buildKernel(): string {
  const compiler = fileURLToPath(import.meta.resolve('assemblyscript/bin/asc.js'));
  const folder = mkdtempSync(join(tmpdir(), 'quern-kernel-'));
  try {
    const to = join(folder, 'kernel.wasm');
    execFileSync(process.execPath, [compiler, SOURCE, '--outFile', to, ...OPTIONS], { cwd: root });
    const lines = readFileSync(to, 'base64').match(LINE) ?? [];
    const text = lines.map((line) => `  '${line}'`).join(' +\n');
    return `/** Made of forest.as.ts by \`npm run build:kernel\`. */\nexport const FOREST_WASM =\n${text};\n`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
