import ipaddr from 'ipaddr.js';
import type { Caller } from '#engine/identity/caller.ts';
import type { Rates } from '#engine/identity/rates.ts';
import { ServiceError } from '#kernel/errors.ts';

const BAD_KEYS_PER_MINUTE = 30;

/** The use of a key's current minute; `remaining` is negative by the number of excess requests. */
export type RequestRate = { readonly limit: number; readonly remaining: number; readonly resetSeconds: number };

export type RequestLimits = {
  /** Counts one request of the key; null where the plan has no limit. */
  readonly countRequest: (caller: Caller) => Promise<RequestRate | null>;
  /** Counts one bad key from an address; throws `rate_limited` when there were too many. */
  readonly countBadKey: (address: string) => Promise<void>;
};

/** Limits by the minute: requests of each key, bad keys of each address. */
export function buildLimits(rates: Rates): RequestLimits {
  return {
    async countRequest({ keyId, plan }) {
      if (plan.requests_per_minute === null) return null;
      const { n, leftMs } = await rates.count(`requests ${keyId}`);
      return {
        limit: plan.requests_per_minute,
        remaining: plan.requests_per_minute - n,
        resetSeconds: toSeconds(leftMs),
      };
    },
    async countBadKey(address) {
      const { n, leftMs } = await rates.count(`bad keys ${toNetwork(address)}`);
      if (n <= BAD_KEYS_PER_MINUTE) return;
      throw new ServiceError('rate_limited', 'too many unknown API keys from this address', {
        retryAfterSeconds: toSeconds(leftMs),
      });
    },
  };
}

/** Throws `rate_limited` when a request was one too many for the plan. */
export function refuseExcess(rate: RequestRate | null, { plan }: Caller): void {
  if (rate === null || rate.remaining >= 0) return;
  throw new ServiceError('rate_limited', `the plan ${plan.name} allows ${rate.limit} requests a minute`, {
    retryAfterSeconds: rate.resetSeconds,
  });
}

function toSeconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1000));
}

/** The address that is counted: one IPv4 address, or the /64 that one IPv6 customer has at least. */
function toNetwork(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv6 ? parsed.parts.slice(0, 4).join(':') : parsed.toString();
}
