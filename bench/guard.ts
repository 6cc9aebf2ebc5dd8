import { parseAllowTargets } from '#access/guard/allowed-targets.ts';
import { type Guard, createGuard } from '#access/guard/guard.ts';
import { createDnsResolver } from '#access/guard/resolver.ts';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';

/** Creates the egress guard of the service with these local targets allowed; refusals are printed. */
export function createGuardFor(hosts: readonly string[]): Guard {
  const resolve = createDnsResolver(null, SYSTEM_CLOCK);
  return createGuard({
    allowed: parseAllowTargets(hosts.join(',')),
    own: () => [],
    services: [],
    interfaces: [],
    hostsNames: new Set(),
    resolve,
    resolveAllowed: resolve,
    report: ({ host, reason }) => void process.stderr.write(`refused ${host}: ${reason}\n`),
  });
}
