import type { Binaries } from '#access/browser/binaries.ts';
import type { Tier } from '#access/page.ts';
import type { Config } from '#kernel/config.ts';
import { readVersion } from '#kernel/version.ts';

export const VERSION = readVersion();

type TierConfig = Pick<Config, 'QUERN_PROXIES_DATACENTER' | 'QUERN_PROXIES_RESIDENTIAL'>;

/** The access tiers of an instance with these settings and browsers. */
export function listTiers(config: TierConfig, binaries: Binaries | null): readonly Tier[] {
  const hasBrowser = binaries !== null;
  return [
    'http',
    ...(hasBrowser ? ['browser' as const] : []),
    ...(config.QUERN_PROXIES_DATACENTER.length === 0 ? [] : ['proxy' as const]),
    ...(hasBrowser && config.QUERN_PROXIES_RESIDENTIAL.length > 0 ? ['proxy_browser' as const] : []),
  ];
}
