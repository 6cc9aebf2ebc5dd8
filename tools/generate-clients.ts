import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { buildClientFiles } from './clients/files.ts';

/** Writes the parts of both clients that follow from the OpenAPI document. */
for (const [file, text] of buildClientFiles()) {
  const path = join(import.meta.dirname, '../clients', file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  process.stdout.write(`clients/${file}: ${Buffer.byteLength(text)} bytes\n`);
}
