import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Guard } from '#access/guard.ts';
import { portOf } from '#access/ports.ts';
import type { Clock } from '#kernel/clock.ts';
import { ServiceError } from '#kernel/errors.ts';
import type { Sealer } from '#kernel/sealing.ts';
import type { Db, Row, Statements } from '#store/db.ts';
import { bulk } from '#store/dialect.ts';
import { readRow, readRows } from '#store/rows.ts';
import type { WebhookInput, WebhookView } from './schema.ts';
import { makeSecret } from './signing.ts';

const SAVE = `insert into webhooks (owner_id, tenant_id, url, endpoint, line, sealed, events, created_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8)
  on conflict (owner_id) do update set url = excluded.url, endpoint = excluded.endpoint, line = excluded.line,
    sealed = excluded.sealed, events = excluded.events, failing_since = null, disabled_at = null returning *`;
/** So two changes do not each begin from what the other replaces. */
const LOCK = 'update webhooks set created_at = created_at where owner_id = $1 and tenant_id = $2 returning *';
const FIND = 'select * from webhooks where owner_id = $1';
const RESEAL = 'update webhooks set sealed = $2 where owner_id = $1 returning *';
const CLEAR = 'delete from webhooks where owner_id = $1';
const CANCEL = `update deliveries set status = 'cancelled', lease_token = null, lease_until = null, sender_id = null
  where owner_id = $1 and status in ('pending', 'delivering', 'suspended')`;
/** What waited for a webhook that was disabled, and what is to be tried again, goes to where it leads now. */
const REDIRECT = `update deliveries set url = $2, endpoint = $3, line = $4,
    due_at = case when status = 'suspended' then $5 else due_at end, status = 'pending'
  where owner_id = $1 and status in ('pending', 'suspended')`;

const HOUR_MS = 3_600_000;
/** How long an old secret still signs beside a new one. */
const OVERLAP_MS = 24 * HOUR_MS;
const MOST_OLD_SECRETS = 10;
const MASK = '********';

const Kept = z.object({
  url: z.string(),
  secret: z.string(),
  old: z.array(z.object({ secret: z.string(), until: z.number() })),
  headers: z.record(z.string(), z.string()),
});
type Kept = z.output<typeof Kept>;

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

/** Whose webhook: a monitor or a job of a tenant. */
export type WebhookOwner = { readonly tenant: string; readonly id: string };

/** An accepted webhook, or a change of one; made before the transaction, which may run again. */
export type WebhookDraft = {
  readonly url: URL | null;
  readonly secret: string | null;
  /** The one to use where neither the caller nor an earlier webhook gives one. */
  readonly fresh: string;
  readonly headers: Readonly<Record<string, string>> | null;
  readonly events: readonly string[] | null | undefined;
};

/** What a sender needs of a webhook; secrets are those that are live, the newest first. */
export type Target = {
  readonly url: string;
  readonly secrets: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly isDisabled: boolean;
};

export type WebhookParts = {
  readonly db: Db;
  readonly clock: Clock;
  readonly sealer: Sealer;
  readonly guard: Pick<Guard, 'readTarget' | 'isOpened'>;
};

export type Webhooks = ReturnType<typeof buildWebhooks>;

/** Webhooks by their owners. What takes a transaction has its effect in it, and may run again with it. */
export function buildWebhooks({ db, clock, sealer, guard }: WebhookParts) {
  const named = bulk(db.kind, '$1', { name: 'b', columns: { owner: 'text' } });
  const findAll = `select webhooks.* from ${named} join webhooks on webhooks.owner_id = b.owner`;

  async function write(tx: Statements, owner: WebhookOwner, kept: Kept, events: string | null): Promise<WebhookView> {
    const { tenant, id } = owner;
    const url = new URL(kept.url);
    const places = [toShownUrl(url), toEndpoint(url), lineOf(tenant, url)] as const;
    const sealed = sealer.seal(JSON.stringify(kept));
    const saved = await tx.query(SAVE, [id, tenant, ...places, sealed, events, clock.now()]);
    await tx.query(REDIRECT, [id, ...places, clock.now()]);
    return viewOf(owner, saved);
  }

  function open(row: WebhookRow): Kept {
    return Kept.parse(JSON.parse(sealer.open(row.sealed)));
  }

  /** The webhook with another secret; the one before signs on for a day. */
  function rotated(kept: Kept, secret: string): Kept {
    const now = clock.now();
    const live = kept.old.filter((one) => one.until > now && one.secret !== secret);
    const old = [{ secret: kept.secret, until: now + OVERLAP_MS }, ...live].slice(0, MOST_OLD_SECRETS);
    return { ...kept, secret, old };
  }

  function toView(row: WebhookRow): WebhookView {
    const { headers } = open(row);
    const names = Object.keys(headers);
    return {
      url: row.url,
      secret_set: true,
      status: statusOf(row),
      ...(names.length === 0 ? {} : { headers: Object.fromEntries(names.map((name) => [name, MASK])) }),
      events: toEvents(row.events),
    };
  }

  function viewOf({ id }: WebhookOwner, written: readonly Row[]): WebhookView {
    const row = readRow(WebhookRow, written);
    if (row === null) throw noWebhook(id);
    return toView(row);
  }

  const self = {
    /** Checks where a webhook of a caller leads, and makes a secret for it; throws `invalid_request`. */
    accept(input: WebhookInput): WebhookDraft {
      const given = typeof input === 'string' ? { url: input } : input;
      return {
        url: given.url === undefined ? null : readUrl(guard, given.url),
        secret: given.secret ?? null,
        fresh: makeSecret(),
        headers: given.headers ?? null,
        events: given.events,
      };
    },

    /** Keeps the webhook of a new owner; the view shows a secret that was made here. */
    async saveWebhook(tx: Statements, owner: WebhookOwner, draft: WebhookDraft): Promise<WebhookView> {
      const { url, secret, fresh, headers, events = null } = draft;
      if (url === null) throw new ServiceError('invalid_request', 'webhook.url: is needed');
      const kept = { url: url.href, secret: secret ?? fresh, old: [], headers: { ...headers } };
      const view = await write(tx, owner, kept, toText(events));
      return secret === null ? { ...view, secret: fresh } : view;
    },

    /** Changes what the draft names, or makes the webhook; one that was disabled is enabled again. */
    async patchWebhook(tx: Statements, owner: WebhookOwner, draft: WebhookDraft): Promise<WebhookView> {
      const row = await lock(tx, owner);
      if (row === null) return self.saveWebhook(tx, owner, draft);
      const kept = open(row);
      const { url, secret, headers, events } = draft;
      const changed = secret === null || secret === kept.secret ? kept : rotated(kept, secret);
      const places = { url: url?.href ?? kept.url, headers: { ...(headers ?? kept.headers) } };
      return write(tx, owner, { ...changed, ...places }, events === undefined ? row.events : toText(events));
    },

    /** Takes the webhook away; what it has not delivered is cancelled. For owners that are deleted too. */
    async clearWebhook(tx: Statements, owner: string): Promise<void> {
      await tx.query(CLEAR, [owner]);
      await tx.query(CANCEL, [owner]);
    },

    /** The webhook as answers show it, null for none. */
    async webhookOf(tx: Statements, owner: string): Promise<WebhookView | null> {
      const row = readRow(WebhookRow, await tx.query(FIND, [owner]));
      return row === null ? null : toView(row);
    },

    /** The same of many owners; those without one are absent. */
    async webhooksOf(tx: Statements, owners: readonly string[]): Promise<ReadonlyMap<string, WebhookView>> {
      const rows = await loadAll(tx, owners);
      return new Map(rows.map((row) => [row.owner_id, toView(row)]));
    },

    /** Gives the webhook of a tenant a new secret; the old one signs on for 24 hours. Throws `not_found`. */
    async rotateSecret(owner: WebhookOwner, given: string | null): Promise<WebhookView> {
      const secret = given ?? makeSecret();
      return db.transaction(async (tx) => {
        const row = await lock(tx, owner);
        if (row === null) throw noWebhook(owner.id);
        const kept = open(row);
        const next = kept.secret === secret ? kept : rotated(kept, secret);
        const view = viewOf(owner, await tx.query(RESEAL, [owner.id, sealer.seal(JSON.stringify(next))]));
        return given === null ? { ...view, secret } : view;
      });
    },

    /**
     * Where the events of these owners go now; owners without a webhook are absent. One that another secret of the
     * instance sealed is as if disabled, so that it holds up no others.
     */
    async targetsOf(tx: Statements, owners: readonly string[]): Promise<ReadonlyMap<string, Target>> {
      return new Map((await loadAll(tx, owners)).map((row) => [row.owner_id, toTarget(row)]));
    },
  };

  function toTarget(row: WebhookRow): Target {
    const kept = tryOpen(row);
    if (kept === null) return { url: '', secrets: [], headers: {}, isDisabled: true };
    const { url, secret, old, headers } = kept;
    const live = old.filter(({ until }) => until > clock.now()).map((one) => one.secret);
    return { url, secrets: [secret, ...live], headers, isDisabled: row.disabled_at !== null };
  }

  function tryOpen(row: WebhookRow): Kept | null {
    try {
      return open(row);
    } catch {
      return null;
    }
  }

  async function loadAll(tx: Statements, owners: readonly string[]): Promise<readonly WebhookRow[]> {
    if (owners.length === 0) return [];
    const cells = [...new Set(owners)].map((owner) => [owner]);
    return readRows(WebhookRow, await tx.query(findAll, [JSON.stringify(cells)]));
  }

  return self;
}

/** Holds the row of a webhook until the transaction ends; null where there is none. */
async function lock(tx: Statements, { tenant, id }: WebhookOwner): Promise<WebhookRow | null> {
  return readRow(WebhookRow, await tx.query(LOCK, [id, tenant]));
}

/** What another tenant's webhook is too. */
export function noWebhook(owner: string): ServiceError {
  return new ServiceError('not_found', `no webhook of ${owner}`);
}

/** Scheme, host and port: what all lines of it get at once is bounded. */
function toEndpoint(url: URL): string {
  return `${url.protocol}//${url.hostname}:${portOf(url)}`;
}

/** The deliveries of one tenant to one URL wait in one line, beside those of others to the same endpoint. */
function lineOf(tenant: string, url: URL): string {
  return `${toEndpoint(url)} ${tenant} ${createHash('sha256').update(url.href).digest('base64url').slice(0, 16)}`;
}

/** The URL as logs and answers show it: the values of its query may be keys. */
function toShownUrl(url: URL): string {
  const shown = new URL(url);
  for (const name of new Set(shown.searchParams.keys())) shown.searchParams.set(name, MASK);
  return shown.href;
}

function readUrl(guard: WebhookParts['guard'], text: string): URL {
  const url = guard.readTarget(text, 'webhook.url');
  url.hash = '';
  if (url.protocol === 'https:' || guard.isOpened(url)) return url;
  const why = 'webhook.url: must be https; QUERN_ALLOW_TARGETS would allow http for this host';
  throw new ServiceError('invalid_request', why);
}

function statusOf({ failing_since, disabled_at }: WebhookRow): WebhookView['status'] {
  if (disabled_at !== null) return 'disabled';
  return failing_since === null ? 'active' : 'failing';
}

function toText(events: readonly string[] | null): string | null {
  return events === null ? null : ` ${events.join(' ')} `;
}

function toEvents(text: string | null): string[] | null {
  return text === null ? null : text.trim().split(' ');
}
