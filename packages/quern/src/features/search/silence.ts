import { ServiceError } from '#kernel/errors.ts';
import type { EngineReport } from './backend/chain.ts';

/** The error of a search that is empty only because nothing could be asked; null where some engine did answer. */
export function silenceOf(reports: readonly EngineReport[]): ServiceError | null {
  if (reports.some(({ status, isBeyond }) => status === 'ok' || status === 'empty' || isBeyond)) return null;
  const said = reports.map(({ name, status, reason }) => `${name}: ${reason ?? status}`).join('; ');
  return new ServiceError(
    'backend_unavailable',
    `no search engine answered${said === '' ? '' : ` (${said})`}: set QUERN_SEARCH_FILE to name one, or QUERN_SEARCH_INDEX=on to search what this instance fetched`,
  );
}
