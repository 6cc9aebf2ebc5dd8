#!/usr/bin/env node
import { join } from 'node:path';
import { handOver, IS_CHECKOUT, MEMORY_FLAGS } from './bootstrap.mjs';

// A checkout runs its source; the published package has no source but dist, because Node strips no types there.
const main = join(import.meta.dirname, IS_CHECKOUT ? '../src/main.ts' : '../dist/main.js');
const args = process.argv.slice(2);
// They cost an eighth of the time of a command that ends at once, and give back nothing there.
const flags = args[0] === 'serve' || args[0] === 'worker' ? MEMORY_FLAGS : [];
handOver([...flags, main, ...args], { tools: false });
