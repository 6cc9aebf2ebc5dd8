import type { Tier } from '#access/page.ts';
import type { Config } from '#kernel/config.ts';
import { readVersion } from '#kernel/version.ts';

export const VERSION = readVersion();

/** The access tiers that an instance with these settings has. */
export function tiersOf(config: Pick<Config, 'QUERN_PROXIES_DATACENTER'>): readonly Tier[] {
  return config.QUERN_PROXIES_DATACENTER.length === 0 ? ['http'] : ['http', 'proxy'];
}
