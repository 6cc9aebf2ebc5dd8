import { type Attempt, RENDERING_TIERS, PROXY_TIERS } from '#access/page.ts';
import type { Clock } from '#kernel/clock.ts';
import { ServiceError } from '#kernel/errors.ts';
import type { Plan } from '#engine/identity/plans.ts';
import type { Tokens } from '#llm/complete.ts';

/** The resources that an uncharged call used. */
export type UnpaidCall = {
  readonly attempts: readonly Pick<Attempt, 'tier' | 'duration_ms' | 'bytes'>[];
  /** CPU time of parser threads, ms. */
  readonly readMs: number;
  readonly tokens: Tokens;
};

/** The tenant of the work. */
type Payer = { readonly tenant: string; readonly plan: Plan };

type UnpaidLevel = { readonly seconds: number; readonly at: number };

/** How many model tokens, or bytes through a proxy, count as one second of a browser or parser. */
const TOKENS_PER_SECOND = 100;
const BYTES_PER_SECOND = 1024 * 1024;
const HOUR_MS = 3_600_000;
/** Calls beyond the allowance are delayed up to this time; beyond twice the allowance they are refused. */
const MAX_DELAY_MS = 10_000;
/** The most tenants tracked; the one updated longest ago is dropped first. */
const MAX_TENANTS = 10_000;

/**
 * Tracks the uncharged work of each tenant, in seconds of a browser or parser. The level falls by the plan's
 * `unpaid_seconds_per_hour`. Each process counts its own, because it protects its own threads and browsers.
 */
export class UnpaidWork {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #levels = new Map<string, UnpaidLevel>();

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  /** Adds an uncharged call or page of a crawl. */
  add(payer: Payer, call: UnpaidCall): void {
    const seconds = computeSeconds(call);
    if (seconds === 0 || payer.plan.unpaid_seconds_per_hour === null) return;
    const level = { seconds: this.computeLevel(payer) + seconds, at: this.#clock.monotonic() };
    this.#levels.delete(payer.tenant);
    this.#levels.set(payer.tenant, level);
    const [oldest] = this.#levels.keys();
    if (this.#levels.size > MAX_TENANTS && oldest !== undefined) this.#levels.delete(oldest);
  }

  /** The current level of a tenant, in seconds. */
  computeLevel({ tenant, plan: { unpaid_seconds_per_hour: perHour } }: Payer): number {
    const known = this.#levels.get(tenant);
    if (known === undefined || perHour === null) return 0;
    const worn = ((this.#clock.monotonic() - known.at) / HOUR_MS) * perHour;
    return Math.max(0, known.seconds - worn);
  }

  /** How long a call of a tenant must wait before it starts. */
  computeDelayMs(payer: Payer): number {
    const { unpaid_seconds_per_hour: perHour } = payer.plan;
    if (perHour === null) return 0;
    const beyond = this.computeLevel(payer) / perHour - 1;
    return Math.round(Math.min(1, Math.max(0, beyond)) * MAX_DELAY_MS);
  }

  /** Throws `rate_limited` if a tenant has used more than twice its allowance. */
  assertAllowance(payer: Payer): void {
    const { name, unpaid_seconds_per_hour: perHour } = payer.plan;
    if (perHour === null) return;
    const seconds = this.computeLevel(payer);
    if (seconds <= 2 * perHour) return;
    const wait = Math.ceil((seconds / perHour - 2) * (HOUR_MS / 1000)) + 1;
    throw new ServiceError(
      'rate_limited',
      `failed calls used ${Math.round(seconds)} s of browsers, parsers and models, and plan ${name} allows ${perHour} s per hour (unpaid_seconds_per_hour); wait, or upgrade`,
      { retryAfterSeconds: wait },
    );
  }
}

function computeSeconds({ attempts, readMs, tokens }: UnpaidCall): number {
  const browserMs = attempts.reduce((sum, { tier, duration_ms: ms }) => sum + (RENDERING_TIERS.has(tier) ? ms : 0), 0);
  const proxied = attempts.reduce((sum, { tier, bytes }) => sum + (PROXY_TIERS.has(tier) ? bytes : 0), 0);
  return (browserMs + readMs) / 1000 + (tokens.input + tokens.output) / TOKENS_PER_SECOND + proxied / BYTES_PER_SECOND;
}
