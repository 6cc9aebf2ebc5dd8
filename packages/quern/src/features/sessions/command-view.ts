import { z } from 'zod';
import type { CommandView } from '#engine/call/command-view.ts';

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
export const SESSIONS_VIEW: CommandView = {
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
