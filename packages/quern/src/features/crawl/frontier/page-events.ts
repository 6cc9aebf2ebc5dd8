import type { Notifications } from '#engine/jobs/job-notifications.ts';
import type { Segment } from '#engine/results/result-segments.ts';
import { isJsonObject, type JsonObject } from '#extract/values/json-object.ts';
import { getElement, type PageEnd, type ResultElement } from '#features/crawl/crawl-page.ts';
import { buildEnqueueListed, DELIVERIES_TOPIC, extendDelivery, type TimedEvent } from '#features/webhooks/enqueue.ts';
import { buildEnvelope } from '#features/webhooks/envelope.ts';
import { type CRAWL_EVENTS, MAX_EVENT_WAIT_MS } from '#features/webhooks/schema.ts';
import type { CrawlSubscription, Webhooks } from '#features/webhooks/webhooks.ts';
import type { Clock } from '#kernel/clock.ts';
import type { Db, Queryable } from '#store/db.ts';
import { DEATHS_MESSAGE } from './claim-statements.ts';

/** Maximum size of a page in an event with its outputs, and without them. A longer page is truncated. */
const MAX_PAGE_BYTES = 128 * 1024;
const MAX_OUTLINE_BYTES = 16 * 1024;
/** Maximum size of all pages in an event. The event itself is then never truncated. */
const MAX_EVENT_BYTES = 192 * 1024;

/** The fields of a page that are always in an event, and those of a page without its outputs. */
const LEAST_FIELDS = [
  'seq',
  'state',
  'url',
  'final_url',
  'status_code',
  'fetched_at',
  'depth',
  'content_type',
  'tier',
  'credits',
  'soft_404',
  'error',
];
const OUTLINE_FIELDS = [...LEAST_FIELDS, 'parent_url', 'metadata', 'near_duplicate_of', 'warnings'];

export type PageEventParts = {
  readonly db: Db;
  readonly clock: Clock;
  readonly webhooks: Pick<Webhooks, 'findSubscription'>;
  readonly notifications: Pick<Notifications, 'notify'>;
};

/** A page for an event. */
export type EventPage = {
  readonly seq: number;
  /** Whether the result contains it, so that the event links to it there. */
  readonly isListed: boolean;
  readonly page: JsonObject;
  readonly bytes: number;
};

/** An event that waits for further pages until `dueAt`. Times are in ms. */
export type OpenEvent = { readonly pages: readonly EventPage[]; readonly at: number; readonly dueAt: number };

/** When an event happened, and when it is sent, ms. */
type EventTimes = { readonly at: number; readonly dueAt: number };

type CrawlEventType = (typeof CRAWL_EVENTS)[number];

/** The crawl that events are about; `operation` is the kind of its job. */
type EventSubject = { readonly jobId: string; readonly operation: string };

/** Opens the events of a crawl. Null if its job has no webhook that lists them. */
export async function openPageEvents(parts: PageEventParts, subject: EventSubject): Promise<PageEvents | null> {
  const subscription = await parts.webhooks.findSubscription(subject.jobId);
  return subscription === null ? null : new PageEvents(parts, subject, subscription);
}

/**
 * Enqueues the events of a crawl in the transactions of their causes. The id of an event is derived from the job and the
 * number of its first page. A page ends once, so a repeated transaction enqueues nothing twice. An event with few pages
 * waits a moment for further ones, so that a slow crawl does not send an event for each page.
 */
export class PageEvents {
  readonly #parts: PageEventParts;
  readonly #subject: EventSubject;
  readonly #subscription: CrawlSubscription;
  readonly #enqueue: ReturnType<typeof buildEnqueueListed>;
  /** The event of this process that still waits for pages. After a crash it is sent as it is. */
  #open: OpenEvent | null = null;

  constructor(parts: PageEventParts, subject: EventSubject, subscription: CrawlSubscription) {
    this.#parts = parts;
    this.#subject = subject;
    this.#subscription = subscription;
    this.#enqueue = buildEnqueueListed(parts.db.kind);
  }

  /** Enqueues the start of the crawl, in the transaction that adds its first URLs. */
  async enqueueStart(tx: Queryable, urls: number): Promise<void> {
    if (!this.#subscription.events.has('crawl.started')) return;
    const now = this.#parts.clock.now();
    const event = this.#buildEvent('crawl.started', { number: 0, data: { urls } }, { at: now, dueAt: now });
    await this.#add(tx, 'crawl.started', [event]);
  }

  /** Prepares ended pages, outside of the transaction that stores them. */
  prepare(ends: readonly PageEnd[]): readonly EventPage[] {
    if (!this.#subscription.events.has('crawl.page')) return [];
    return ends.flatMap((end) => this.#preparePage(end));
  }

  /**
   * Enqueues prepared pages: in the event that still waits for pages if they fit, and in new ones. `packed` are the
   * segments of their elements, and `first` the number of the first one. Pass the result to `confirm` after the commit.
   */
  async enqueuePages(
    tx: Queryable,
    pages: readonly EventPage[],
    { first, packed }: { readonly first: number; readonly packed: readonly Segment[] },
  ): Promise<OpenEvent | null> {
    if (pages.length === 0) return this.#open;
    const now = this.#parts.clock.now();
    const linked = this.#linkPages(pages, first, packed);
    const extended = await this.#extendOpen(tx, linked, now);
    const groups = extended?.rest ?? this.#group(linked);
    const dueAt = (group: readonly EventPage[]): number =>
      group === groups.at(-1) && group.length < this.#subscription.pagesPerEvent ? now + MAX_EVENT_WAIT_MS : now;
    await this.#add(
      tx,
      'crawl.page',
      groups.map((group) => this.#buildPageEvent(group, { at: now, dueAt: dueAt(group) })),
    );
    const last = groups.at(-1);
    if (last === undefined) return extended?.open ?? null;
    return dueAt(last) === now ? null : { pages: last, at: now, dueAt: dueAt(last) };
  }

  /** Stores which event waits for further pages, and wakes the sender. */
  confirm(open: OpenEvent | null): void {
    this.#open = open;
    this.notify();
  }

  /** Enqueues pages that are given up without an element, because too many processes died with them. */
  async enqueueGivenUp(tx: Queryable, pages: readonly { readonly seq: number; readonly url: string }[]): Promise<void> {
    if (!this.#subscription.events.has('crawl.page')) return;
    const now = this.#parts.clock.now();
    const error = { code: 'internal_error', message: DEATHS_MESSAGE };
    const given = pages.map(({ seq, url }) => fitPage({ seq, state: 'failed', url, error, credits: 0 }, false));
    const events = this.#group(given).map((group) => this.#buildPageEvent(group, { at: now, dueAt: now }));
    await this.#add(tx, 'crawl.page', events);
  }

  /** Wakes the sender after a commit. */
  notify(): void {
    this.#parts.notifications.notify(DELIVERIES_TOPIC);
  }

  /**
   * Adds pages to the event that waits for some. Returns the event if it still waits, and the groups of the other pages;
   * null if no page was added.
   */
  async #extendOpen(tx: Queryable, pages: readonly EventPage[], now: number) {
    const open = this.#open;
    if (open === null || open.dueAt <= now) return null;
    const [group = [], ...rest] = this.#group([...open.pages, ...pages]);
    if (group.length === open.pages.length) return null;
    const isFull = rest.length > 0 || group.length === this.#subscription.pagesPerEvent;
    const event = this.#buildPageEvent(group, { at: open.at, dueAt: isFull ? now : open.dueAt });
    if (!(await extendDelivery(tx, { ...event, now }))) return null;
    return { open: isFull ? null : { ...open, pages: group }, rest };
  }

  #linkPages(pages: readonly EventPage[], first: number, packed: readonly Segment[]): readonly EventPage[] {
    const places = packed.flatMap(({ items }, at) =>
      Array.from({ length: items }, (_, place) => `${first + at}.${place}`),
    );
    let listed = 0;
    return pages.map((one) => {
      const place = one.isListed ? places[listed++] : undefined;
      if (place === undefined) return one;
      return { ...one, page: { ...one.page, result_url: `/v1/jobs/${this.#subject.jobId}/page?place=${place}` } };
    });
  }

  #group(pages: readonly EventPage[]): readonly (readonly EventPage[])[] {
    return groupPages(pages, this.#subscription.pagesPerEvent);
  }

  #preparePage(end: PageEnd): readonly EventPage[] {
    const { claim, fate } = end;
    const { seq, url } = claim;
    const element = getElement(end);
    if (fate.kind === 'stored' && element !== null)
      return [fitPage({ seq, state: 'stored', ...this.#readElement(element) }, true)];
    if (fate.kind !== 'failed') return [];
    const { statusCode, code, message } = fate;
    const status = statusCode === null ? {} : { status_code: statusCode };
    return [fitPage({ seq, state: 'failed', url, ...status, error: { code, message }, credits: 0 }, element !== null)];
  }

  #readElement({ head, members, tail }: ResultElement): JsonObject {
    const read: unknown = JSON.parse(`{${new TextDecoder().decode(members)}}`);
    const page = { ...head, ...(isJsonObject(read) ? read : {}), ...tail };
    return this.#subscription.pageOutputs ? page : pickFields(page, OUTLINE_FIELDS);
  }

  #buildPageEvent(group: readonly EventPage[], times: EventTimes): TimedEvent {
    const pages = group.map(({ page }) => page);
    return this.#buildEvent('crawl.page', { number: group[0]?.seq ?? 0, data: { pages } }, times);
  }

  #buildEvent(
    type: CrawlEventType,
    { number, data }: { readonly number: number; readonly data: JsonObject },
    { at, dueAt }: EventTimes,
  ): TimedEvent {
    const { jobId, operation } = this.#subject;
    const id = `${jobId.replace('job_', 'evt_')}_${number}`;
    const about = { job_id: jobId, kind: operation };
    return { eventId: id, body: buildEnvelope({ id, type, at, about, data, path: `/v1/jobs/${jobId}` }), dueAt };
  }

  async #add(tx: Queryable, type: CrawlEventType, events: readonly TimedEvent[]): Promise<void> {
    if (events.length === 0) return;
    await this.#enqueue(tx, { type, owner: this.#subject.jobId, now: this.#parts.clock.now(), events });
  }
}

function pickFields(page: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(page).filter(([name]) => names.includes(name)));
}

function measure(page: JsonObject): number {
  return Buffer.byteLength(JSON.stringify(page));
}

/** Truncates a page that is too long for an event: first its outputs are left out, then also its metadata. */
function fitPage(whole: JsonObject & { readonly seq: number }, isListed: boolean): EventPage {
  const { seq } = whole;
  const bytes = measure(whole);
  if (bytes <= MAX_PAGE_BYTES) return { seq, isListed, page: whole, bytes };
  const outline = { ...pickFields(whole, OUTLINE_FIELDS), truncated: true };
  const isShort = measure(outline) <= MAX_OUTLINE_BYTES;
  const page = isShort ? outline : { ...pickFields(whole, LEAST_FIELDS), truncated: true };
  return { seq, isListed, page, bytes: measure(page) };
}

/** Groups pages into events by their number and size. */
function groupPages(pages: readonly EventPage[], maxPages: number): readonly (readonly EventPage[])[] {
  const groups: EventPage[][] = [];
  let bytes = 0;
  for (const page of pages) {
    const last = groups.at(-1);
    if (last === undefined || last.length === maxPages || bytes + page.bytes > MAX_EVENT_BYTES) {
      groups.push([page]);
      bytes = page.bytes;
    } else {
      last.push(page);
      bytes += page.bytes;
    }
  }
  return groups;
}
