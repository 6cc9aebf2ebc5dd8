import { parseAllowTargets } from '#access/guard/allowed-targets.ts';
import { createGuard } from '#access/guard/guard.ts';
import type { Endpoint } from '#access/guard/rules.ts';
import { createHttp } from '#access/http/http.ts';
import { DEFAULT_LIMITS, type VisitLimits } from '#access/limits.ts';
import type { Cookie } from '#access/web-session.ts';
import type { PageRequest, Submission } from '#access/page.ts';
import { DESKTOP_PROFILE } from '#access/http/browser-headers.ts';
import { createDnsResolver, createSystemResolver, type ResolveName } from '#access/guard/resolver.ts';
import type { ExchangeRecorder } from '#access/exchange-recorder.ts';
import { ServiceError } from '#kernel/errors.ts';
import type { MemoryShare } from '#kernel/memory-budget.ts';
import type { WorkOwner } from '#kernel/fair-queue.ts';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';

type VisitorSetup = {
  readonly allow?: string;
  readonly limits?: Partial<VisitLimits>;
  /** A local DNS server as `ip:port`; without it no name resolves. */
  readonly dns?: string;
  readonly resolve?: ResolveName;
  /** Resolver for names in `allow`; default: that of the system. */
  readonly resolveAllowed?: ResolveName;
  readonly own?: readonly Endpoint[];
  readonly services?: readonly Endpoint[];
  readonly interfaces?: readonly string[];
  readonly hostsNames?: readonly string[];
  readonly authorities?: readonly string[];
};

/** Creates the egress guard; it blocks all private targets except those in `allow`. */
export function guardWith({
  allow = '',
  dns,
  resolve,
  resolveAllowed,
  own = [],
  services = [],
  interfaces = [],
  hostsNames = [],
}: VisitorSetup = {}) {
  const refusals: { readonly host: string; readonly reason: string }[] = [];
  const guard = createGuard({
    allowed: parseAllowTargets(allow),
    own: () => own,
    services,
    interfaces,
    hostsNames: new Set(hostsNames),
    resolve: resolve ?? (dns === undefined ? resolveNothing : createDnsResolver([dns], SYSTEM_CLOCK)),
    resolveAllowed: resolveAllowed ?? createSystemResolver(SYSTEM_CLOCK),
    report: (refusal) => refusals.push(refusal),
  });
  return { guard, refusals };
}

function resolveNothing(name: string): Promise<never> {
  return Promise.reject(new Error(`${name} does not exist`));
}

/** Creates a visitor of the tier `http` with such a guard. */
export function createVisitor(setup: VisitorSetup = {}) {
  const { guard, refusals } = guardWith(setup);
  const limits = { ...DEFAULT_LIMITS, ...setup.limits };
  const http = createHttp({
    guard,
    limits,
    profile: DESKTOP_PROFILE,
    clock: SYSTEM_CLOCK,
    authorities: setup.authorities ?? [],
  });
  type Sent = {
    readonly headers?: Record<string, string>;
    readonly cookies?: readonly Cookie[];
    readonly ms?: number;
    readonly follows?: PageRequest['follows'];
    readonly recorder?: ExchangeRecorder;
    readonly submission?: Submission;
    readonly insecureTls?: boolean;
    readonly share?: MemoryShare;
    readonly party?: WorkOwner;
  };
  return {
    refusals,
    tier: http.tier,
    visit: (
      url: string,
      { headers = {}, cookies = [], ms = 30_000, follows, recorder, submission, insecureTls, share, party }: Sent = {},
    ) =>
      http.visit(
        {
          url: guard.parseTarget(url),
          headers,
          cookies,
          follows,
          recorder,
          submission,
          insecureTls,
          share,
          ...(party === undefined ? {} : { party }),
        },
        AbortSignal.timeout(ms),
      ),
    async [Symbol.asyncDispose]() {
      await http.close();
    },
  };
}

/** The ServiceError that the work ends with; fails when it ends well or otherwise. */
export async function captureFailure(work: () => unknown): Promise<ServiceError> {
  try {
    await work();
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}
