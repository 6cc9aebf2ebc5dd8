import { buildSourceReader } from '#sites/framework/reading.ts';
import { readEndpoints } from './index.ts';

/** Parses one page with a source of any endpoint. Pure. */
export const readSource = buildSourceReader(readEndpoints);
