import assert from 'node:assert/strict';
import type { PageRequest } from '#access/page.ts';
import { browserTest } from '../../support/rendered.ts';
import { sessionSiteFor } from '../../support/sessions.ts';

const siteNow = sessionSiteFor({ '/mill': '<h1>the mill</h1>' });

/** Opens a session of a tenant, which stays open until it is closed. */
async function open(tenant: string, signal: AbortSignal) {
  const { openClimb, origin } = siteNow();
  const url = new URL('/mill', origin);
  const order = { url, headers: {}, cookies: [], device: 'desktop', locale: null, allowedDomains: null } as const;
  const visits = openClimb({ ...order, waitsOutChallenges: false }, signal);
  const request: PageRequest = { url, headers: {}, cookies: [], party: { tenant, weight: 1 } };
  const page = await visits.tierVisits.browser?.(request, signal);
  return { status: page?.page.status, close: async () => visits.close() };
}

browserTest('sessions that fill the browser leave a slot for another tenant', async () => {
  const signal = AbortSignal.timeout(60_000);
  const held = await Promise.all([open('mill', signal), open('mill', signal), open('mill', signal)]);
  const waiting = open('mill', signal);
  const other = await open('inn', signal);
  assert.equal(other.status, 200);
  await other.close();
  for (const session of held) await session.close();
  await (await waiting).close();
});
