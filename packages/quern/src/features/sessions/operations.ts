import { z } from 'zod';
import type { CommandView } from '#engine/call/command-view.ts';
import { declareControl, declareRawControl } from '#engine/call/operation.ts';
import { nameSchema } from '#extract/schema/names.ts';
import { LIST_INPUT, buildListOutput } from '#features/schema/lists.ts';
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

export const SessionRecord = nameSchema(
  'Session',
  z.object({
    name: z.string(),
    hosts: z.array(z.string()).readonly().describe('Hosts with cookies or storage in the session'),
    cookies: z.int(),
    storage_items: z.int(),
    bytes: z.int(),
    idle_days: z.number().describe('Days until it expires after its last use'),
    created_at: z.iso.datetime(),
    last_used_at: z.iso.datetime(),
    expires_at: z.iso.datetime(),
  }),
);

const SessionContents = nameSchema(
  'SessionContents',
  z.object({
    ...SessionRecord.shape,
    cookie_list: z
      .array(
        z.object({
          name: z.string(),
          host: z.string(),
          subdomains: z.boolean().describe('Whether it is also sent to subdomains'),
          path: z.string(),
          secure: z.boolean(),
          http_only: z.boolean(),
          same_site: z.enum(['strict', 'lax', 'none']).nullable(),
          expires_at: z.iso.datetime().nullable().describe('Null for a session cookie'),
          bytes: z.int(),
        }),
      )
      .readonly()
      .describe('Cookies without values'),
    storage_list: z.array(z.object({ origin: z.string(), items: z.int(), bytes: z.int() })).readonly(),
  }),
);

export const importSession = declareRawControl({
  id: 'sessions.import',
  clientName: 'importSession',
  route: 'POST /v1/sessions',
  summary: 'Create or extend a session with cookies and local storage exported from a browser',
  errors: ['idempotency_conflict'],
  input: SessionInput,
  output: SessionRecord,
  successes: [
    { status: 200, meaning: 'The existing session with the additions', type: 'application/json' },
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
  summary: 'Your sessions by name, without contents',
  errors: [],
  input: z.strictObject(LIST_INPUT),
  output: buildListOutput(SessionRecord),
  example: {},
  view: SESSIONS_VIEW,
});

export const showSession = declareControl({
  id: 'sessions.show',
  clientName: 'getSession',
  route: 'GET /v1/sessions/{name}',
  summary: 'A session with names, hosts, expiry and sizes of its contents, without values',
  errors: ['not_found'],
  input: OnlyName,
  output: SessionContents,
  example,
});

export const deleteSession = declareRawControl({
  id: 'sessions.delete',
  clientName: 'deleteSession',
  route: 'DELETE /v1/sessions/{name}',
  summary: 'Delete a session and its contents',
  errors: ['not_found'],
  input: OnlyName,
  output: z.object({}),
  successes: [{ status: 204, meaning: 'The session is deleted', type: null }],
  example,
});
