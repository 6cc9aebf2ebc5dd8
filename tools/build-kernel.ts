import { writeFileSync } from 'node:fs';
import { buildKernel, KERNEL } from './kernel/build.ts';

writeFileSync(KERNEL, buildKernel());
process.stderr.write(`wrote ${KERNEL}\n`);
