#!/usr/bin/env node
import { join } from 'node:path';
import { handOver } from './bootstrap.mjs';

handOver([join(import.meta.dirname, '../src/main.ts'), ...process.argv.slice(2)]);
