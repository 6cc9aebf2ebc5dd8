import { createRequire } from 'node:module';
import { createLazy } from './lazy.ts';

const require = createRequire(import.meta.url);

/** The HTTP client, loaded at the first request: it is an eighth of all code that a start would load. */
export const loadUndici = createLazy((): typeof import('undici') => require('undici'));
