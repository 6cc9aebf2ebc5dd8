import { z } from 'zod';
import { isExpired } from '#access/http/cookies.ts';
import { SAME_SITE, type StoredCookie } from '#access/cookie.ts';
import { EMPTY_STATE, type SessionState } from '#access/web-session.ts';
import type { Sealer } from '#kernel/sealing.ts';

/** Bounds of one session; beyond them what was set the longest ago is left out. */
export const SESSION_LIMITS = {
  cookies: 500,
  cookiesOfHost: 50,
  hosts: 50,
  cookieBytes: 4_096,
  origins: 10,
  bytes: 512 * 1024,
} as const;

const Content = z.object({
  cookies: z.array(
    z.object({
      name: z.string(),
      value: z.string(),
      domain: z.string(),
      hostOnly: z.boolean(),
      path: z.string(),
      secure: z.boolean(),
      httpOnly: z.boolean().exactOptional(),
      sameSite: z.enum(SAME_SITE).exactOptional(),
      expires: z.number().exactOptional(),
    }),
  ),
  storage: z.array(z.tuple([z.string(), z.array(z.tuple([z.string(), z.string()]))])),
});

/** What lists tell of a session. */
const SessionSummary = z.object({ hosts: z.array(z.string()), cookies: z.number(), items: z.number() });

export type SessionSummary = z.output<typeof SessionSummary>;

/** The content of a session as its row has it. */
export type SealedContent = { readonly sealed: string; readonly summary: string; readonly bytes: number };

export function sealContent(sealer: Sealer, state: SessionState): SealedContent {
  const text = toText(state);
  const summary = JSON.stringify(summaryOf(state));
  return { sealed: sealer.seal(text), summary: sealer.seal(summary), bytes: Buffer.byteLength(text) };
}

export function openContent(sealer: Sealer, sealed: string | null): SessionState {
  if (sealed === null) return EMPTY_STATE;
  const { cookies, storage } = Content.parse(JSON.parse(sealer.open(sealed)));
  return { cookies, storage: new Map(storage.map(([origin, items]) => [origin, new Map(items)])) };
}

export function openSummary(sealer: Sealer, sealed: string | null): SessionSummary {
  return sealed === null ? summaryOf(EMPTY_STATE) : SessionSummary.parse(JSON.parse(sealer.open(sealed)));
}

/** The state without expired cookies and within the limits of a session. */
export function withinLimits(state: SessionState, now: number): SessionState {
  const { cookies, cookiesOfHost, hosts, cookieBytes, origins } = SESSION_LIMITS;
  const ofHosts = new Map<string, number>();
  const kept: StoredCookie[] = [];
  for (const cookie of state.cookies.toReversed()) {
    const count = ofHosts.get(cookie.domain) ?? 0;
    const isLarge = Buffer.byteLength(cookie.name) + Buffer.byteLength(cookie.value) > cookieBytes;
    if (isLarge || isExpired(cookie, now) || kept.length >= cookies || count >= cookiesOfHost) continue;
    if (count === 0 && ofHosts.size >= hosts) continue;
    ofHosts.set(cookie.domain, count + 1);
    kept.push(cookie);
  }
  const storage = [...state.storage].slice(-origins);
  return withinBytes({ cookies: kept.toReversed(), storage: new Map(storage) });
}

/** Gives up the storage of the origin that changed the longest ago until the rest fits, and cookies after the last of it. */
function withinBytes(state: SessionState): SessionState {
  if (Buffer.byteLength(toText(state)) <= SESSION_LIMITS.bytes) return state;
  const { cookies, storage } = state;
  if (storage.size > 0) return withinBytes({ cookies, storage: new Map([...storage].slice(1)) });
  return withinBytes({ cookies: cookies.slice(Math.ceil(cookies.length / 10)), storage });
}

/** The number of cookies and items, to tell whether limits left any out. */
export function contentCount({ cookies, storage }: SessionState): number {
  return cookies.length + itemsOf(storage);
}

function itemsOf(storage: SessionState['storage']): number {
  return [...storage.values()].reduce((sum, { size }) => sum + size, 0);
}

function toText({ cookies, storage }: SessionState): string {
  return JSON.stringify({ cookies, storage: [...storage].map(([origin, items]) => [origin, [...items]]) });
}

function summaryOf({ cookies, storage }: SessionState): SessionSummary {
  const hosts = [...cookies.map(({ domain }) => domain), ...[...storage.keys()].map(hostOf)];
  return { hosts: [...new Set(hosts)].toSorted(), cookies: cookies.length, items: itemsOf(storage) };
}

/** The host of an origin. */
function hostOf(origin: string): string {
  return URL.parse(origin)?.hostname ?? origin;
}
