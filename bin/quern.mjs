#!/usr/bin/env node
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { handOver } from './bootstrap.mjs';

// A checkout runs its source; the published package has no source but dist, because Node strips no types there.
const source = join(import.meta.dirname, '../src/main.ts');
const main = existsSync(source) ? source : join(import.meta.dirname, '../dist/main.js');
handOver([main, ...process.argv.slice(2)]);
