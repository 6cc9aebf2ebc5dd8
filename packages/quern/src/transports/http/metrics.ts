import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Metric, MetricSample } from '#kernel/metric.ts';
import { StoreUnavailable } from '#store/db.ts';
import { readBearer } from './credentials.ts';

/** A completed request; `code` is its error code, or `none`. */
export type EndedRequest = {
  readonly operation: string;
  readonly status: number;
  readonly code: string;
  readonly seconds: number;
};

/** The metrics of a server. */
export type Metrics = {
  readonly contentType: string;
  readonly begin: () => void;
  readonly end: (ended: EndedRequest) => void;
  /** Returns the metrics in Prometheus text format. */
  readonly write: () => Promise<string>;
};

/** Creates the counters of one server in a registry of its own, and adds the metrics of other parts, which are read on request. */
export function createMetrics(others: readonly Metric[]): Metrics {
  const registry = createRegistry(others);
  const registers = [registry];
  const requests = new Counter({
    name: 'quern_requests_total',
    help: 'Answered requests',
    labelNames: ['operation', 'status', 'code'],
    registers,
  });
  const duration = new Histogram({
    name: 'quern_request_duration_seconds',
    help: 'Time from receipt to the end of the answer',
    labelNames: ['operation'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120],
    registers,
  });
  const inFlight = new Gauge({ name: 'quern_requests_in_flight', help: 'Requests being answered', registers });
  return {
    contentType: registry.contentType,
    begin: () => inFlight.inc(),
    end({ operation, status, code, seconds }) {
      inFlight.dec();
      requests.inc({ operation, status, code });
      duration.observe({ operation }, seconds);
    },
    write: async () => registry.metrics(),
  };
}

/** Creates a registry with process metrics and the given ones. */
export function createRegistry(metrics: readonly Metric[]): Registry {
  const registry = new Registry();
  addProcessMetrics(registry);
  for (const metric of metrics) addMetric(registry, metric);
  return registry;
}

function addMetric(registry: Registry, { name, help, kind, labels, read }: Metric): void {
  const common = { name, help, labelNames: [...labels], registers: [registry] };
  const toLabels = (values: readonly string[]) =>
    Object.fromEntries(labels.map((label, at) => [label, values[at] ?? '']));
  if (kind === 'total') {
    const counter: Counter = new Counter({
      ...common,
      async collect() {
        const samples = await read().catch(ignoreUnavailableStore);
        counter.reset();
        for (const [values, n] of samples) counter.inc(toLabels(values), n);
      },
    });
    return;
  }
  const gauge: Gauge = new Gauge({
    ...common,
    async collect() {
      const samples = await read().catch(ignoreUnavailableStore);
      // Old gauge values must not survive, and without a label `reset` would report 0.
      if (labels.length === 0) gauge.remove();
      else gauge.reset();
      for (const [values, n] of samples) gauge.set(toLabels(values), n);
    },
  });
}

/** Leaves out metrics from the store while it is unavailable, so that the others can still be read. */
function ignoreUnavailableStore(error: unknown): Iterable<MetricSample> {
  if (error instanceof StoreUnavailable) return [];
  throw error;
}

/** Adds the usual process metrics without the event-loop sampler, whose timer would wake an idle process. */
function addProcessMetrics(registry: Registry): void {
  const totals: readonly (readonly [string, string, () => number])[] = [
    ['process_cpu_user_seconds_total', 'User CPU time', () => process.cpuUsage().user / 1e6],
    ['process_cpu_system_seconds_total', 'System CPU time', () => process.cpuUsage().system / 1e6],
  ];
  const levels: readonly (readonly [string, string, () => number])[] = [
    ['process_resident_memory_bytes', 'Resident memory', () => process.memoryUsage.rss()],
    ['process_uptime_seconds', 'Time since the start', () => process.uptime()],
    ['nodejs_heap_size_used_bytes', 'JavaScript heap in use', () => process.memoryUsage().heapUsed],
    ['nodejs_external_memory_bytes', 'Memory outside the heap', () => process.memoryUsage().external],
  ];
  for (const [name, help, read] of totals) {
    const counter: Counter = new Counter({
      name,
      help,
      registers: [registry],
      collect() {
        counter.reset();
        counter.inc(read());
      },
    });
  }
  for (const [name, help, read] of levels) {
    const gauge: Gauge = new Gauge({ name, help, registers: [registry], collect: () => gauge.set(read()) });
  }
}

/**
 * Whether a request may read the metrics: a loopback client without a proxy, or one with the metrics token. The `Host` is
 * checked too, since a web page whose name resolves to loopback is also a loopback client.
 */
export function mayReadMetrics(request: FastifyRequest, token: string | null): boolean {
  const { headers, socket, rawHeaders } = request.raw;
  const forwarded = headers['x-forwarded-for'] !== undefined || headers['forwarded'] !== undefined;
  if (!forwarded && isLoopback(socket.remoteAddress ?? '') && isLocalHost(headers.host ?? '')) return true;
  const { key } = readBearer(rawHeaders);
  return token !== null && key !== null && isEqualSecret(key, token);
}

function isLoopback(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback';
}

/** Whether a `Host` header is `localhost` or an IP address, which pages under other names cannot send. */
function isLocalHost(host: string): boolean {
  const name = host.replace(/:\d*$/, '').replace(/^\[(.*)\]$/, '$1');
  return name.toLowerCase() === 'localhost' || ipaddr.isValid(name);
}

/** Compares digests in constant time, so that timing reveals neither length nor content. */
function isEqualSecret(presented: string, wanted: string): boolean {
  const [left, right] = [presented, wanted].map((text) => createHash('sha256').update(text).digest());
  return left !== undefined && right !== undefined && timingSafeEqual(left, right);
}
