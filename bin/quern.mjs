#!/usr/bin/env node
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { handOver, MEMORY_FLAGS } from './bootstrap.mjs';

// A checkout runs its source; the published package has no source but dist, because Node strips no types there.
const source = join(import.meta.dirname, '../src/main.ts');
const main = existsSync(source) ? source : join(import.meta.dirname, '../dist/main.js');
const args = process.argv.slice(2);
// They cost an eighth of the time of a command that ends at once, and give back nothing there.
const flags = args[0] === 'serve' || args[0] === 'worker' ? MEMORY_FLAGS : [];
handOver([...flags, main, ...args], { tools: false });
