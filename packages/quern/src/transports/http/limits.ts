import { createHash } from 'node:crypto';
import ipaddr from 'ipaddr.js';
import type { Caller } from '#engine/identity/caller.ts';
import type { Rates } from '#engine/identity/rates.ts';
import type { Clock } from '#kernel/clock.ts';
import { ServiceError } from '#kernel/errors.ts';

/** Above this, bad keys from an address get 429 instead of 401. */
const MAX_BAD_KEYS_PER_MINUTE = 30;
/** Above this, the address is treated as guessing: keys that were not used recently are rejected without a lookup. */
const MAX_GUESSES_PER_MINUTE = 300;
/** Maximum number of remembered valid keys, and of guessing addresses; the oldest are dropped. */
const MAX_REMEMBERED_ENTRIES = 10_000;

/** The usage of a key in the current minute; `remaining` is negative if there were too many requests. */
export type RequestRate = { readonly limit: number; readonly remaining: number; readonly resetSeconds: number };

/** Request rates of keys, and limits for addresses that try wrong keys. */
export type RequestLimits = {
  /** Counts one request of the key; null if the plan has no limit. */
  readonly countRequest: (caller: Caller) => Promise<RequestRate | null>;
  /** Counts one bad key from an address; throws `rate_limited` if there were too many. */
  readonly countBadKey: (address: string) => Promise<void>;
  /**
   * Throws `rate_limited` without looking the key up if its address is guessing keys. A key that this process recently
   * accepted passes, so that one client behind a shared address cannot lock others out.
   */
  readonly assertNotGuessing: (address: string, key: string) => void;
  /** Remembers a valid key. */
  readonly rememberValidKey: (key: string) => void;
};

/** Creates the limits per minute: requests of each key, and bad keys of each address. */
export function createRequestLimits(rates: Rates, clock: Clock): RequestLimits {
  const rightKeys = new Map<string, true>();
  /** End of the current minute, ms since 1970, by guessing network. */
  const guessing = new Map<string, number>();
  return {
    async countRequest({ keyId, plan }) {
      if (plan.requests_per_minute === null) return null;
      const { n: count, leftMs: remainingMs } = await rates.count(`requests ${keyId}`);
      return {
        limit: plan.requests_per_minute,
        remaining: plan.requests_per_minute - count,
        resetSeconds: toSeconds(remainingMs),
      };
    },
    async countBadKey(address) {
      const network = toNetwork(address);
      const { n: count, leftMs: remainingMs } = await rates.count(`bad keys ${network}`);
      if (count > MAX_GUESSES_PER_MINUTE) rememberNewest(guessing, network, clock.now() + remainingMs);
      if (count > MAX_BAD_KEYS_PER_MINUTE) throw createBadKeysError(remainingMs);
    },
    assertNotGuessing(address, key) {
      if (guessing.size === 0) return;
      const network = toNetwork(address);
      const remainingMs = (guessing.get(network) ?? 0) - clock.now();
      if (remainingMs <= 0) guessing.delete(network);
      else if (!rightKeys.has(computeDigest(key))) throw createBadKeysError(remainingMs);
    },
    rememberValidKey: (key) => rememberNewest(rightKeys, computeDigest(key), true),
  };
}

/** Whether a request exceeds the rate of the plan. */
export function isOverLimit(rate: RequestRate | null): rate is RequestRate {
  return rate !== null && rate.remaining < 0;
}

/** Throws `rate_limited` if a request exceeds the rate of the plan. */
export function assertWithinLimit(rate: RequestRate | null, { plan }: Caller): void {
  if (!isOverLimit(rate)) return;
  throw new ServiceError('rate_limited', `the plan ${plan.name} allows ${rate.limit} requests a minute`, {
    retryAfterSeconds: rate.resetSeconds,
  });
}

/** Adds an entry as the newest, and drops the oldest above the limit. */
function rememberNewest<T>(names: Map<string, T>, name: string, value: T): void {
  names.delete(name);
  names.set(name, value);
  const [oldest] = names.keys();
  if (names.size > MAX_REMEMBERED_ENTRIES && oldest !== undefined) names.delete(oldest);
}

function computeDigest(key: string): string {
  return createHash('sha256').update(key).digest('base64');
}

function createBadKeysError(remainingMs: number): ServiceError {
  return new ServiceError('rate_limited', 'too many unknown API keys from this address', {
    retryAfterSeconds: toSeconds(remainingMs),
  });
}

function toSeconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1000));
}

/** Returns the network that is counted: an IPv4 address, or the /64 of an IPv6 address, the smallest that a customer gets. */
function toNetwork(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv6 ? parsed.parts.slice(0, 4).join(':') : parsed.toString();
}
