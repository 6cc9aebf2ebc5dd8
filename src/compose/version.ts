import type { Tier } from '#access/page.ts';
import type { Config } from '#kernel/config.ts';
import { readVersion } from '#kernel/version.ts';
import { browsersOf } from './browsing.ts';

export const VERSION = readVersion();

type TierConfig = Pick<Config, 'QUERN_CHROMIUM' | 'QUERN_PROXIES_DATACENTER' | 'QUERN_PROXIES_RESIDENTIAL'>;

/** The access tiers that an instance with these settings has on this machine. */
export function tiersOf(config: TierConfig): readonly Tier[] {
  const hasBrowser = browsersOf(config) !== null;
  return [
    'http',
    ...(hasBrowser ? ['browser' as const] : []),
    ...(config.QUERN_PROXIES_DATACENTER.length === 0 ? [] : ['proxy' as const]),
    ...(hasBrowser && config.QUERN_PROXIES_RESIDENTIAL.length > 0 ? ['proxy_browser' as const] : []),
  ];
}
