import { buildSourceReader } from '#sites/framework/reading.ts';
import { readEndpoints } from './index.ts';

/** The pure half of every endpoint: one page to a verdict. */
export const readSource = buildSourceReader(readEndpoints);
