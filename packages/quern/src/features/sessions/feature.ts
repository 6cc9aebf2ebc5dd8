import type { z } from 'zod';
import type { SessionState } from '#access/web-session.ts';
import type { Cursors } from '#engine/call/cursor.ts';
import type { Feature } from '#engine/call/feature.ts';
import { bindRawControl, bindControl } from '#engine/call/bound-operation.ts';
import { toReply } from '#engine/call/operation.ts';
import type {
  SavedSessions,
  SessionFacts,
  SessionImportResult,
  SessionTerms,
} from '#engine/sessions/saved-sessions.ts';
import { toTimestamp } from '#kernel/clock.ts';
import { ServiceError } from '#kernel/errors.ts';
import { buildListPage } from '#features/schema/lists.ts';
import { deleteSession, importSession, listSessions, type SessionRecord, showSession } from './operations.ts';
import { toSessionChange } from './session-input.ts';

export type SessionsFeatureParts = {
  readonly savedSessions: SavedSessions;
  readonly cursors: Cursors;
  readonly sessionTerms: SessionTerms;
};

/** The feature that lists, imports and deletes sessions. */
export function buildSessions({ savedSessions, cursors, sessionTerms }: SessionsFeatureParts): Feature {
  const { maxIdleDays } = sessionTerms;
  return {
    operations: [
      bindRawControl(importSession, async (input, { caller, storeAnswer, now }) => {
        const { name, idle_days: idleDays = null } = input;
        if (idleDays !== null && idleDays > maxIdleDays)
          throw new ServiceError('invalid_request', `idle_days: must be at most ${maxIdleDays}`);
        const reply = ({ isNew, facts }: SessionImportResult) => ({
          ...toReply(isNew ? 201 : 200, toRecord(facts)),
          headers: { location: `/v1/sessions/${name}` },
        });
        const made = await savedSessions.importContent(caller.tenant, {
          name,
          idleDays,
          change: toSessionChange(input, now),
          record: async (tx, one) => storeAnswer(tx, reply(one)),
        });
        return reply(made);
      }),
      bindControl(listSessions, async ({ limit, cursor }, { caller: { tenant } }) => {
        const scope = { tenant, operation: 'sessions.list', filters: {} };
        const after = cursors.read(scope, cursor ?? null);
        const rows = await savedSessions.list({ tenant, after, limit: limit + 1 });
        return buildListPage(rows.map(toRecord), { limit, cursorOf: (last) => cursors.write(scope, last.name) });
      }),
      bindControl(showSession, async ({ name }, { caller }) => {
        const { facts, state } = await savedSessions.read(caller.tenant, name);
        return { ...toRecord(facts), ...toLists(state) };
      }),
      bindRawControl(deleteSession, async ({ name }, { caller }) => {
        await savedSessions.delete(caller.tenant, name);
        return { status: 204, headers: {}, body: null, stream: null };
      }),
    ],
    rounds: [{ name: 'sessions', run: async (signal) => savedSessions.tidy(signal) }],
  };
}

function toRecord(facts: SessionFacts): z.output<typeof SessionRecord> {
  const { name, hosts, cookies, items, bytes, idleDays, createdAt, usedAt, expiresAt } = facts;
  return {
    name,
    hosts,
    cookies,
    storage_items: items,
    bytes,
    idle_days: idleDays,
    created_at: toTimestamp(createdAt),
    last_used_at: toTimestamp(usedAt),
    expires_at: toTimestamp(expiresAt),
  };
}

/** Lists the contents of a session without values. */
function toLists({ cookies, storage }: SessionState) {
  return {
    cookie_list: cookies.map(({ name, value, domain, hostOnly, path, secure, httpOnly, sameSite, expires }) => ({
      name,
      host: domain,
      subdomains: !hostOnly,
      path,
      secure,
      http_only: httpOnly === true,
      same_site: sameSite ?? null,
      expires_at: expires === undefined ? null : toTimestamp(Math.min(expires, LATEST)),
      bytes: Buffer.byteLength(name) + Buffer.byteLength(value),
    })),
    storage_list: [...storage].map(([origin, items]) => ({
      origin,
      items: items.size,
      bytes: [...items].reduce((sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value), 0),
    })),
  };
}

/** The end of the year 9999, the last time with a four-digit year. */
const LATEST = 253_402_300_799_000;
