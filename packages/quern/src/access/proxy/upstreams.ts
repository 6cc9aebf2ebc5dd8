import type { Config } from '#kernel/config.ts';
import { createProxyPool, type ProxyPool, type ProxyPoolOptions } from './proxy-pool.ts';

/** The settings that name proxies. */
export const PROXY_SETTINGS = ['QUERN_PROXIES_DATACENTER', 'QUERN_PROXIES_RESIDENTIAL'] as const;

type ProxyConfig = Pick<Config, (typeof PROXY_SETTINGS)[number]>;

/** The proxy pools of the settings; null if a setting has no proxies. */
export type Upstreams = {
  /** For tier `proxy`. */
  readonly datacenter: ProxyPool | null;
  /** For tier `proxy_browser`. */
  readonly residential: ProxyPool | null;
};

/** Creates the proxy pools of the settings. */
export function createUpstreams(
  config: ProxyConfig,
  options: Pick<ProxyPoolOptions, 'clock' | 'random' | 'isOpened' | 'ca'>,
): Upstreams {
  function open(setting: (typeof PROXY_SETTINGS)[number]): ProxyPool | null {
    const templates = config[setting];
    return templates.length === 0 ? null : createProxyPool({ ...options, templates, setting });
  }
  return { datacenter: open('QUERN_PROXIES_DATACENTER'), residential: open('QUERN_PROXIES_RESIDENTIAL') };
}
