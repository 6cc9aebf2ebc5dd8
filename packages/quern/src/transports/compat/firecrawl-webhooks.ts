import { createHash, createHmac } from 'node:crypto';
import { z } from 'zod';
import { isJsonObject, type JsonObject } from '#extract/values/json-object.ts';
import type { EventContent, OutgoingEvent } from '#features/webhooks/formats.ts';
import { ServiceError } from '#kernel/errors.ts';
import { toUuid } from '#kernel/ids.ts';
import { toDocument } from './firecrawl-document.ts';
import { listOutputs } from './firecrawl-options.ts';
import type { CompatRequest } from './interface.ts';

const SIGNATURE = 'x-firecrawl-signature';

/** Firecrawl's names of events, which are also the second part of their types, with those of Quern. */
const EVENTS = {
  started: 'crawl.started',
  page: 'crawl.page',
  completed: 'job.completed',
  failed: 'job.failed',
} as const;
const EVENT_NAMES = ['started', 'page', 'completed', 'failed'] as const;

const WebhookObject = z.looseObject({
  url: z.string(),
  headers: z.record(z.string(), z.string()).nullish(),
  metadata: z.record(z.string(), z.unknown()).nullish(),
  events: z.array(z.enum(EVENT_NAMES)).nullish(),
  /** Not a member of Firecrawl, where the account has the secret. */
  secret: z.string().nullish(),
});

/** The parameter `webhook` of a crawl or batch. */
export const WebhookOption = z.union([z.string(), WebhookObject]).nullish();

/** The webhook of a job. `answer` shows the secret with which the receiver verifies signatures, unless the caller chose it. */
export type JobWebhook = { readonly webhook: JsonObject | null; readonly answer: JsonObject };

/** Converts the parameter `webhook` to that of a job. Throws `invalid_request` for a header that replaces the signature. */
export function toJobWebhook(option: z.output<typeof WebhookOption>, { webhookSecret }: CompatRequest): JobWebhook {
  if (option === undefined || option === null) return { webhook: null, answer: {} };
  const { url, headers, metadata, events, secret } = WebhookObject.parse(
    typeof option === 'string' ? { url: option } : option,
  );
  if (Object.keys(headers ?? {}).some((name) => name.toLowerCase() === SIGNATURE))
    throw new ServiceError('invalid_request', `webhook.headers.${SIGNATURE}: this header cannot be set`);
  const wanted = new Set(events?.length ? events : EVENT_NAMES);
  return {
    webhook: {
      url,
      ...(headers ? { headers } : {}),
      ...(metadata ? { metadata } : {}),
      secret: secret ?? webhookSecret,
      events: [...wanted].map((name) => EVENTS[name]),
      ...(wanted.has('page') ? { page_outputs: true, pages_per_event: 1 } : {}),
      format: 'firecrawl',
    },
    answer: secret ? {} : { webhookSecret },
  };
}

const Event = z.looseObject({
  job_id: z.string(),
  kind: z.string().optional(),
  data: z.looseObject({
    kind: z.string().optional(),
    pages: z.array(z.record(z.string(), z.unknown())).default([]),
    error: z.object({ message: z.string() }).nullish(),
  }),
});

/** Builds an event of a job in the form of Firecrawl, signed with the newest secret. Each event of pages has one page. */
export async function buildFirecrawlEvent(event: OutgoingEvent): Promise<EventContent> {
  const { job_id: job, kind, data } = Event.parse(JSON.parse(event.body));
  const [, name = ''] = event.type.split('.');
  const [page] = data.pages;
  const error = readMessage(page?.['error'] ?? data.error);
  const body = JSON.stringify({
    success: error === null,
    type: `${(kind ?? data.kind) === 'fetch.batch' ? 'batch_scrape' : 'crawl'}.${name}`,
    id: toUuid(job),
    webhookId: hashToUuid(event.id),
    data: page === undefined || error !== null ? [] : [toPageDocument(page)],
    ...(error === null ? {} : { error }),
    ...(event.metadata === null ? {} : { metadata: event.metadata }),
  });
  const [secret] = event.secrets;
  const signature = (key: string): string => `sha256=${createHmac('sha256', key).update(body).digest('hex')}`;
  return { body, headers: secret === undefined ? {} : { [SIGNATURE]: signature(secret) } };
}

function readMessage(error: unknown): string | null {
  return isJsonObject(error) && typeof error['message'] === 'string' ? error['message'] : null;
}

/** Converts a page of an event. One that was too long for the event has no outputs. */
function toPageDocument(page: JsonObject): JsonObject {
  const cut = page['truncated'] === true ? ['the page is too long for an event: read it from the job'] : [];
  const facts = { requested: listOutputs(page), creditsUsed: 0, tier: null, warnings: cut, toFileUrl: String };
  return toDocument({ metadata: {}, ...page }, facts);
}

/** A UUID (RFC 9562, version 8) that is the same in each attempt of an event. */
function hashToUuid(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(12, 15)}`, `8${hex.slice(15, 18)}`, hex.slice(18, 30)].join(
    '-',
  );
}
