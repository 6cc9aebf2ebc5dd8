import type { Feature } from '#engine/call/feature.ts';
import type { Echoes } from './echoes.ts';
import { echo } from './operation.ts';

/** Says again what was said. */
export function buildEcho(echoes: Echoes): Feature {
  return { operations: [echo.runs(async ({ text }) => ({ body: echoes.hear(text), tier: 'http' }))] };
}
