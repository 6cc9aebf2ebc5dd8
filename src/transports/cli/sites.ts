import type { Operation, WorkOperation } from '#engine/call/operation.ts';
import type { EndpointHealth } from '#features/sites/health.ts';
import { toHealthList } from '#features/sites/health-list.ts';
import type { WatchedEndpoint } from '#features/sites/health-list.ts';
import { hasSome } from '#features/sites/filling.ts';
import { ServiceError } from '#kernel/errors.ts';
import type { Administer } from './administration.ts';
import { EXIT } from './exit.ts';
import type { Said, Terminal } from './parts.ts';
import { isGiven } from './spec.ts';
import { printTable } from './table.ts';

/** An endpoint of a site with its canary. */
export type ListedEndpoint = {
  readonly operation: WorkOperation;
  readonly canary: Readonly<Record<string, unknown>>;
  /** Dotted paths of what is nearly always there. */
  readonly expected: readonly string[];
};

export type SitesParts = {
  /** Those that are asked for their canaries. */
  readonly endpoints: readonly ListedEndpoint[];
  /** Those that are listed. */
  readonly watched: readonly WatchedEndpoint[];
  readonly listHealth: () => Promise<readonly EndpointHealth[]>;
  readonly ask: (operation: Operation, raw: unknown) => Promise<Said>;
};

/** `quern sites list | check`: how the endpoints of sites do, and whether the sites still are as they were. */
export function sitesCommand(parts: SitesParts): Administer {
  return async (given, terminal, [, verb]) => {
    const json = isGiven(given, 'json');
    if (verb === 'check') return check(parts, given.values[0] ?? null, { terminal, json });
    printTable(await list(parts), { terminal, json });
    return EXIT.ok;
  };
}

async function list({ watched, listHealth }: SitesParts) {
  return toHealthList(watched, await listHealth()).map(
    ({ endpoint, verified, level, served, source, last_success_at: succeededAt, last_failure: failure, fill }) => ({
      endpoint,
      verified: verified === null ? 'backends' : verified ? 'verified' : 'unverified',
      level,
      served,
      source,
      last_success: succeededAt,
      last_failure: failure,
      fill: toShares(fill),
    }),
  );
}

/** `user.name 98%`, the emptiest first. */
function toShares(fill: Readonly<Record<string, number>>): string | null {
  const shares = Object.entries(fill).toSorted(([, one], [, other]) => one - other);
  if (shares.length === 0) return null;
  return shares.map(([path, share]) => `${path} ${Math.round(share * 100)}%`).join(', ');
}

/** Asks for canaries one after the other; fails when one has changed. */
async function check(
  { endpoints, ask }: SitesParts,
  name: string | null,
  { terminal, json }: { readonly terminal: Terminal; readonly json: boolean },
): Promise<number> {
  const chosen = endpoints.filter(({ operation: { id } }) => name === null || id === name || id.startsWith(`${name}.`));
  if (chosen.length === 0) throw new ServiceError('invalid_request', `${name ?? ''}: no such site or endpoint`);
  const rows: { endpoint: string; state: 'ok' | 'changed' | 'failed'; says: string }[] = [];
  for (const { operation, canary, expected } of chosen) {
    terminal.live(`${operation.id} …`);
    rows.push({ endpoint: operation.id, ...(await examine(ask, { operation, canary, expected })) });
  }
  terminal.live('');
  printTable(rows, { terminal, json });
  return rows.every(({ state }) => state === 'ok') ? EXIT.ok : EXIT.failure;
}

async function examine(ask: SitesParts['ask'], { operation, canary, expected }: ListedEndpoint) {
  try {
    const { body } = await ask(operation, canary);
    const missing = expected.filter((path) => !hasSome(body, path));
    if (missing.length > 0) return { state: 'changed' as const, says: `nothing at ${missing.join(', ')}` };
    return { state: 'ok' as const, says: body['partial'] === true ? 'partial' : 'as expected' };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    // A canary always exists, so a missing one means that the site has changed.
    const state = ['unusable_response', 'not_found'].includes(error.code) ? ('changed' as const) : ('failed' as const);
    return { state, says: `${error.code}: ${error.message}` };
  }
}
