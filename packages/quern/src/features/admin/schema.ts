import { z } from 'zod';
import { SETTING_SOURCES } from '#kernel/config.ts';
import { STORE_KINDS } from '#store/db.ts';
import { CREDIT_FIELDS } from '#features/account/usage.ts';

export const TenantId = z.string().min(1).max(100).describe('The id of the tenant');
export const KeyId = z.string().min(1).max(100).describe('The id of the key, not its text');
export const EXAMPLE_TENANT = 'ten_01kat6v3g5f2q8r9s0tvwxyzab';
export const EXAMPLE_KEY = 'key_01kat6v3g5f2q8r9s0tvwxyzab';

/** A name that an operator gives: one line without control characters. */
export const DisplayName = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[^\p{Cc}\p{Cs}]*$/u, 'has a control character or half of a pair');

/** The name of a plan of this instance. */
export const PlanName = z.string().min(1).max(40).describe('The name of a plan, as GET /v1/admin/plans lists them');

/** When a key ends. */
export const ExpiryTime = z.iso
  .datetime()
  .transform((text) => Date.parse(text))
  .describe('When the key expires, ISO 8601 UTC; never unless given');

export const TenantView = z.object({
  id: z.string(),
  name: z.string(),
  plan: z.string(),
  created_at: z.string(),
  suspended_at: z
    .string()
    .nullable()
    .describe('Since when its calls are refused and its jobs and monitors rest; null unless they are'),
  credits_granted: z.int().nullable().describe('Of the running month; null when the plan sets no limit'),
  ...CREDIT_FIELDS,
});

export const KeyView = z.object({
  id: z.string(),
  tenant_id: z.string(),
  name: z.string(),
  prefix: z
    .string()
    .nullable()
    .describe('The first characters after qk_; null of a key that was given, or is older than this'),
  operator: z.boolean().describe('Whether it opens /v1/admin'),
  created_at: z.string(),
  last_used_at: z.string().nullable().describe('Within a minute or so; null where it was not used'),
  expires_at: z.string().nullable(),
  revoked_at: z.string().nullable(),
});

/** The answer that shows the text of a key. */
export const NewKeyView = z.object({
  id: z.string(),
  tenant_id: z.string(),
  key: z.string().describe('The key itself, shown this once'),
  expires_at: z.string().nullable(),
});

export const UsageRow = z.object({
  date: z.string().describe('Day in UTC'),
  tenant_id: z.string(),
  tenant: z.string().describe('Its name'),
  operation: z.string(),
  calls: z.int(),
  credits: z.int(),
});

export const QueueView = z.object({
  queued: z.int(),
  running: z.int(),
  cut: z.literal(true).optional().describe('There are more jobs than were counted'),
  oldest: z
    .object({ id: z.string(), tenant_id: z.string(), kind: z.string(), waits_ms: z.int() })
    .nullable()
    .describe('The job that has been due for the longest time; null where none is due'),
  by_kind: z.array(z.object({ kind: z.string(), queued: z.int(), running: z.int() })),
  by_tenant: z
    .array(z.object({ tenant_id: z.string(), queued: z.int(), running: z.int() }))
    .describe('The hundred tenants with the most jobs'),
  running_jobs: z
    .array(
      z.object({
        id: z.string(),
        tenant_id: z.string(),
        kind: z.string(),
        worker: z.string().nullable(),
        attempt: z.int(),
        started_at: z.string().nullable(),
      }),
    )
    .describe('The hundred that began first'),
});

export const UpkeepView = z.object({
  state: z.enum(['started', 'running', 'idle']).describe('Of the rounds of this process'),
  rounds: z
    .array(
      z.object({
        name: z.string(),
        started_at: z.string(),
        duration_ms: z.int(),
        outcome: z.enum(['done', 'failed']),
      }),
    )
    .readonly()
    .describe('The last run of each round in the process that answers'),
});

export const SettingsView = z.object({
  version: z.string(),
  data: z
    .array(
      z.object({
        name: z.string(),
        value: z.string().describe('Empty where it is not set and has no default; secrets are masked'),
        source: z.enum(SETTING_SOURCES),
        about: z.string(),
      }),
    )
    .readonly(),
});

export const InstanceView = z.object({
  version: z.string(),
  node: z.string(),
  started_at: z.iso.datetime(),
  store: z.object({
    kind: z.enum(STORE_KINDS),
    schema: z.int().describe('The number of the last migration'),
    bytes: z.int(),
  }),
  disk: z
    .object({ data_dir: z.string(), free_bytes: z.int(), total_bytes: z.int() })
    .nullable()
    .describe('Of the data folder; null where it cannot be read'),
  kept: z
    .object({ cache: z.int(), results: z.int() })
    .nullable()
    .describe('Bytes of cached pages and of results at the last round of upkeep; null before the first'),
  processes: z
    .array(z.object({ id: z.string(), seen_at: z.iso.datetime() }))
    .readonly()
    .describe('Services and workers on the store that reported lately'),
});
