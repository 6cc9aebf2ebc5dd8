import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Guard } from '#access/guard/guard.ts';
import { getPort } from '#access/guard/ports.ts';
import type { Clock } from '#kernel/clock.ts';
import type { JsonObject } from '#extract/values/json-object.ts';
import { ServiceError } from '#kernel/errors.ts';
import type { Sealer } from '#kernel/sealer.ts';
import type { Db, Row, Queryable } from '#store/db.ts';
import { buildRowsTable } from '#store/dialect.ts';
import { readRow, readRows } from '#store/rows.ts';
import type { WebhookFormat } from './formats.ts';
import { MAX_PAGES_PER_EVENT, type WebhookInput, type WebhookView } from './schema.ts';
import { createSecret } from './signing.ts';

const SAVE = `insert into webhooks (owner_id, tenant_id, url, endpoint, queue, sealed, events, created_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8)
  on conflict (owner_id) do update set url = excluded.url, endpoint = excluded.endpoint, queue = excluded.queue,
    sealed = excluded.sealed, events = excluded.events, failing_since = null, disabled_at = null returning *`;
/** Locks the row, so that concurrent changes do not overwrite each other. */
const LOCK = 'update webhooks set created_at = created_at where owner_id = $1 and tenant_id = $2 returning *';
const FIND = 'select * from webhooks where owner_id = $1';
const FIND_ENABLED = `${FIND} and disabled_at is null and events is not null`;
const LIST = `select webhooks.*, monitors.name as name, deliveries.id as delivery_id,
    deliveries.status as delivery_status, deliveries.round as delivery_round, deliveries.created_at as delivered_at
  from webhooks left join monitors on monitors.id = webhooks.owner_id
  left join deliveries on deliveries.id = (select max(id) from deliveries as last where last.owner_id = webhooks.owner_id)
  where webhooks.tenant_id = $1 and webhooks.owner_id < $2 order by webhooks.owner_id desc limit $3`;
const RESEAL = 'update webhooks set sealed = $2 where owner_id = $1 returning *';
const DELETE = 'delete from webhooks where owner_id = $1';
const CANCEL = `update deliveries set status = 'cancelled', lease_token = null, lease_until = null, sender_id = null
  where owner_id = $1 and status in ('pending', 'delivering', 'suspended')`;
/** Redirects suspended and pending deliveries to the new target. */
const REDIRECT = `update deliveries set url = $2, endpoint = $3, queue = $4,
    due_at = case when status = 'suspended' then $5 else due_at end, status = 'pending'
  where owner_id = $1 and status in ('pending', 'suspended')`;

const HOUR_MS = 3_600_000;
/** How long an old secret still signs in addition to the new one. */
const SECRET_OVERLAP_MS = 24 * HOUR_MS;
const MAX_OLD_SECRETS = 10;
const MASK = '********';

/** The options that only webhooks of jobs have, as parameters and as stored. */
const JOB_OPTIONS = {
  page_outputs: z.boolean().optional(),
  pages_per_event: z.number().optional(),
  metadata: z.record(z.string(), z.unknown()).optional(),
  format: z.string().optional(),
};
const JobOptions = z.object(JOB_OPTIONS);

const SealedWebhook = z.object({
  url: z.string(),
  secret: z.string(),
  old: z.array(z.object({ secret: z.string(), until: z.number() })),
  headers: z.record(z.string(), z.string()),
  ...JOB_OPTIONS,
});
type SealedWebhook = z.output<typeof SealedWebhook>;

const WebhookRow = z.object({
  owner_id: z.string(),
  tenant_id: z.string(),
  url: z.string(),
  sealed: z.string(),
  events: z.string().nullable(),
  failing_since: z.number().nullable(),
  disabled_at: z.number().nullable(),
});
type WebhookRow = z.output<typeof WebhookRow>;

const ListedRow = WebhookRow.extend({
  created_at: z.number(),
  name: z.string().nullable(),
  delivery_id: z.string().nullable(),
  delivery_status: z.string().nullable(),
  delivery_round: z.number().nullable(),
  delivered_at: z.number().nullable(),
});

type WebhookPage = { readonly tenant: string; readonly after: string | null; readonly limit: number };

/** The monitor or job that has the webhook, and its tenant. */
export type WebhookOwner = { readonly tenant: string; readonly id: string };

/** A validated webhook, or a change of one. Created before the transaction, which may be repeated. */
export type WebhookDraft = {
  readonly url: URL | null;
  readonly secret: string | null;
  /** Used if neither the caller nor the stored webhook has a secret. */
  readonly generatedSecret: string;
  readonly headers: Readonly<Record<string, string>> | null;
  readonly events: readonly string[] | null | undefined;
  readonly options: z.output<typeof JobOptions>;
};

/** Where a sender sends deliveries. `secrets` are the valid ones, newest first. */
export type WebhookTarget = {
  readonly url: string;
  readonly secrets: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  /** Repeated in each event; null for nothing. */
  readonly metadata: JsonObject | null;
  /** Null for the form of Quern. */
  readonly format: WebhookFormat | null;
  readonly isDisabled: boolean;
};

/** The events of a crawl that its webhook gets, and what is in those of pages. */
export type CrawlSubscription = {
  readonly events: ReadonlySet<string>;
  readonly pageOutputs: boolean;
  readonly pagesPerEvent: number;
};

export type WebhookParts = {
  readonly db: Db;
  readonly clock: Clock;
  readonly sealer: Sealer;
  readonly guard: Pick<Guard, 'parseTarget' | 'isAllowed'>;
  /** The forms of events of other services. */
  readonly formats: readonly WebhookFormat[];
};

/**
 * Stores webhooks by owner. A method with a transaction parameter works within that transaction and may be repeated
 * with it.
 */
export class Webhooks {
  readonly #parts: WebhookParts;
  readonly #findRows: string;

  constructor(parts: WebhookParts) {
    this.#parts = parts;
    const named = buildRowsTable(parts.db.kind, '$1', { name: 'b', columns: { owner: 'text' } });
    this.#findRows = `select webhooks.* from ${named} join webhooks on webhooks.owner_id = b.owner`;
  }

  /** Validates a caller's webhook, and generates a secret for it. Throws `invalid_request`. */
  checkInput(input: WebhookInput): WebhookDraft {
    const settings: Exclude<WebhookInput, string> = typeof input === 'string' ? { url: input } : input;
    this.#checkFormat(settings.format);
    return {
      url: settings.url === undefined ? null : readUrl(this.#parts.guard, settings.url),
      secret: settings.secret ?? null,
      generatedSecret: createSecret(),
      headers: settings.headers ?? null,
      events: settings.events,
      options: JobOptions.parse(settings),
    };
  }

  /** Stores the webhook of a new owner. The view includes the secret if it was generated. */
  async saveWebhook(tx: Queryable, owner: WebhookOwner, draft: WebhookDraft): Promise<WebhookView> {
    const { url, secret, generatedSecret, headers, events = null, options } = draft;
    if (url === null) throw new ServiceError('invalid_request', 'webhook.url: is required');
    const saved = { url: url.href, secret: secret ?? generatedSecret, old: [], headers: { ...headers }, ...options };
    const view = await this.#write(tx, owner, { sealed: saved, events: formatEvents(events) });
    return secret === null ? { ...view, secret: generatedSecret } : view;
  }

  /** Changes the fields of the draft, or stores a new webhook. A disabled webhook is enabled again. */
  async patchWebhook(tx: Queryable, owner: WebhookOwner, draft: WebhookDraft): Promise<WebhookView> {
    const row = await lockWebhook(tx, owner);
    if (row === null) return this.saveWebhook(tx, owner, draft);
    const before = this.#open(row);
    const { url, secret, headers, events } = draft;
    const changed = secret === null ? before : this.#withNewSecret(before, secret);
    const sealed = { ...changed, url: url?.href ?? before.url, headers: { ...(headers ?? before.headers) } };
    return this.#write(tx, owner, { sealed, events: events === undefined ? row.events : formatEvents(events) });
  }

  /** Deletes the webhook of an owner, and cancels its undelivered events. */
  async clearWebhook(tx: Queryable, owner: string): Promise<void> {
    await tx.query(DELETE, [owner]);
    await tx.query(CANCEL, [owner]);
  }

  /** Finds the webhook of an owner as responses show it, null for none. */
  async findWebhook(tx: Queryable, owner: string): Promise<WebhookView | null> {
    const row = readRow(WebhookRow, await tx.query(FIND, [owner]));
    return row === null ? null : this.#toView(row);
  }

  /** Finds the events of a crawl that the webhook of its job gets; null if it gets none. */
  async findSubscription(owner: string): Promise<CrawlSubscription | null> {
    const row = readRow(WebhookRow, await this.#parts.db.query(FIND_ENABLED, [owner]));
    const webhook = row === null ? null : this.#tryOpen(row);
    if (row === null || webhook === null) return null;
    const { page_outputs: pageOutputs = false, pages_per_event: pagesPerEvent = MAX_PAGES_PER_EVENT } = webhook;
    return { events: new Set(parseEvents(row.events)), pageOutputs, pagesPerEvent };
  }

  /** Lists the webhooks of a tenant with their last deliveries, sorted by owner id in descending order. */
  async list({ tenant, after, limit }: WebhookPage) {
    const rows = await this.#parts.db.query(LIST, [tenant, after ?? '~', limit]);
    return readRows(ListedRow, rows).map((row) => ({ ...row, view: this.#toView(row) }));
  }

  /** Finds the webhooks of many owners; owners without one are absent. */
  async findWebhooks(tx: Queryable, owners: readonly string[]): Promise<ReadonlyMap<string, WebhookView>> {
    return new Map((await this.#loadAll(tx, owners)).map((row) => [row.owner_id, this.#toView(row)]));
  }

  /** Sets a new secret. The old one stays valid for 24 hours. Throws `not_found`. */
  async rotateSecret(owner: WebhookOwner, chosenSecret: string | null): Promise<WebhookView> {
    const secret = chosenSecret ?? createSecret();
    return this.#parts.db.transaction(async (tx) => {
      const row = await lockWebhook(tx, owner);
      if (row === null) throw buildNoWebhookError(owner.id);
      const sealed = this.#seal(this.#withNewSecret(this.#open(row), secret));
      const view = this.#readView(owner, await tx.query(RESEAL, [owner.id, sealed]));
      return chosenSecret === null ? { ...view, secret } : view;
    });
  }

  /**
   * Finds the targets of owners; owners without a webhook are absent. A webhook sealed with another secret key, or with
   * a format that this process does not have, counts as disabled, so that it does not block others.
   */
  async findTargets(tx: Queryable, owners: readonly string[]): Promise<ReadonlyMap<string, WebhookTarget>> {
    return new Map((await this.#loadAll(tx, owners)).map((row) => [row.owner_id, this.#toTarget(row)]));
  }

  async #write(
    tx: Queryable,
    owner: WebhookOwner,
    { sealed, events }: { readonly sealed: SealedWebhook; readonly events: string | null },
  ): Promise<WebhookView> {
    const { tenant, id } = owner;
    const now = this.#parts.clock.now();
    const url = new URL(sealed.url);
    const target = [maskUrl(url), toEndpoint(url), toQueueName(tenant, url)] as const;
    const saved = await tx.query(SAVE, [id, tenant, ...target, this.#seal(sealed), events, now]);
    await tx.query(REDIRECT, [id, ...target, now]);
    return this.#readView(owner, saved);
  }

  /** Returns the webhook with another secret; the previous one stays valid for a day. */
  #withNewSecret(webhook: SealedWebhook, secret: string): SealedWebhook {
    if (webhook.secret === secret) return webhook;
    const now = this.#parts.clock.now();
    const live = webhook.old.filter((one) => one.until > now && one.secret !== secret);
    const old = [{ secret: webhook.secret, until: now + SECRET_OVERLAP_MS }, ...live].slice(0, MAX_OLD_SECRETS);
    return { ...webhook, secret, old };
  }

  #readView({ id }: WebhookOwner, written: readonly Row[]): WebhookView {
    const row = readRow(WebhookRow, written);
    if (row === null) throw buildNoWebhookError(id);
    return this.#toView(row);
  }

  #toView(row: WebhookRow): WebhookView {
    const webhook = this.#open(row);
    const names = Object.keys(webhook.headers);
    return {
      url: row.url,
      secret_set: true,
      status: getStatus(row),
      ...(names.length === 0 ? {} : { headers: Object.fromEntries(names.map((name) => [name, MASK])) }),
      events: parseEvents(row.events),
      ...JobOptions.parse(webhook),
    };
  }

  #toTarget(row: WebhookRow): WebhookTarget {
    const webhook = this.#tryOpen(row);
    const format = webhook?.format === undefined ? null : this.#findFormat(webhook.format);
    if (webhook === null || format === undefined)
      return { url: '', secrets: [], headers: {}, metadata: null, format: null, isDisabled: true };
    const { url, secret, old, headers, metadata = null } = webhook;
    const live = old.filter(({ until }) => until > this.#parts.clock.now()).map((one) => one.secret);
    return { url, secrets: [secret, ...live], headers, metadata, format, isDisabled: row.disabled_at !== null };
  }

  #findFormat(name: string): WebhookFormat | undefined {
    return this.#parts.formats.find((one) => one.name === name);
  }

  #checkFormat(name: string | undefined): void {
    if (name === undefined || this.#findFormat(name) !== undefined) return;
    const names = this.#parts.formats.map((one) => one.name).join(', ');
    throw new ServiceError('invalid_request', `webhook.format: must be one of ${names}; omit it for that of Quern`);
  }

  #seal(webhook: SealedWebhook): string {
    return this.#parts.sealer.seal(JSON.stringify(webhook));
  }

  #open(row: WebhookRow): SealedWebhook {
    return SealedWebhook.parse(JSON.parse(this.#parts.sealer.open(row.sealed)));
  }

  #tryOpen(row: WebhookRow): SealedWebhook | null {
    try {
      return this.#open(row);
    } catch {
      return null;
    }
  }

  async #loadAll(tx: Queryable, owners: readonly string[]): Promise<readonly WebhookRow[]> {
    if (owners.length === 0) return [];
    const cells = [...new Set(owners)].map((owner) => [owner]);
    return readRows(WebhookRow, await tx.query(this.#findRows, [JSON.stringify(cells)]));
  }
}

/** Locks and reads the row of a webhook, null if there is none. */
async function lockWebhook(tx: Queryable, { tenant, id }: WebhookOwner): Promise<WebhookRow | null> {
  return readRow(WebhookRow, await tx.query(LOCK, [id, tenant]));
}

/** Builds the error for an unknown webhook, or one of another tenant. */
export function buildNoWebhookError(owner: string): ServiceError {
  return new ServiceError('not_found', `no webhook of ${owner}`);
}

/** Scheme, host and port: the unit of limits on concurrent deliveries. */
function toEndpoint(url: URL): string {
  return `${url.protocol}//${url.hostname}:${getPort(url)}`;
}

/** Name of the queue for the deliveries of a tenant to a URL. */
function toQueueName(tenant: string, url: URL): string {
  return `${toEndpoint(url)} ${tenant} ${createHash('sha256').update(url.href).digest('base64url').slice(0, 16)}`;
}

/** Masks the query values of a URL, which may be secrets, for logs and responses. */
function maskUrl(url: URL): string {
  const shown = new URL(url);
  for (const name of new Set(shown.searchParams.keys())) shown.searchParams.set(name, MASK);
  return shown.href;
}

function readUrl(guard: WebhookParts['guard'], text: string): URL {
  const url = guard.parseTarget(text, 'webhook.url');
  url.hash = '';
  if (url.protocol === 'https:' || guard.isAllowed(url)) return url;
  const why = 'webhook.url: must be https; to allow http, add the host to QUERN_ALLOW_TARGETS';
  throw new ServiceError('invalid_request', why);
}

function getStatus({ failing_since, disabled_at }: WebhookRow): WebhookView['status'] {
  if (disabled_at !== null) return 'disabled';
  return failing_since === null ? 'active' : 'failing';
}

function formatEvents(events: readonly string[] | null): string | null {
  return events === null ? null : ` ${events.join(' ')} `;
}

function parseEvents(text: string | null): string[] | null {
  return text === null ? null : text.trim().split(' ');
}
