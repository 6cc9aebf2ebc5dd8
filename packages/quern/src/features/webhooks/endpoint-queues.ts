import type { ClaimedDelivery, QueueCapacity } from './delivery-rows.ts';

/**
 * Limits on concurrent deliveries. A queue has the deliveries of one tenant to one URL. It is trusted if its last
 * delivery succeeded and none is slow.
 */
export type SendingLimits = {
  /** Concurrent deliveries in total, and of these in untrusted queues. */
  readonly maxSending: number;
  readonly maxUntrusted: number;
  /** Concurrent deliveries to one endpoint. */
  readonly maxPerEndpoint: number;
  readonly maxUntrustedPerEndpoint: number;
  /** Concurrent deliveries of one tenant to one endpoint. */
  readonly maxPerTenant: number;
  readonly maxUntrustedPerTenant: number;
  /** Concurrent deliveries of one queue. */
  readonly maxPerQueue: number;
  /** Deliveries claimed ahead for a trusted queue, in addition to the concurrent ones. */
  readonly maxAhead: number;
  /** Total size of the bodies of claimed deliveries. */
  readonly maxBytes: number;
  /** A delivery that takes longer than this makes its queue untrusted. */
  readonly slowMs: number;
};

/**
 * A dead receiver occupies a slot for a whole attempt. So some slots are reserved for receivers that answer: in total,
 * at each endpoint, and for other tenants there.
 */
export const SENDING_LIMITS: SendingLimits = {
  maxSending: 1536,
  maxUntrusted: 1024,
  maxPerEndpoint: 16,
  maxUntrustedPerEndpoint: 12,
  maxPerTenant: 4,
  maxUntrustedPerTenant: 3,
  maxPerQueue: 4,
  maxAhead: 28,
  maxBytes: 64 * 2 ** 20,
  slowMs: 1000,
};

/** Maximum number of trusted queues in memory. */
const MAX_TRUSTED_QUEUES = 5000;

type ReceiverQueue = {
  readonly name: string;
  readonly endpoint: string;
  readonly waiting: ClaimedDelivery[];
  /** Running deliveries by their start, ms. */
  readonly sending: Set<{ readonly began: number }>;
};

/** The non-empty queues to one endpoint; the one that was served last comes last. */
type EndpointState = {
  readonly queues: Map<string, ReceiverQueue>;
  readonly busy: Set<ReceiverQueue>;
  sending: number;
};

/** A running delivery, and the function to call when it has ended. */
type StartedDelivery = { readonly claimed: ClaimedDelivery; readonly end: (hasSucceeded: boolean) => void };

/** Claimed deliveries in queues by receiver. Decides which of them may start. */
export class EndpointQueues {
  readonly #limits: SendingLimits;
  readonly #now: () => number;
  readonly #endpoints = new Map<string, EndpointState>();
  /** Names of queues whose last delivery succeeded. */
  readonly #trusted = new Set<string>();
  #sending = 0;
  #untrusted = 0;
  #bytes = 0;

  /** `now` returns a monotonic time, ms. */
  constructor(limits: SendingLimits, now: () => number) {
    this.#limits = limits;
    this.#now = now;
  }

  /** Counts how many more deliveries may be claimed in total. */
  countFreeSlots(): number {
    return this.#bytes >= this.#limits.maxBytes ? 0 : this.#limits.maxSending - this.#sending;
  }

  /** Builds the function that returns how many more deliveries of a queue may be claimed. */
  buildCapacities(): QueueCapacity {
    const counts = new UntrustedCounts(this.#untrusted);
    const counted = new Set<string>();
    return (name) => {
      const { endpoint: at } = splitQueueName(name);
      const endpoint = this.#endpoints.get(at);
      if (endpoint !== undefined && !counted.has(at)) this.#countUntrusted(counts, endpoint.queues.values());
      counted.add(at);
      return this.#computeCapacity(name, endpoint?.queues.get(name), counts);
    };
  }

  add(claimed: ClaimedDelivery): void {
    const { queue: name, endpoint: at } = claimed;
    const endpoint = this.#endpoints.get(at) ?? { queues: new Map(), busy: new Set(), sending: 0 };
    this.#endpoints.set(at, endpoint);
    const queue = endpoint.queues.get(name) ?? { name, endpoint: at, waiting: [], sending: new Set() };
    endpoint.queues.set(name, queue);
    queue.waiting.push(claimed);
    this.#bytes += claimed.body.length;
  }

  /** Starts the next delivery to an endpoint, its queues in turn. Null if none may start. */
  startNext(at: string): StartedDelivery | null {
    const endpoint = this.#endpoints.get(at);
    if (endpoint === undefined) return null;
    for (const queue of endpoint.queues.values()) {
      if (endpoint.sending >= this.#limits.maxPerEndpoint) return null;
      const started = this.#startDelivery(queue, endpoint);
      if (started === null) continue;
      endpoint.queues.delete(queue.name);
      endpoint.queues.set(queue.name, queue);
      return started;
    }
    return null;
  }

  /** Removes all waiting deliveries from the queue of a delivery. */
  dropQueue({ endpoint: at, queue: name }: ClaimedDelivery): readonly ClaimedDelivery[] {
    const endpoint = this.#endpoints.get(at);
    const queue = endpoint?.queues.get(name);
    return endpoint === undefined || queue === undefined ? [] : this.#drop(queue, endpoint);
  }

  /** Removes all waiting deliveries. */
  dropAll(): readonly ClaimedDelivery[] {
    return [...this.#endpoints.values()].flatMap((endpoint) =>
      [...endpoint.queues.values()].flatMap((queue) => this.#drop(queue, endpoint)),
    );
  }

  #computeCapacity(name: string, queue: ReceiverQueue | undefined, counts: UntrustedCounts): number {
    const queued = queue === undefined ? 0 : queue.waiting.length + queue.sending.size;
    if (this.#isTrusted(name, queue)) return Math.max(0, this.#limits.maxPerQueue + this.#limits.maxAhead - queued);
    if (queued > 0 || !counts.allowsOneMore(name, this.#limits)) return 0;
    counts.add(name, 1);
    counts.total += 1;
    return 1;
  }

  #isTrusted(name: string, queue: ReceiverQueue | undefined): boolean {
    const isSlow =
      queue !== undefined && [...queue.sending].some(({ began }) => this.#now() - began > this.#limits.slowMs);
    return this.#trusted.has(name) && !isSlow;
  }

  #countUntrusted(counts: UntrustedCounts, queues: Iterable<ReceiverQueue>): void {
    for (const queue of queues)
      if (!this.#isTrusted(queue.name, queue)) counts.add(queue.name, Math.max(1, queue.sending.size));
  }

  #canStart(queue: ReceiverQueue, { busy, sending }: EndpointState): boolean {
    if (sending >= this.#limits.maxPerEndpoint || queue.sending.size >= this.#limits.maxPerQueue) return false;
    const { tenant } = splitQueueName(queue.name);
    const tenantQueues = [...busy].filter(({ name }) => splitQueueName(name).tenant === tenant);
    if (tenantQueues.reduce((sum, one) => sum + one.sending.size, 0) >= this.#limits.maxPerTenant) return false;
    if (this.#isTrusted(queue.name, queue)) return true;
    if (queue.sending.size > 0) return false;
    const counts = new UntrustedCounts(this.#untrusted);
    this.#countUntrusted(counts, busy);
    return counts.allowsOneMore(queue.name, this.#limits);
  }

  #startDelivery(queue: ReceiverQueue, endpoint: EndpointState): StartedDelivery | null {
    const claimed = this.#canStart(queue, endpoint) ? queue.waiting.shift() : undefined;
    if (claimed === undefined) return null;
    const untrusted = this.#isTrusted(queue.name, queue) ? 0 : 1;
    const attempt = { began: this.#now() };
    queue.sending.add(attempt);
    endpoint.busy.add(queue);
    endpoint.sending += 1;
    this.#sending += 1;
    this.#untrusted += untrusted;
    return {
      claimed,
      end: (hasSucceeded) => {
        queue.sending.delete(attempt);
        if (queue.sending.size === 0) endpoint.busy.delete(queue);
        endpoint.sending -= 1;
        this.#sending -= 1;
        this.#untrusted -= untrusted;
        this.#bytes -= claimed.body.length;
        this.#trusted.delete(queue.name);
        if (hasSucceeded) this.#trust(queue.name);
        this.#forget(queue, endpoint);
      },
    };
  }

  #drop(queue: ReceiverQueue, endpoint: EndpointState): readonly ClaimedDelivery[] {
    const dropped = queue.waiting.splice(0);
    for (const { body } of dropped) this.#bytes -= body.length;
    this.#forget(queue, endpoint);
    return dropped;
  }

  /** Removes an empty queue. */
  #forget(queue: ReceiverQueue, endpoint: EndpointState): void {
    if (queue.waiting.length > 0 || queue.sending.size > 0) return;
    endpoint.queues.delete(queue.name);
    if (endpoint.queues.size === 0) this.#endpoints.delete(queue.endpoint);
  }

  #trust(name: string): void {
    const [oldest] = this.#trusted;
    if (this.#trusted.size >= MAX_TRUSTED_QUEUES && oldest !== undefined) this.#trusted.delete(oldest);
    this.#trusted.add(name);
  }
}

/** Counts running or claimed deliveries of untrusted queues: in total, per endpoint, and per tenant there. */
class UntrustedCounts {
  total: number;
  readonly #counts = new Map<string, number>();

  constructor(total: number) {
    this.total = total;
  }

  /** Adds deliveries of a queue to the counts of its endpoint and of its tenant there. */
  add(name: string, more: number): void {
    const { endpoint, tenant } = splitQueueName(name);
    for (const key of [endpoint, tenant]) this.#counts.set(key, (this.#counts.get(key) ?? 0) + more);
  }

  allowsOneMore(name: string, limits: SendingLimits): boolean {
    const { endpoint, tenant } = splitQueueName(name);
    return (
      this.total < limits.maxUntrusted &&
      (this.#counts.get(endpoint) ?? 0) < limits.maxUntrustedPerEndpoint &&
      (this.#counts.get(tenant) ?? 0) < limits.maxUntrustedPerTenant
    );
  }
}

/** Splits the name of a queue, as built by `toQueueName`, into its endpoint and the key of its tenant there. */
function splitQueueName(name: string): { readonly endpoint: string; readonly tenant: string } {
  const [endpoint = '', tenant = ''] = name.split(' ');
  return { endpoint, tenant: `${endpoint} ${tenant}` };
}
