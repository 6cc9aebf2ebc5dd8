import { buildSourceReader } from '#features/sites/reading.ts';
import { readEndpoints } from './index.ts';

/** The module of the threads that read pages for endpoints. */
export const SOURCES = new URL('./parser.worker.ts', import.meta.url);

/** The pure half of every endpoint: one page to a verdict. */
export const readSource = buildSourceReader(readEndpoints);
