import { z } from 'zod';
import { CallerMetadata } from '#features/schema/caller-metadata.ts';
import { buildHeadersSchema } from '#features/schema/request-headers.ts';
import { nameSchema } from '#extract/schema/names.ts';
import { wholeNumber } from '#extract/schema/whole-number.ts';
import { completeUrl } from '#kernel/web-address.ts';

/** Events of monitors that a webhook may subscribe to. A test is always sent. */
export const MONITOR_EVENTS = [
  'monitor.change_detected',
  'monitor.rate_parity_alert',
  'monitor.digest',
  'monitor.failing',
  'monitor.recovered',
  'monitor.stopped',
] as const;

/** Events of jobs. */
export const JOB_EVENTS = ['job.completed', 'job.failed'] as const;

/** Events of crawls and batches. They are many, so a webhook gets them only if it lists them. */
export const CRAWL_EVENTS = ['crawl.started', 'crawl.page'] as const;

/** The event that `POST …/webhook/test` sends. */
export const TEST_EVENT = 'webhook.test';

/** Number of attempts stored per delivery, the latest ones. */
export const MAX_SHOWN_ATTEMPTS = 50;

/** Maximum number of pages in one event of a crawl. */
export const MAX_PAGES_PER_EVENT = 64;

/** How long an event of pages waits for further pages, ms. */
export const MAX_EVENT_WAIT_MS = 1000;

export type EventType =
  | (typeof MONITOR_EVENTS)[number]
  | (typeof JOB_EVENTS)[number]
  | (typeof CRAWL_EVENTS)[number]
  | typeof TEST_EVENT;

const HEADER_RULES = { most: 20, valueChars: 4096, refuse: checkHeaderName };

/**
 * Headers that callers cannot set: those of the connection or the delivery, and those that give access to cloud
 * metadata services.
 */
const REFUSED_HEADERS: ReadonlySet<string> = new Set([
  'accept-encoding',
  'connection',
  'cookie',
  'expect',
  'host',
  'http2-settings',
  'keep-alive',
  'metadata',
  'metadata-flavor',
  'quern-depth',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'user-agent',
]);
const REFUSED_PREFIXES = ['content-', 'proxy-', 'webhook-', 'x-amz-', 'x-aws-', 'x-goog-', 'x-azure-', 'x-google-'];

/** `whsec_` and 24 to 64 bytes in base64, as in Standard Webhooks. */
const SECRET_PATTERN = /^whsec_([A-Za-z0-9+/]+={0,2})$/;
const MIN_SECRET_BYTES = 24;
const MAX_SECRET_BYTES = 64;

export const WebhookSecret = z
  .string()
  .max(200)
  .refine(isSecret, `must be whsec_ followed by the base64 of ${MIN_SECRET_BYTES} to ${MAX_SECRET_BYTES} bytes`);

const WebhookUrl = z
  .string()
  .min(1)
  .overwrite(completeUrl)
  .describe('URL that receives events; https, or http for hosts in QUERN_ALLOW_TARGETS');

const WebhookHeaders = buildHeadersSchema(HEADER_RULES).describe(
  'Sent with each event, such as authorization; stored encrypted and masked in responses',
);

/** Builds the fields of a webhook whose owner has these events. */
function buildWebhookFields<const E extends readonly [string, ...string[]]>(events: E, about = 'null for all') {
  return {
    url: WebhookUrl,
    secret: WebhookSecret.optional().describe('Signing secret; generated and shown once if omitted'),
    headers: WebhookHeaders.optional(),
    events: z
      .array(z.enum(events))
      .min(1)
      .refine((names) => new Set(names).size === names.length, 'must not list an event twice')
      .nullable()
      .optional()
      .describe(`Events to send; ${about}`),
  };
}

const EXPECTED_WEBHOOK = 'must be a URL or an object with a url; omit it for none';

/** The webhook of a new monitor: a URL, or an object. */
export const MonitorWebhook = nameSchema(
  'MonitorWebhookInput',
  z.union([WebhookUrl, z.strictObject(buildWebhookFields(MONITOR_EVENTS))], EXPECTED_WEBHOOK),
);

const JOB_WEBHOOK_FIELDS = {
  ...buildWebhookFields(
    [...JOB_EVENTS, ...CRAWL_EVENTS],
    'null for job.completed and job.failed; crawl.started and crawl.page are of crawls and batches only',
  ),
  page_outputs: z
    .boolean()
    .optional()
    .describe('Whether crawl.page contains the outputs of the pages; without it only their metadata'),
  pages_per_event: wholeNumber(1, MAX_PAGES_PER_EVENT)
    .optional()
    .describe(`Maximum number of pages in a crawl.page, default ${MAX_PAGES_PER_EVENT}`),
  metadata: CallerMetadata.optional().describe('Repeated in each event'),
  format: z
    .string()
    .max(50)
    .optional()
    .describe('The form of events and signatures of another service, such as firecrawl; omit it for that of Quern'),
};

type JobWebhookInput = {
  readonly events?: readonly string[] | null | undefined;
  readonly page_outputs?: boolean | undefined;
  readonly pages_per_event?: number | undefined;
};

/** Refuses options of crawl.page without that event. */
function checkPageOptions(webhook: JobWebhookInput, context: z.RefinementCtx): void {
  if (webhook.events?.includes('crawl.page') === true) return;
  for (const name of ['page_outputs', 'pages_per_event'] as const)
    if (webhook[name] !== undefined)
      context.addIssue({ code: 'custom', path: [name], message: 'needs crawl.page in events' });
}

/** The webhook of a new job: a URL, or an object. */
export const JobWebhook = nameSchema(
  'JobWebhookInput',
  z.union([WebhookUrl, z.strictObject(JOB_WEBHOOK_FIELDS).superRefine(checkPageOptions)], EXPECTED_WEBHOOK),
);

/** A change of a monitor's webhook. Omitted fields keep their value, null removes the webhook. */
export const MonitorWebhookPatch = z
  .union(
    [WebhookUrl, z.strictObject({ ...buildWebhookFields(MONITOR_EVENTS), url: WebhookUrl.optional() })],
    EXPECTED_WEBHOOK,
  )
  .nullable();

/** A webhook, or a change of one, after validation. */
export type WebhookInput =
  | string
  | {
      readonly url?: string;
      readonly secret?: string;
      readonly headers?: Readonly<Record<string, string>>;
      readonly events?: readonly EventType[] | null;
      readonly page_outputs?: boolean;
      readonly pages_per_event?: number;
      readonly metadata?: Readonly<Record<string, unknown>>;
      readonly format?: string;
    };

/** A webhook as responses show it. */
export const WebhookView = nameSchema(
  'Webhook',
  z.object({
    url: z.string().describe('Query values are masked'),
    secret_set: z.literal(true),
    secret: z.string().optional().describe('Only in the response that created it'),
    status: z
      .enum(['active', 'failing', 'disabled'])
      .describe(
        'failing: the last attempt failed; disabled: it answered 410, or failed for 5 days; changing it enables it again',
      ),
    headers: z.record(z.string(), z.string()).optional().describe('Header names; the values are masked'),
    events: z.array(z.string()).nullable().describe('null for all, but not crawl.started and crawl.page'),
    page_outputs: z.boolean().optional(),
    pages_per_event: z.int().optional(),
    metadata: z.record(z.string(), z.unknown()).optional(),
    format: z.string().optional(),
  }),
);

export type WebhookView = z.output<typeof WebhookView>;

function isSecret(text: string): boolean {
  const encoded = SECRET_PATTERN.exec(text)?.[1];
  if (encoded === undefined) return false;
  const bytes = Buffer.from(encoded, 'base64');
  const isWhole = bytes.toString('base64').replace(/=+$/, '') === encoded.replace(/=+$/, '');
  return isWhole && bytes.length >= MIN_SECRET_BYTES && bytes.length <= MAX_SECRET_BYTES;
}

function checkHeaderName(name: string): string | null {
  const isRefused = REFUSED_HEADERS.has(name) || REFUSED_PREFIXES.some((prefix) => name.startsWith(prefix));
  return isRefused ? 'this header cannot be set' : null;
}
