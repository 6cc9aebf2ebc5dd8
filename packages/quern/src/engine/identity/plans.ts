import { z } from 'zod';
import { ServiceError } from '#kernel/errors.ts';
import { readJsonFile } from '#kernel/json-file.ts';

export const DAY_MS = 24 * 3600 * 1000;

/** How long the record of a job or file is kept after its content was deleted. */
export const RECORD_RETENTION_MS = 90 * DAY_MS;

/** The built-in plans, lowest first. */
export const PLAN_NAMES = ['free', 'starter', 'pro', 'scale', 'unlimited'] as const;

export type PlanName = (typeof PLAN_NAMES)[number];

const nullableLimit = z.int().min(1).nullable();

/** The limits of a plan; null means no limit. Times are ms. */
const PlanLimits = z.strictObject({
  credits_per_month: nullableLimit,
  daily_cap: nullableLimit,
  inline_timeout_ms: z.int().min(1000).max(300_000),
  concurrent_requests: nullableLimit,
  requests_per_minute: nullableLimit,
  /** Jobs waiting for a worker. */
  queued_jobs: nullableLimit,
  /** Jobs running at once, including monitor runs. */
  running_jobs: nullableLimit,
  /** Size of the input of a job or the definition of a monitor as JSON. */
  input_bytes: nullableLimit,
  /** Jobs submitted, and bytes of their inputs, within the retention time of results. */
  kept_jobs: nullableLimit,
  kept_input_bytes: nullableLimit,
  /** Bytes of responses stored for idempotency keys. */
  kept_answer_bytes: nullableLimit,
  /**
   * Compressed bytes of results of ended jobs, and bytes of files. Beyond this the oldest of the tenant are deleted.
   */
  kept_result_bytes: nullableLimit,
  kept_file_bytes: nullableLimit,
  /** Bytes of its search index that a tenant keeps while disk space is short. */
  index_bytes: nullableLimit,
  /** The longest run time of one job. */
  job_timeout_ms: nullableLimit,
  results_kept_days: z.int().min(1).max(3650),
  active_monitors: nullableLimit,
  /** Including inactive ones. */
  monitors: nullableLimit,
  /** The shortest interval of a monitor. */
  monitor_interval_ms: z.int().min(60_000).max(86_400_000),
  /** Pages stored by one crawl, and URLs listed by one map. */
  crawl_pages: nullableLimit,
  map_urls: nullableLimit,
  /** Seconds of browsers, parsers and models that uncharged calls may use per hour. */
  unpaid_seconds_per_hour: nullableLimit,
  /** The scheduling weight while several tenants wait: twice the weight gets twice the time. */
  turn_weight: z.int().min(1).max(1000),
  /** Proxy tiers, all site endpoints and all searches. */
  starter_surfaces: z.boolean(),
});

/**
 * A plan in QUERN_PLANS_FILE: only the limits that differ from plan `like`, or from the built-in plan of the same name.
 */
const PlanChange = PlanLimits.partial().extend({ like: z.string().optional() });
const PlanChanges = z.record(z.string(), PlanChange);

/** An invalid plan in QUERN_PLANS_FILE. */
class PlansFileError extends Error {}

/** The name of a plan in the file. */
const PLAN_NAME = /^[a-z][a-z0-9_-]{0,39}$/;

type Limits = z.output<typeof PlanLimits>;
type PlanChanges = z.output<typeof PlanChanges>;

export type Plan = Limits & { readonly name: string };
/** The built-in plans and those of the file. */
export type Plans = Readonly<Record<PlanName, Plan>> & Readonly<Record<string, Plan>>;

const BUILT_IN_LIMITS: Readonly<Record<PlanName, Limits>> = {
  free: {
    credits_per_month: 31_000,
    daily_cap: 1_000,
    inline_timeout_ms: 30_000,
    concurrent_requests: 2,
    requests_per_minute: 20,
    queued_jobs: 20,
    running_jobs: 2,
    input_bytes: 262_144,
    kept_jobs: 2_000,
    kept_input_bytes: 33_554_432,
    kept_answer_bytes: 33_554_432,
    kept_result_bytes: 536_870_912,
    kept_file_bytes: 268_435_456,
    index_bytes: 67_108_864,
    job_timeout_ms: 3_600_000,
    results_kept_days: 1,
    active_monitors: 5,
    monitors: 20,
    monitor_interval_ms: 3_600_000,
    crawl_pages: 500,
    map_urls: 5_000,
    unpaid_seconds_per_hour: 600,
    turn_weight: 1,
    starter_surfaces: false,
  },
  starter: {
    credits_per_month: 50_000,
    daily_cap: 5_000,
    inline_timeout_ms: 60_000,
    concurrent_requests: 10,
    requests_per_minute: 120,
    queued_jobs: 200,
    running_jobs: 8,
    input_bytes: 1_048_576,
    kept_jobs: 50_000,
    kept_input_bytes: 536_870_912,
    kept_answer_bytes: 536_870_912,
    kept_result_bytes: 8_589_934_592,
    kept_file_bytes: 4_294_967_296,
    index_bytes: 536_870_912,
    job_timeout_ms: 21_600_000,
    results_kept_days: 7,
    active_monitors: 50,
    monitors: 200,
    monitor_interval_ms: 300_000,
    crawl_pages: 10_000,
    map_urls: 50_000,
    unpaid_seconds_per_hour: 6_000,
    turn_weight: 2,
    starter_surfaces: true,
  },
  pro: {
    credits_per_month: 250_000,
    daily_cap: 25_000,
    inline_timeout_ms: 90_000,
    concurrent_requests: 50,
    requests_per_minute: 600,
    queued_jobs: 2_000,
    running_jobs: 32,
    input_bytes: 4_194_304,
    kept_jobs: 500_000,
    kept_input_bytes: 4_294_967_296,
    kept_answer_bytes: 4_294_967_296,
    kept_result_bytes: 68_719_476_736,
    kept_file_bytes: 34_359_738_368,
    index_bytes: 2_147_483_648,
    job_timeout_ms: 86_400_000,
    results_kept_days: 14,
    active_monitors: 500,
    monitors: 2_000,
    monitor_interval_ms: 60_000,
    crawl_pages: 50_000,
    map_urls: 100_000,
    unpaid_seconds_per_hour: 30_000,
    turn_weight: 4,
    starter_surfaces: true,
  },
  scale: {
    credits_per_month: 1_500_000,
    daily_cap: 150_000,
    inline_timeout_ms: 120_000,
    concurrent_requests: 150,
    requests_per_minute: 3_000,
    queued_jobs: 20_000,
    running_jobs: 100,
    input_bytes: 8_388_608,
    kept_jobs: 5_000_000,
    kept_input_bytes: 34_359_738_368,
    kept_answer_bytes: 34_359_738_368,
    kept_result_bytes: 549_755_813_888,
    kept_file_bytes: 274_877_906_944,
    index_bytes: 17_179_869_184,
    job_timeout_ms: 259_200_000,
    results_kept_days: 30,
    active_monitors: 5_000,
    monitors: 20_000,
    monitor_interval_ms: 60_000,
    crawl_pages: 1_000_000,
    map_urls: 1_000_000,
    unpaid_seconds_per_hour: 100_000,
    turn_weight: 8,
    starter_surfaces: true,
  },
  unlimited: {
    credits_per_month: null,
    daily_cap: null,
    inline_timeout_ms: 120_000,
    concurrent_requests: null,
    requests_per_minute: null,
    queued_jobs: null,
    running_jobs: null,
    input_bytes: null,
    kept_jobs: null,
    kept_input_bytes: null,
    kept_answer_bytes: null,
    kept_result_bytes: null,
    kept_file_bytes: null,
    index_bytes: null,
    job_timeout_ms: null,
    results_kept_days: 30,
    active_monitors: null,
    monitors: null,
    monitor_interval_ms: 60_000,
    crawl_pages: 1_000_000,
    map_urls: 1_000_000,
    unpaid_seconds_per_hour: null,
    turn_weight: 8,
    starter_surfaces: true,
  },
};

/** Loads the built-in plans with the changes and additions of `file` (JSON: plan name → limits that differ). */
export function loadPlans(file: string | null): Plans {
  const changes = file === null ? {} : readPlansFile(file);
  const more = Object.keys(changes).map((name): [string, Plan] => [name, { name, ...resolveLimits(name, changes) }]);
  const { free, starter, pro, scale, unlimited } = BUILT_IN_LIMITS;
  return {
    free: { name: 'free', ...free },
    starter: { name: 'starter', ...starter },
    pro: { name: 'pro', ...pro },
    scale: { name: 'scale', ...scale },
    unlimited: { name: 'unlimited', ...unlimited },
    ...Object.fromEntries(more),
  };
}

/** Finds a plan by name; null if there is none. */
export function findPlan(plans: Plans, name: string): Plan | null {
  return Object.hasOwn(plans, name) ? (plans[name] ?? null) : null;
}

/** Returns the plan of a tenant. An unknown plan, set by a process with another file, gets the limits of `free`. */
export function resolvePlan(plans: Plans, name: string): Plan {
  return findPlan(plans, name) ?? { ...plans.free, name };
}

/** Returns a plan by name. Throws `invalid_request` with the names of all plans. */
export function getPlan(plans: Plans, name: string): Plan {
  const plan = findPlan(plans, name);
  if (plan === null) throw new ServiceError('invalid_request', `plan: must be one of ${Object.keys(plans).join(', ')}`);
  return plan;
}

/** When a result stored now expires, ms. */
export function computeExpiry({ results_kept_days: days }: Plan, now: number): number {
  return now + days * DAY_MS;
}

/** Returns the size of a parameter in bytes. Throws `invalid_request` if the plan allows fewer. */
export function assertInputSize(member: string, json: string, { name, input_bytes: most }: Plan): number {
  const bytes = Buffer.byteLength(json);
  if (most === null || bytes <= most) return bytes;
  throw new ServiceError(
    'invalid_request',
    `${member}: has ${bytes} bytes as JSON, and plan ${name} allows ${most} (input_bytes)`,
  );
}

function readPlansFile(file: string): PlanChanges {
  return readJsonFile({ setting: 'QUERN_PLANS_FILE', file }, (content) => {
    // Checked before zod, which ignores names such as __proto__.
    const odd = Object.keys(Object(content)).find((name) => !PLAN_NAME.test(name));
    if (odd !== undefined)
      throw new PlansFileError(`${odd}: plan names start with a letter, followed by at most 39 of a-z, 0-9, - and _`);
    const changes = PlanChanges.parse(content);
    // Each plan is resolved here, so that errors are reported with the name of the file.
    for (const name of Object.keys(changes)) resolveLimits(name, changes);
    return changes;
  });
}

/** Resolves the limits of a plan. `trail` lists the plans whose `like` led to it. */
function resolveLimits(name: string, changes: PlanChanges, trail: readonly string[] = []): Limits {
  const change = Object.hasOwn(changes, name) ? changes[name] : undefined;
  const builtIn = PLAN_NAMES.find((one) => one === name);
  if (change === undefined) {
    if (builtIn !== undefined) return BUILT_IN_LIMITS[builtIn];
    throw new PlansFileError(`${trail.at(-1)}.like: there is no plan ${name}`);
  }
  if (trail.includes(name)) throw new PlansFileError(`${name}.like: circular reference to ${name}`);
  const { like, ...members } = change;
  const base = like === undefined ? (builtIn === undefined ? {} : BUILT_IN_LIMITS[builtIn]) : findBase(like, name);
  const read = PlanLimits.safeParse({ ...base, ...members });
  if (read.success) return read.data;
  const missing = read.error.issues.map(({ path }) => path.join('.')).join(', ');
  throw new PlansFileError(`${name}: a new plan needs "like", or all limits (missing: ${missing})`);

  function findBase(other: string, one: string): Limits {
    return other === one && builtIn !== undefined
      ? BUILT_IN_LIMITS[builtIn]
      : resolveLimits(other, changes, [...trail, one]);
  }
}
