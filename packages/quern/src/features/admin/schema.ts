import { z } from 'zod';
import { SETTING_SOURCES } from '#kernel/config.ts';
import { STORE_KINDS } from '#store/db.ts';
import { CREDIT_FIELDS } from '#features/schema/credits.ts';

export const TenantId = z.string().min(1).max(100).describe('The id of the tenant');
export const KeyId = z.string().min(1).max(100).describe('The id of the key, not its text');
export const EXAMPLE_TENANT = 'ten_01kat6v3g5f2q8r9s0tvwxyzab';
export const EXAMPLE_KEY = 'key_01kat6v3g5f2q8r9s0tvwxyzab';

/** A name set by an operator: one line without control characters. */
export const DisplayName = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[^\p{Cc}\p{Cs}]*$/u, 'must not contain control characters or unpaired surrogates');

/** The name of a plan. */
export const PlanName = z.string().min(1).max(40).describe('Name of a plan; GET /v1/admin/plans lists them');

/** When a key expires. */
export const ExpiryTime = z.iso
  .datetime()
  .transform((text) => Date.parse(text))
  .describe('When the key expires, ISO 8601 UTC; default never');

export const TenantView = z.object({
  id: z.string(),
  name: z.string(),
  plan: z.string(),
  created_at: z.string(),
  suspended_at: z.string().nullable().describe('When it was suspended; null if it is not'),
  credits_granted: z.int().nullable().describe('Credits of the current month; null if the plan sets no limit'),
  ...CREDIT_FIELDS,
});

export const KeyView = z.object({
  id: z.string(),
  tenant_id: z.string(),
  name: z.string(),
  prefix: z
    .string()
    .nullable()
    .describe('The first characters after qk_; null for a key that was chosen by the operator or is very old'),
  operator: z.boolean().describe('Whether it allows /v1/admin'),
  created_at: z.string(),
  last_used_at: z.string().nullable().describe('Accurate to about a minute; null if never used'),
  expires_at: z.string().nullable(),
  revoked_at: z.string().nullable(),
});

/** The response with the text of a new key. */
export const NewKeyView = z.object({
  id: z.string(),
  tenant_id: z.string(),
  key: z.string().describe('The key; only shown once'),
  expires_at: z.string().nullable(),
});

export const UsageRow = z.object({
  date: z.string().describe('Day in UTC'),
  tenant_id: z.string(),
  tenant: z.string().describe('Name of the tenant'),
  operation: z.string(),
  calls: z.int(),
  credits: z.int(),
});

export const QueueView = z.object({
  queued: z.int(),
  running: z.int(),
  cut: z.literal(true).optional().describe('Set if there are more jobs than were counted'),
  oldest: z
    .object({ id: z.string(), tenant_id: z.string(), kind: z.string(), waits_ms: z.int() })
    .nullable()
    .describe('The job that has been due longest; null if none is due'),
  by_kind: z.array(z.object({ kind: z.string(), queued: z.int(), running: z.int() })),
  by_tenant: z
    .array(z.object({ tenant_id: z.string(), queued: z.int(), running: z.int() }))
    .describe('The 100 tenants with the most jobs'),
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
    .describe('The 100 oldest running jobs'),
});

export const UpkeepView = z.object({
  state: z.enum(['started', 'running', 'idle']).describe('State of the rounds of this process'),
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
    .describe('The last run of each round in the responding process'),
});

export const SettingsView = z.object({
  version: z.string(),
  data: z
    .array(
      z.object({
        name: z.string(),
        value: z.string().describe('Empty if it is not set and has no default; secrets are masked'),
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
    .describe('The disk of the data folder; null if it cannot be read'),
  kept: z
    .object({ cache: z.int(), results: z.int() })
    .nullable()
    .describe('Bytes of cached pages and results at the last upkeep; null before the first'),
  processes: z
    .array(z.object({ id: z.string(), seen_at: z.iso.datetime() }))
    .readonly()
    .describe('Live services and workers on the store'),
});
