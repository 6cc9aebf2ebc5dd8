import type { Config } from '#kernel/config.ts';
import type { ProxyTemplate } from '#kernel/proxy-urls.ts';
import { openProxyPool } from './proxy-pool.ts';
import type { PoolOptions, ProxyPool } from './proxy-pool.ts';

/** The operator's proxies, null where he named none. */
export type Upstreams = {
  /** For tier `proxy`. */
  readonly datacenter: ProxyPool | null;
  /** For tier `proxy_browser`. */
  readonly residential: ProxyPool | null;
};

/** Opens the pools of proxies that the settings name. */
export function openUpstreams(
  config: Pick<Config, 'QUERN_PROXIES_DATACENTER' | 'QUERN_PROXIES_RESIDENTIAL'>,
  options: Pick<PoolOptions, 'clock' | 'random' | 'ca'>,
): Upstreams {
  function open(setting: keyof typeof config): ProxyPool | null {
    const templates: readonly ProxyTemplate[] = config[setting];
    return templates.length === 0 ? null : openProxyPool({ ...options, templates, setting });
  }
  return { datacenter: open('QUERN_PROXIES_DATACENTER'), residential: open('QUERN_PROXIES_RESIDENTIAL') };
}
