import { createHash } from 'node:crypto';
import ipaddr from 'ipaddr.js';
import type { Caller } from '#engine/identity/caller.ts';
import type { Rates } from '#engine/identity/rates.ts';
import type { Clock } from '#kernel/clock.ts';
import { ServiceError } from '#kernel/errors.ts';

/** Beyond it a bad key from the address is 429 instead of 401. */
const MAX_BAD_KEYS_PER_MINUTE = 30;
/** Beyond it somebody guesses: keys that were not used lately are refused unread. */
const MAX_GUESSES_PER_MINUTE = 300;
/** Keys in use and guessing addresses that are remembered; the oldest are forgotten. */
const MAX_REMEMBERED = 10_000;

/** The use of a key's current minute; `remaining` is negative by the number of excess requests. */
export type RequestRate = { readonly limit: number; readonly remaining: number; readonly resetSeconds: number };

export type RequestLimits = {
  /** Counts one request of the key; null where the plan has no limit. */
  readonly countRequest: (caller: Caller) => Promise<RequestRate | null>;
  /** Counts one bad key from an address; throws `rate_limited` when there were too many. */
  readonly countBadKey: (address: string) => Promise<void>;
  /**
   * Throws `rate_limited` before a key is looked up where its address guesses keys. A key that was right at this process
   * lately passes, so that a neighbour behind one address cannot lock others out.
   */
  readonly refuseGuess: (address: string, key: string) => void;
  /** Remembers that a key was right. */
  readonly noteRightKey: (key: string) => void;
};

/** Limits by the minute: requests of each key, bad keys of each address. */
export function buildLimits(rates: Rates, clock: Clock): RequestLimits {
  const rightKeys = new Map<string, true>();
  /** When the minute of a guessing network ends. */
  const guessing = new Map<string, number>();
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
      const network = toNetwork(address);
      const { n, leftMs } = await rates.count(`bad keys ${network}`);
      if (n > MAX_GUESSES_PER_MINUTE) remember(guessing, network, clock.now() + leftMs);
      if (n > MAX_BAD_KEYS_PER_MINUTE) throw tooManyBadKeys(leftMs);
    },
    refuseGuess(address, key) {
      if (guessing.size === 0) return;
      const network = toNetwork(address);
      const leftMs = (guessing.get(network) ?? 0) - clock.now();
      if (leftMs <= 0) guessing.delete(network);
      else if (!rightKeys.has(toDigest(key))) throw tooManyBadKeys(leftMs);
    },
    noteRightKey: (key) => remember(rightKeys, toDigest(key), true),
  };
}

/** Whether a request was one too many for the plan. */
export function isExcess(rate: RequestRate | null): rate is RequestRate {
  return rate !== null && rate.remaining < 0;
}

/** Throws `rate_limited` when a request was one too many for the plan. */
export function refuseExcess(rate: RequestRate | null, { plan }: Caller): void {
  if (!isExcess(rate)) return;
  throw new ServiceError('rate_limited', `the plan ${plan.name} allows ${rate.limit} requests a minute`, {
    retryAfterSeconds: rate.resetSeconds,
  });
}

/** Sets a name as the newest, and forgets the oldest beyond the bound. */
function remember<T>(names: Map<string, T>, name: string, value: T): void {
  names.delete(name);
  names.set(name, value);
  const [oldest] = names.keys();
  if (names.size > MAX_REMEMBERED && oldest !== undefined) names.delete(oldest);
}

function toDigest(key: string): string {
  return createHash('sha256').update(key).digest('base64');
}

function tooManyBadKeys(leftMs: number): ServiceError {
  return new ServiceError('rate_limited', 'too many unknown API keys from this address', {
    retryAfterSeconds: toSeconds(leftMs),
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
