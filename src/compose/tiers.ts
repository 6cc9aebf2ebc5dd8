import type { Guard } from '#access/guard.ts';
import { openHttp } from '#access/http.ts';
import type { Http } from '#access/http.ts';
import type { Rungs } from '#access/ladder.ts';
import { LIMITS, PROXY_LIMITS } from '#access/limits.ts';
import type { Profile } from '#access/profile.ts';
import { openProxied } from '#access/proxied.ts';
import type { Upstreams } from '#access/upstreams.ts';

export type TierParts = {
  readonly guard: Guard;
  readonly profile: Profile;
  readonly upstreams: Upstreams;
};

/** Opens the tiers for one kind of visitor. */
export function openTiers({ guard, profile, upstreams: { datacenter } }: TierParts) {
  const common = { guard, profile, authorities: [] };
  const http = openHttp({ ...common, limits: LIMITS });
  const proxied: Http | null = datacenter === null ? null : openHttp({ ...common, limits: PROXY_LIMITS });
  const rungs: Rungs = {
    http: http.visit,
    ...(datacenter === null || proxied === null ? {} : { proxy: openProxied(proxied, datacenter) }),
  };
  return {
    http,
    rungs,
    async close(): Promise<void> {
      await http.close();
      await proxied?.close();
    },
  };
}
