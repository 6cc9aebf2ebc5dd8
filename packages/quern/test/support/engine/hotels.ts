import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import { buildHotelPages } from '#demo/sites/hotels.ts';
import type { Visit } from '#access/page.ts';
import { ChangeRecord, HotelChange, RunRecord } from '#features/monitors/store/monitor-record.ts';
import { Monitor } from '#features/monitors/operations.ts';
import { type Gate, buildTestPage } from '../../engine/gate.ts';
import { runAll } from './monitoring.ts';
import { getOperation, type Said } from './queue.ts';

type Raw = Readonly<Record<string, unknown>>;
type More = Parameters<Gate['ask']>[2];

export const HOTEL_SITES = ['hotel-a', 'hotel-b'] as const;
export type HotelSite = (typeof HOTEL_SITES)[number];

const HOSTS: Readonly<Record<string, HotelSite>> = { 'www.agoda.com': 'hotel-a', 'www.booking.com': 'hotel-b' };

/** The hotel that both sites have. */
export const HOUSE = {
  'hotel-a': { url: 'https://www.agoda.com/weir-house/hotel/harrow-gb.html' },
  'hotel-b': { property_id: 'gb/weir-house' },
} as const;
export const CHANNELS = [
  { provider: 'hotel-b', property_id: HOUSE['hotel-b'].property_id },
  { provider: 'hotel-a', property_id: HOUSE['hotel-a'].url },
];
export const STAY = { check_in: '2027-03-01', check_out: '2027-03-03', cron: '0 * * * *' };

/** The two mock hotel sites for the tier `http`; `move` changes the rate of the hotel on one. */
export function openHotels() {
  const origins = new Map(buildHotelPages().map(({ site, origins: { web } }) => [site, web]));
  const asked: string[] = [];

  function answer(site: string, url: URL, post?: string) {
    const call = {
      method: post === undefined ? 'GET' : 'POST',
      url,
      headers: {},
      body: post ?? '',
      visits: 1,
      origins: {},
    };
    return origins.get(site)?.(call) ?? null;
  }

  const visit: Visit = async ({ url }) => {
    asked.push(url.href);
    const reply = answer(HOSTS[url.host] ?? '', url);
    if (reply === null) return buildTestPage({ url: url.href, status: 404 });
    const { status, headers, body } = reply;
    return buildTestPage({
      url: url.href,
      status,
      contentType: headers['content-type'] ?? 'text/html',
      text: String(body),
    });
  };
  return {
    options: { tierVisits: { http: visit }, allow: Object.keys(HOSTS).join(',') },
    /** The requests to the sites. */
    asked,
    move: (site: HotelSite, change: Raw): void => {
      answer(site, new URL('https://rehearsal.example/rehearsal/rate'), JSON.stringify(change));
    },
  };
}

const List = <T extends z.ZodType>(row: T) => z.object({ data: z.array(row), next_cursor: z.string().nullable() });

/** Calls the monitor operations of a site as a tenant. */
export function createSiteMonitorCalls(gate: Gate, site: string) {
  async function ask(word: string, raw: Raw, more: More = {}): Promise<Said> {
    return gate.ask(getOperation(`${site}.monitors.${word}`), raw, more);
  }
  async function body(word: string, raw: Raw): Promise<Raw> {
    const { answer, error } = await ask(word, raw);
    if (answer === null) throw error ?? new Error('no answer');
    return answer.body;
  }
  return {
    ask,
    body,
    made: async (raw: Raw): Promise<string> => Monitor.parse(await body('create', raw)).id,
    show: async (id: string) => Monitor.parse(await body('show', { id })),
    latestRun: async (id: string) => RunRecord.parse(await body('runs.latest', { id })),
    rateChanges: async (id: string) => List(HotelChange).parse(await body('changes', { id })).data,
    changes: async (id: string) => List(ChangeRecord).parse(await body('changes', { id })).data,
    /** Starts a run manually, with a worker running while it waits for the response. */
    async trigger(id: string, more: More = {}): Promise<Said> {
      const came: Said[] = [];
      const asked = ask('trigger', { id }, more).then((said) => came.push(said));
      while (came.length === 0) {
        // A failed run is retried after a delay.
        if ((await runAll(gate)).some((code) => code !== 'ok')) gate.clock.pass(RETRY_MS);
        // As a worker does after a run.
        for (const row of await gate.db.query('select id from monitor_runs'))
          gate.queue.notifications.notifyHere(Id.parse(row).id);
        await setImmediate();
      }
      await asked;
      const [said] = came;
      if (said === undefined) throw new Error('no answer');
      return said;
    },
  };
}

/** Longer than the delay before a failed run is retried. */
const RETRY_MS = 3000;

const Id = z.object({ id: z.string() });

const Sent = z.object({ type: z.string(), body: z.string() });
const Event = z.looseObject({ type: z.string(), data: z.record(z.string(), z.unknown()) });

/** The pending events, in order. */
export async function readEvents(gate: Gate) {
  const rows = await gate.db.query('select type, body from deliveries order by id');
  return rows.map((row) => Event.parse(JSON.parse(Sent.parse(row).body)));
}
