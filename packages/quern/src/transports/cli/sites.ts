import type { Operation, WorkOperation } from '#engine/call/operation.ts';
import type { EndpointHealth } from '#features/sites/health.ts';
import { toHealthList, type WatchedEndpoint } from '#features/sites/health-operation.ts';
import { hasValueAt } from '#sites/framework/answers.ts';
import { type Clock, toTimestamp } from '#kernel/clock.ts';
import { ServiceError } from '#kernel/errors.ts';
import { isJsonObject } from '#extract/values/json-object.ts';
import { formatDomainList } from '#transports/site-names.ts';
import type { RunAdministration } from './administration.ts';
import { EXIT } from './exit.ts';
import type { OperationAnswer, Terminal } from './context.ts';
import { hasFlag } from './spec.ts';
import { printTable } from './table.ts';

/** An endpoint of a site with its canary, a request that is known to work. */
export type CheckedEndpoint = {
  readonly operation: WorkOperation;
  readonly canary: Readonly<Record<string, unknown>>;
  /** Dotted paths that are nearly always filled. */
  readonly expected: readonly string[];
  /** The member that is a paged list; null if the response is a single record. */
  readonly list: string | null;
};

/** What `quern sites` needs. */
export type SitesParts = {
  /** Endpoints that `sites check` checks. */
  readonly endpoints: readonly CheckedEndpoint[];
  /** Endpoints that `sites list` lists. */
  readonly watched: readonly WatchedEndpoint[];
  readonly listHealth: () => Promise<readonly EndpointHealth[]>;
  readonly ask: (operation: Operation, raw: unknown) => Promise<OperationAnswer>;
  readonly clock: Pick<Clock, 'monotonic' | 'now'>;
  readonly version: string;
};

/** `quern sites list | check`: prints the health of endpoints, or checks each with its canary. */
export function createSitesCommand(parts: SitesParts): RunAdministration {
  return async (args, terminal, [, verb]) => {
    const json = hasFlag(args, 'json');
    if (verb === 'check')
      return runSitesCheck(parts, args.values[0] ?? null, { terminal, json, isReport: hasFlag(args, 'report') });
    printTable(await buildHealthRows(parts), { terminal, json });
    return EXIT.ok;
  };
}

async function buildHealthRows({ watched, listHealth }: SitesParts) {
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
      reads: domains.length === 0 ? null : formatDomainList({ domains }),
      verified: verified === null ? 'backends' : verified ? 'verified' : 'unverified',
      level,
      served,
      source,
      last_success: succeededAt,
      last_failure: failure,
      fill: formatFillShares(fill),
    }),
  );
}

/** Formats fill rates as `user.name 98%`, lowest first. */
function formatFillShares(fill: Readonly<Record<string, number>>): string | null {
  const shares = Object.entries(fill).toSorted(([, one], [, other]) => one - other);
  if (shares.length === 0) return null;
  return shares.map(([path, share]) => `${path} ${Math.round(share * 100)}%`).join(', ');
}

/** The result of checking an endpoint; `filled` counts the expected paths that have a value. */
type EndpointCheck = {
  readonly endpoint: string;
  readonly state: 'ok' | 'changed' | 'failed';
  readonly says: string;
  readonly tier: string | null;
  readonly filled: string;
  readonly ms: number;
};

/** Checks endpoints one after the other. The exit code is a failure unless all are ok. */
async function runSitesCheck(
  parts: SitesParts,
  name: string | null,
  { terminal, json, isReport }: { readonly terminal: Terminal; readonly json: boolean; readonly isReport: boolean },
): Promise<number> {
  const { endpoints } = parts;
  const chosen = endpoints.filter(({ operation: { id } }) => name === null || id === name || id.startsWith(`${name}.`));
  if (chosen.length === 0) throw new ServiceError('invalid_request', `${name ?? ''}: no such site or endpoint`);
  const rows: EndpointCheck[] = [];
  for (const endpoint of chosen) {
    terminal.live(`${endpoint.operation.id} …`);
    rows.push(await checkEndpoint(parts, endpoint));
  }
  terminal.live('');
  if (isReport) terminal.out(formatReport(rows, parts));
  else printTable(rows, { terminal, json });
  return rows.every(({ state }) => state === 'ok') ? EXIT.ok : EXIT.failure;
}

async function checkEndpoint({ ask, clock }: SitesParts, endpoint: CheckedEndpoint): Promise<EndpointCheck> {
  const { operation, canary, expected } = endpoint;
  const startedAt = clock.monotonic();
  const toRow = (check: Pick<EndpointCheck, 'state' | 'says' | 'tier' | 'filled'>): EndpointCheck => ({
    endpoint: operation.id,
    ...check,
    ms: Math.round(clock.monotonic() - startedAt),
  });
  try {
    const { body } = await ask(operation, canary);
    const missing = expected.filter((path) => !hasValueAt(body, path));
    // The elements of a list rarely contain the requested id.
    const missingIdentity = endpoint.list === null ? findMissingIdentity(canary, body) : null;
    const usage = body['usage'];
    const tier = isJsonObject(usage) && typeof usage['tier'] === 'string' ? usage['tier'] : null;
    const filled = `${expected.length - missing.length} of ${expected.length}`;
    if (missingIdentity !== null)
      return toRow({ state: 'changed', says: `the record does not contain ${missingIdentity}`, tier, filled });
    if (missing.length > 0) return toRow({ state: 'changed', says: `nothing at ${missing.join(', ')}`, tier, filled });
    return toRow({ state: 'ok', says: body['partial'] === true ? 'partial' : 'as expected', tier, filled });
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    // The requested record always exists, so `not_found` means that the site has changed.
    const state = ['unusable_response', 'not_found'].includes(error.code) ? 'changed' : 'failed';
    return toRow({ state, says: `${error.code}: ${error.message}`, tier: null, filled: `0 of ${expected.length}` });
  }
}

/** Parameters that identify one record, which must contain their value. */
const IDENTIFYING_PARAMETERS = /^(?:(?:\w+_)?id|username|handle|login|owner|repo|asin|subreddit)$/;

/** Finds an identifying parameter whose value is not in the record; null if there is none. */
export function findMissingIdentity(
  canary: Readonly<Record<string, unknown>>,
  record: Readonly<Record<string, unknown>>,
): string | null {
  const text = JSON.stringify(record).toLowerCase();
  const named = Object.entries(canary).filter(([name]) => IDENTIFYING_PARAMETERS.test(name));
  const missingIdentity = named.find(([, value]) => !text.includes(String(value).toLowerCase()));
  return missingIdentity === undefined ? null : missingIdentity.join(' ');
}

/** Formats the results as a Markdown report with version, platform and time. */
function formatReport(rows: readonly EndpointCheck[], { clock, version }: SitesParts): string {
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
