import { z } from 'zod';
import { declareControl, declareRawControl } from '#engine/call/operation.ts';
import { wholeNumber } from '#extract/schema/whole-number.ts';
import { LIST_INPUT, buildListOutput } from '#features/schema/lists.ts';
import {
  EXAMPLE_KEY,
  EXAMPLE_TENANT,
  ExpiryTime,
  InstanceView,
  KeyId,
  KeyView,
  DisplayName,
  NewKeyView,
  PlanName,
  QueueView,
  SettingsView,
  TenantId,
  TenantView,
  UpkeepView,
  UsageRow,
} from './schema.ts';

/** The longest overlap of a replaced key: a month. */
const MAX_OVERLAP_SECONDS = 31 * 24 * 3600;

const Rows = z.looseObject({ data: z.array(z.looseObject({})) });

/** Builds the command view that prints a list as a table. */
function buildTableView(noun: string) {
  return { table: { noun, toRows: (body: Readonly<Record<string, unknown>>) => Rows.parse(body).data } };
}

export const listTenants = declareControl({
  id: 'admin.tenants.list',
  clientName: 'listTenants',
  route: 'GET /v1/admin/tenants',
  summary: 'All tenants with their credits, newest first',
  errors: [],
  audience: 'operator',
  input: z.strictObject({ ...LIST_INPUT }),
  output: buildListOutput(TenantView),
  example: { limit: 10 },
  view: buildTableView('tenants'),
});

export const createTenantOperation = declareRawControl({
  id: 'admin.tenants.create',
  clientName: 'createTenant',
  route: 'POST /v1/admin/tenants',
  summary: 'Create a tenant, without a key',
  errors: ['idempotency_conflict'],
  audience: 'operator',
  input: z.strictObject({ name: DisplayName.describe('Display name; need not be unique'), plan: PlanName }),
  output: TenantView,
  successes: [{ status: 201, meaning: 'The tenant', type: 'application/json' }],
  example: { name: 'newsroom', plan: 'starter' },
});

export const showTenant = declareControl({
  id: 'admin.tenants.show',
  clientName: 'getTenant',
  route: 'GET /v1/admin/tenants/{id}',
  summary: 'One tenant with its credits',
  errors: ['not_found'],
  audience: 'operator',
  input: z.strictObject({ id: TenantId }),
  output: TenantView,
  example: { id: EXAMPLE_TENANT },
});

export const updateTenant = declareControl({
  id: 'admin.tenants.update',
  clientName: 'updateTenant',
  route: 'PATCH /v1/admin/tenants/{id}',
  summary:
    'Change the plan or name of a tenant, or suspend or resume it; a new plan applies immediately to credits already spent',
  errors: ['not_found'],
  audience: 'operator',
  input: z.strictObject({
    id: TenantId,
    plan: PlanName.optional(),
    name: DisplayName.optional().describe('Display name'),
    suspended: z
      .boolean()
      .optional()
      .describe(
        'true: everything but reading fails with tenant_suspended, and jobs and monitors are paused; false: resumed',
      ),
  }),
  output: TenantView,
  example: { id: EXAMPLE_TENANT, plan: 'pro' },
});

export const topUpTenant = declareRawControl({
  id: 'admin.tenants.top-up',
  clientName: 'topUpTenant',
  route: 'POST /v1/admin/tenants/{id}/top_ups',
  summary: 'Add credits to the current month of a tenant, once per Idempotency-Key',
  errors: ['not_found', 'idempotency_conflict'],
  audience: 'operator',
  input: z.strictObject({
    id: TenantId,
    credits: wholeNumber(1, 999_999_999_999).describe('They expire at the end of the month'),
  }),
  output: TenantView,
  successes: [{ status: 201, meaning: 'The tenant with the credits', type: 'application/json' }],
  example: { id: EXAMPLE_TENANT, credits: 10_000 },
});

export const refundTenant = declareRawControl({
  id: 'admin.tenants.refund',
  clientName: 'refundTenant',
  route: 'POST /v1/admin/tenants/{id}/refunds',
  summary: 'Refund the charge of a request, job or monitor run, once',
  errors: ['not_found', 'idempotency_conflict'],
  audience: 'operator',
  input: z.strictObject({
    id: TenantId,
    charge: z.string().min(1).max(100).describe('The id of the request, job or run'),
  }),
  output: z.object({ tenant_id: z.string(), charge: z.string(), credits: z.int() }),
  successes: [{ status: 201, meaning: 'The refund', type: 'application/json' }],
  example: { id: EXAMPLE_TENANT, charge: 'req_01kat6v3g5f2q8r9s0tvwxyzab' },
});

export const listKeys = declareControl({
  id: 'admin.keys.list',
  clientName: 'listKeys',
  route: 'GET /v1/admin/tenants/{id}/keys',
  summary: 'The keys of a tenant, newest first, without their text',
  errors: ['not_found'],
  audience: 'operator',
  input: z.strictObject({ id: TenantId, ...LIST_INPUT }),
  output: buildListOutput(KeyView),
  example: { id: EXAMPLE_TENANT },
  view: buildTableView('keys'),
});

export const listAllKeys = declareControl({
  id: 'admin.keys.all',
  clientName: 'listAllKeys',
  route: 'GET /v1/admin/keys',
  summary: 'The keys of all tenants, newest first, without their text',
  errors: [],
  audience: 'operator',
  input: z.strictObject({ ...LIST_INPUT }),
  output: buildListOutput(KeyView),
  example: { limit: 10 },
  view: buildTableView('keys'),
});

export const createKey = declareRawControl({
  id: 'admin.keys.create',
  clientName: 'createKey',
  route: 'POST /v1/admin/tenants/{id}/keys',
  summary: 'Create a key for a tenant; its text is only shown once',
  errors: ['not_found', 'idempotency_conflict'],
  audience: 'operator',
  input: z.strictObject({
    id: TenantId,
    name: DisplayName.default('key').describe('Display name'),
    expires_at: ExpiryTime.optional(),
  }),
  output: NewKeyView,
  successes: [{ status: 201, meaning: 'The key', type: 'application/json' }],
  example: { id: EXAMPLE_TENANT, name: 'nightly import' },
});

export const rotateKey = declareRawControl({
  id: 'admin.keys.rotate',
  clientName: 'rotateKey',
  route: 'POST /v1/admin/keys/{id}/rotate',
  summary: 'Replace a key with a new one of the same name and rights; the old one ends immediately or after an overlap',
  errors: ['not_found', 'idempotency_conflict'],
  audience: 'operator',
  input: z.strictObject({
    id: KeyId,
    overlap_seconds: wholeNumber(0, MAX_OVERLAP_SECONDS).default(0).describe('How long the old key stays valid'),
    expires_at: ExpiryTime.optional(),
  }),
  output: NewKeyView,
  successes: [{ status: 201, meaning: 'The new key', type: 'application/json' }],
  example: { id: EXAMPLE_KEY, overlap_seconds: 3600 },
});

export const revokeKey = declareRawControl({
  id: 'admin.keys.revoke',
  clientName: 'revokeKey',
  route: 'DELETE /v1/admin/keys/{id}',
  summary: 'Revoke a key immediately',
  errors: ['not_found'],
  audience: 'operator',
  input: z.strictObject({ id: KeyId }),
  output: z.object({}),
  successes: [{ status: 204, meaning: 'The key is revoked', type: null }],
  example: { id: EXAMPLE_KEY },
});

export const listPlans = declareControl({
  id: 'admin.plans',
  clientName: 'listPlans',
  route: 'GET /v1/admin/plans',
  summary: 'All plans and their limits',
  errors: [],
  audience: 'operator',
  input: z.strictObject({}),
  output: z.object({ data: z.array(z.looseObject({ name: z.string() })) }),
  example: {},
});

export const exportUsage = declareRawControl({
  id: 'admin.usage',
  clientName: 'listTenantUsage',
  route: 'GET /v1/admin/usage',
  summary: 'Calls and credits by tenant, day and operation, for all tenants or one; also as CSV',
  errors: ['not_found'],
  audience: 'operator',
  input: z.strictObject({
    from: z.iso.date().optional().describe('First day, UTC; default 30 days ago'),
    to: z.iso.date().optional().describe('Last day, UTC; default today'),
    tenant: TenantId.optional().describe('Only this tenant'),
    format: z.enum(['json', 'csv']).default('json').describe('csv: all rows in one file, without limit and cursor'),
    limit: wholeNumber(1, 1000).optional().describe('Rows of one page; default 100'),
    cursor: LIST_INPUT.cursor,
  }),
  output: buildListOutput(UsageRow),
  successes: [
    { status: 200, meaning: 'Rows by tenant, then day, then operation', type: 'application/json' },
    { status: 200, meaning: 'With format=csv: all rows with a header line', type: 'text/csv' },
  ],
  example: { from: '2026-11-01', to: '2026-11-30' },
  view: buildTableView('rows'),
});

export const readBackup = declareRawControl({
  id: 'admin.backup',
  clientName: 'downloadBackup',
  route: 'GET /v1/admin/backup',
  summary: 'A consistent backup of all data for quern restore, without the secret key',
  errors: ['backend_unavailable'],
  audience: 'operator',
  input: z.strictObject({}),
  output: z.object({}),
  successes: [{ status: 200, meaning: 'The file; it ends with a checksum', type: 'application/zstd' }],
  example: {},
});

export const showQueue = declareControl({
  id: 'admin.queue',
  clientName: 'getQueue',
  route: 'GET /v1/admin/queue',
  summary: 'The job queue of all tenants: depth by kind and tenant, the oldest job, and running jobs',
  errors: [],
  audience: 'operator',
  input: z.strictObject({}),
  output: QueueView,
  example: {},
});

export const showInstance = declareControl({
  id: 'admin.instance',
  clientName: 'getInstance',
  route: 'GET /v1/admin/instance',
  summary: 'Status of the responding process: its store, its disk, and the processes on the store',
  errors: [],
  audience: 'operator',
  input: z.strictObject({}),
  output: InstanceView,
  example: {},
});

export const listSettings = declareControl({
  id: 'admin.settings',
  clientName: 'listSettings',
  route: 'GET /v1/admin/settings',
  summary: 'The settings of the responding process and their sources; secrets are masked',
  errors: [],
  audience: 'operator',
  input: z.strictObject({}),
  output: SettingsView,
  example: {},
  view: buildTableView('settings'),
});

export const showUpkeep = declareControl({
  id: 'admin.upkeep.show',
  clientName: 'getUpkeep',
  route: 'GET /v1/admin/upkeep',
  summary: 'The last run and outcome of each upkeep round of the process that answers',
  errors: [],
  audience: 'operator',
  input: z.strictObject({}),
  output: UpkeepView,
  example: {},
});

export const runUpkeep = declareRawControl({
  id: 'admin.upkeep.run',
  clientName: 'runUpkeep',
  route: 'POST /v1/admin/upkeep',
  summary: 'Run upkeep now: delete expired and excess data, and release what dead processes hold',
  errors: ['backend_unavailable'],
  audience: 'operator',
  input: z.strictObject({}),
  output: UpkeepView,
  successes: [{ status: 202, meaning: 'The rounds have started, or were already running', type: 'application/json' }],
  example: {},
});
