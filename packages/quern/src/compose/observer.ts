import { InvariantError } from '#extract/invariant-error.ts';
import type { ObserveEvent, ServiceEvent } from '#kernel/events.ts';
import { type Metric, Tally } from '#kernel/metric.ts';

/** The counters of a process, with their metrics. */
const EVENT_COUNTERS = {
  jobs: ['quern_jobs_total', 'Attempts of jobs that this process has ended, by what came of them', 'kind', 'outcome'],
  jobSeconds: ['quern_job_seconds_total', 'How long those attempts ran, in all', 'kind'],
  jobWaits: ['quern_job_wait_seconds_total', 'How long those jobs were due before they began, in all', 'kind'],
  visits: ['quern_visits_total', 'Attempts to get a page, by tier and verdict', 'tier', 'outcome'],
  visitSeconds: ['quern_visit_seconds_total', 'How long those attempts took, in all', 'tier'],
  visitBytes: ['quern_visit_bytes_total', 'Bytes that those attempts received', 'tier'],
  pages: ['quern_crawl_pages_total', 'Pages of crawls and maps, by what became of them', 'operation', 'fate'],
  cache: ['quern_cache_lookups_total', 'Pages that were looked for in the cache', 'result'],
  credits: ['quern_credits_charged_total', 'Credits that this process has charged', 'operation'],
  deliveries: [
    'quern_deliveries_total',
    'Attempts of deliveries, by event and the state after them',
    'event',
    'outcome',
  ],
} as const;

/** The log levels of events. */
type EventLog = {
  readonly info: (facts: object, text: string) => void;
  readonly debug: (facts: object, text: string) => void;
};

type EventCounters = Readonly<Record<keyof typeof EVENT_COUNTERS, Tally>>;

/** Writes the events of a process to the log and the metrics. */
export function openObserver(log: EventLog): {
  readonly observe: ObserveEvent;
  readonly metrics: readonly Metric[];
} {
  const tallies: EventCounters = {
    jobs: new Tally(),
    jobSeconds: new Tally(),
    jobWaits: new Tally(),
    visits: new Tally(),
    visitSeconds: new Tally(),
    visitBytes: new Tally(),
    pages: new Tally(),
    cache: new Tally(),
    credits: new Tally(),
    deliveries: new Tally(),
  };
  return {
    observe(event) {
      countEvent(tallies, event);
      logEvent(log, event);
    },
    metrics: Object.entries(tallies).map(([id, tally]) => toMetric(id, tally)),
  };
}

function toMetric(id: string, tally: Tally): Metric {
  const [name, help, ...labels] = Object.entries(EVENT_COUNTERS).find(([one]) => one === id)?.[1] ?? ['', ''];
  return { name, help, kind: 'total', labels, read: async () => tally.samples() };
}

function countEvent(tallies: EventCounters, event: ServiceEvent): void {
  switch (event.type) {
    case 'attempt':
      tallies.visits.add([event.tier, event.outcome]);
      tallies.visitSeconds.add([event.tier], event.durationMs / 1000);
      tallies.visitBytes.add([event.tier], event.bytes);
      break;
    case 'job':
      tallies.jobs.add([event.operation, event.outcome]);
      tallies.jobSeconds.add([event.operation], event.durationMs / 1000);
      tallies.jobWaits.add([event.operation], event.waitedMs / 1000);
      break;
    case 'pages':
      for (const [fate, n] of Object.entries(event.fates)) tallies.pages.add([event.operation, fate], n);
      break;
    case 'delivery':
      tallies.deliveries.add([event.sent, event.outcome]);
      break;
    case 'cache':
      tallies.cache.add([event.result]);
      break;
    case 'charge':
      tallies.credits.add([event.operation], event.credits);
      break;
    case 'run':
      // The feature counts its runs itself.
      break;
    default:
      throw new InvariantError('an event without a metric');
  }
}

/** Writes one line for each job, run, delivery and block; pages and other attempts only at the level `debug`. */
function logEvent(log: EventLog, { type, ...facts }: ServiceEvent): void {
  const line = Object.fromEntries(Object.entries(facts).map(([name, value]) => [toSnakeCase(name), value]));
  if (type === 'job' || type === 'run' || type === 'delivery') log.info({ event: type, ...line }, LINES[type]);
  else if (type === 'attempt' && 'isBlock' in facts && facts.isBlock) log.info({ event: 'block', ...line }, 'blocked');
  else if (type === 'attempt' || type === 'pages') log.debug({ event: type, ...line }, LINES[type]);
}

const LINES = {
  job: 'an attempt of a job ended',
  run: 'a run of a monitor ended',
  delivery: 'a delivery was attempted',
  attempt: 'a page was asked for',
  pages: 'pages of a crawl were committed',
} as const;

function toSnakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
