import type { Clock } from '#kernel/clock.ts';
import type { Config } from '#kernel/config.ts';
import { formatProxy, type ProxyTemplate, fillTemplate } from '#kernel/proxy-urls.ts';
import { type ProxyFault, findProxyFault } from './proxy-fault.ts';
import { openTunnel } from './tunnel.ts';
import { PROXY_SETTINGS } from './proxy-pool.ts';

/** The result of checking the proxies of one setting. */
export type ProxyCheck = {
  readonly setting: (typeof PROXY_SETTINGS)[number];
  readonly proxies: number;
  readonly failing: readonly { readonly name: string; readonly fault: ProxyFault }[];
};

export type ProxyCheckOptions = {
  /** The destination that the proxies are asked to connect to. */
  readonly to: Parameters<typeof openTunnel>[1];
  /** Time limit for each proxy, ms. */
  readonly timeoutMs: number;
  readonly clock: Clock;
  readonly ca?: readonly string[];
};

const MAX_CONCURRENT_CHECKS = 16;
/** The country for proxies that need one and have no default. */
const DEFAULT_COUNTRY = 'us';

/** Opens and closes a connection through every configured proxy; omits settings without proxies. */
export async function checkProxies(
  config: Pick<Config, (typeof PROXY_SETTINGS)[number]>,
  options: ProxyCheckOptions,
): Promise<readonly ProxyCheck[]> {
  const checks: ProxyCheck[] = [];
  for (const setting of PROXY_SETTINGS) {
    const templates = config[setting];
    const failing: { readonly name: string; readonly fault: ProxyFault }[] = [];
    for (let at = 0; at < templates.length; at += MAX_CONCURRENT_CHECKS) {
      const some = templates.slice(at, at + MAX_CONCURRENT_CHECKS);
      const faults = await Promise.all(some.map(async (template) => checkProxy(template, options)));
      for (const [index, fault] of faults.entries()) {
        const template = some[index];
        if (fault !== null && template !== undefined) failing.push({ name: formatProxy(template), fault });
      }
    }
    if (templates.length > 0) checks.push({ setting, proxies: templates.length, failing });
  }
  return checks;
}

/** The fault of a proxy, or null. An unreachable destination is not a fault. */
async function checkProxy(
  template: ProxyTemplate,
  { to, timeoutMs, clock, ca }: ProxyCheckOptions,
): Promise<ProxyFault | null> {
  const proxy = fillTemplate(template, { session: 'check', country: template.defaultCountry ?? DEFAULT_COUNTRY });
  if (proxy === null) return null;
  try {
    const socket = await openTunnel(proxy, to, { signal: clock.deadline(timeoutMs), ca });
    socket.destroy();
    return null;
  } catch (error) {
    const fault = findProxyFault(error) ?? 'proxy_failed';
    return fault === 'exit_unreached' ? null : fault;
  }
}
