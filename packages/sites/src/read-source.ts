import { buildSourceReader } from './framework/source-reader.ts';
import { allEndpoints } from './index.ts';

/** Parses one page with a source of any endpoint. Pure. */
export const readSource = buildSourceReader(allEndpoints);
