import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(import.meta.dirname, '../..');
const SOURCE = 'packages/extract/src/content/model/forest.as.ts';

/** The module with the compiled kernel, generated from `forest.as.ts` next to it. */
export const KERNEL = join(root, 'packages/extract/src/content/model/forest-wasm.ts');

const OPTIONS = ['-O3', '--runtime', 'stub', '--noAssert', '--enable', 'simd'];
const LINE = /.{1,110}/g;

/** Compiles the kernel; returns the new text of {@link KERNEL}. Throws with the output of the compiler. */
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
