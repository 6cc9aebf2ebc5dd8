import { z } from 'zod';
import type { CommandView } from '#engine/call/command-view.ts';
import { declareControl, declareReplies } from '#engine/call/operation.ts';
import { named } from '#extract/schema/names.ts';
import { LIST_INPUT, listOutput } from '#features/schema/lists.ts';
import { SessionName } from '#features/schema/page-fields.ts';
import { SessionInput } from './session-input.ts';

const List = z.object({
  data: z.array(
    z.object({
      name: z.string(),
      hosts: z.array(z.string()),
      cookies: z.number(),
      bytes: z.number(),
      expires_at: z.string(),
    }),
  ),
});

/** `quern sessions list`: a table. */
const SESSIONS_VIEW: CommandView = {
  table: {
    noun: 'sessions',
    toRows: (body) =>
      List.parse(body).data.map(({ name, hosts, cookies, bytes, expires_at: expires }) => ({
        name,
        hosts: hosts.join(' '),
        cookies,
        bytes,
        expires,
      })),
  },
};

const OnlyName = z.strictObject({ name: SessionName.describe('The name of the session') });
const example = { name: 'shop' };

export const SessionRecord = named(
  'Session',
  z.object({
    name: z.string(),
    hosts: z.array(z.string()).readonly().describe('Hosts that have a cookie or storage in it'),
    cookies: z.int(),
    storage_items: z.int(),
    bytes: z.int(),
    idle_days: z.number().describe('Days that it is kept after its last use'),
    created_at: z.iso.datetime(),
    last_used_at: z.iso.datetime(),
    expires_at: z.iso.datetime(),
  }),
);

const SessionContents = named(
  'SessionContents',
  z.object({
    ...SessionRecord.shape,
    cookie_list: z
      .array(
        z.object({
          name: z.string(),
          host: z.string(),
          subdomains: z.boolean().describe('Whether it is for the hosts below too'),
          path: z.string(),
          secure: z.boolean(),
          http_only: z.boolean(),
          same_site: z.enum(['strict', 'lax', 'none']).nullable(),
          expires_at: z.iso.datetime().nullable().describe('null where it ends with the session'),
          bytes: z.int(),
        }),
      )
      .readonly()
      .describe('Without the values, which nobody is shown'),
    storage_list: z.array(z.object({ origin: z.string(), items: z.int(), bytes: z.int() })).readonly(),
  }),
);

export const importSession = declareReplies({
  id: 'sessions.import',
  clientName: 'importSession',
  route: 'POST /v1/sessions',
  summary: 'Make a session, or add to one: cookies and local storage that a browser exported',
  errors: ['idempotency_conflict'],
  input: SessionInput,
  output: SessionRecord,
  successes: [
    { status: 200, meaning: 'The session was there, and has them too', type: 'application/json' },
    { status: 201, meaning: 'The new session', type: 'application/json' },
  ],
  example: {
    name: 'shop',
    cookies: [{ name: 'sid', value: 'secret', domain: 'shop.example', path: '/', secure: true, httpOnly: true }],
    origins: [{ origin: 'https://shop.example', localStorage: [{ name: 'token', value: 'secret' }] }],
  },
});

export const listSessions = declareControl({
  id: 'sessions.list',
  clientName: 'listSessions',
  route: 'GET /v1/sessions',
  summary: 'Your sessions by name, without what they hold',
  errors: [],
  input: z.strictObject(LIST_INPUT),
  output: listOutput(SessionRecord),
  example: {},
  view: SESSIONS_VIEW,
});

export const showSession = declareControl({
  id: 'sessions.show',
  clientName: 'getSession',
  route: 'GET /v1/sessions/{name}',
  summary: 'A session: names, hosts, expiry and sizes of what it holds, never values',
  errors: ['not_found'],
  input: OnlyName,
  output: SessionContents,
  example,
});

export const deleteSession = declareReplies({
  id: 'sessions.delete',
  clientName: 'deleteSession',
  route: 'DELETE /v1/sessions/{name}',
  summary: 'Delete a session with all that it holds',
  errors: ['not_found'],
  input: OnlyName,
  output: z.object({}),
  successes: [{ status: 204, meaning: 'The session is gone', type: null }],
  example,
});
