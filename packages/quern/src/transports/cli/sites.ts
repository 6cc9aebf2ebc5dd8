import type { Operation, WorkOperation } from '#engine/call/operation.ts';
import type { EndpointHealth } from '#features/sites/health.ts';
import { toHealthList, type WatchedEndpoint } from '#features/sites/health-list.ts';
import { hasSome } from '#sites/framework/fill-nulls.ts';
import { type Clock, toTimestamp } from '#kernel/clock.ts';
import { ServiceError } from '#kernel/errors.ts';
import { isJsonObject } from '#extract/values/json-object.ts';
import { sayDomains } from '#transports/uncovered-sites.ts';
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
  /** The member that pages; null for the record of one thing. */
  readonly list: string | null;
};

export type SitesParts = {
  /** Those that are asked for their canaries. */
  readonly endpoints: readonly ListedEndpoint[];
  /** Those that are listed. */
  readonly watched: readonly WatchedEndpoint[];
  readonly listHealth: () => Promise<readonly EndpointHealth[]>;
  readonly ask: (operation: Operation, raw: unknown) => Promise<Said>;
  readonly clock: Pick<Clock, 'monotonic' | 'now'>;
  readonly version: string;
};

/** `quern sites list | check`: how the endpoints of sites do, and whether the sites still are as they were. */
export function sitesCommand(parts: SitesParts): Administer {
  return async (given, terminal, [, verb]) => {
    const json = isGiven(given, 'json');
    if (verb === 'check')
      return check(parts, given.values[0] ?? null, { terminal, json, isReport: isGiven(given, 'report') });
    printTable(await list(parts), { terminal, json });
    return EXIT.ok;
  };
}

async function list({ watched, listHealth }: SitesParts) {
  return toHealthList(watched, await listHealth()).map(
    ({
      endpoint,
      domains,
      verified,
      level,
      served,
      source,
      last_success_at: succeededAt,
      last_failure: failure,
      fill,
    }) => ({
      endpoint,
      reads: domains.length === 0 ? null : sayDomains({ domains }),
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

/** What the check of an endpoint came to; `filled` are expected paths with something in them. */
type Checked = {
  readonly endpoint: string;
  readonly state: 'ok' | 'changed' | 'failed';
  readonly says: string;
  readonly tier: string | null;
  readonly filled: string;
  readonly ms: number;
};

/** Asks for canaries one after the other; fails when one has changed. */
async function check(
  parts: SitesParts,
  name: string | null,
  { terminal, json, isReport }: { readonly terminal: Terminal; readonly json: boolean; readonly isReport: boolean },
): Promise<number> {
  const { endpoints } = parts;
  const chosen = endpoints.filter(({ operation: { id } }) => name === null || id === name || id.startsWith(`${name}.`));
  if (chosen.length === 0) throw new ServiceError('invalid_request', `${name ?? ''}: no such site or endpoint`);
  const rows: Checked[] = [];
  for (const endpoint of chosen) {
    terminal.live(`${endpoint.operation.id} …`);
    rows.push(await examine(parts, endpoint));
  }
  terminal.live('');
  if (isReport) terminal.out(writeReport(rows, parts));
  else printTable(rows, { terminal, json });
  return rows.every(({ state }) => state === 'ok') ? EXIT.ok : EXIT.failure;
}

async function examine({ ask, clock }: SitesParts, endpoint: ListedEndpoint): Promise<Checked> {
  const { operation, canary, expected } = endpoint;
  const begun = clock.monotonic();
  const toRow = (said: Pick<Checked, 'state' | 'says' | 'tier' | 'filled'>): Checked => ({
    endpoint: operation.id,
    ...said,
    ms: Math.round(clock.monotonic() - begun),
  });
  try {
    const { body } = await ask(operation, canary);
    const missing = expected.filter((path) => !hasSome(body, path));
    // The elements of a list seldom say whose they are.
    const strange = endpoint.list === null ? findStrange(canary, body) : null;
    const usage = body['usage'];
    const tier = isJsonObject(usage) && typeof usage['tier'] === 'string' ? usage['tier'] : null;
    const filled = `${expected.length - missing.length} of ${expected.length}`;
    if (strange !== null) return toRow({ state: 'changed', says: `the record does not have ${strange}`, tier, filled });
    if (missing.length > 0) return toRow({ state: 'changed', says: `nothing at ${missing.join(', ')}`, tier, filled });
    return toRow({ state: 'ok', says: body['partial'] === true ? 'partial' : 'as expected', tier, filled });
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    // A canary always exists, so a missing one means that the site has changed.
    const state = ['unusable_response', 'not_found'].includes(error.code) ? 'changed' : 'failed';
    return toRow({ state, says: `${error.code}: ${error.message}`, tier: null, filled: `0 of ${expected.length}` });
  }
}

/** Parameters that name one thing, so that its record has their value in it. */
const NAMING = /^(?:(?:\w+_)?id|username|handle|login|owner|repo|asin|subreddit)$/;

/** What a canary names and its record does not have; null where it has all. */
export function findStrange(
  canary: Readonly<Record<string, unknown>>,
  record: Readonly<Record<string, unknown>>,
): string | null {
  const text = JSON.stringify(record).toLowerCase();
  const named = Object.entries(canary).filter(([name]) => NAMING.test(name));
  const strange = named.find(([, value]) => !text.includes(String(value).toLowerCase()));
  return strange === undefined ? null : strange.join(' ');
}

/** The rows as Markdown, with what whoever reads them elsewhere has to know. */
function writeReport(rows: readonly Checked[], { clock, version }: SitesParts): string {
  const counts = (['ok', 'changed', 'failed'] as const).map(
    (state) => `${rows.filter((row) => row.state === state).length} ${state}`,
  );
  const lines = rows.map(({ endpoint, state, says, tier, filled, ms }) =>
    [endpoint, state, says.replaceAll('|', String.raw`\|`), tier ?? '-', filled, String(ms)].join(' | '),
  );
  return [
    '# Check of site endpoints',
    '',
    `Quern ${version}, Node.js ${process.versions.node}, ${process.platform}, ${toTimestamp(clock.now())}: ${counts.join(', ')}.`,
    '',
    '| endpoint | state | says | tier | expected paths filled | ms |',
    '|---|---|---|---|---|---|',
    ...lines.map((line) => `| ${line} |`),
    '',
  ].join('\n');
}
