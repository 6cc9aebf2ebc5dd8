import type { Visit } from '#access/page.ts';
import type { ExchangeRecorder } from '#access/exchange-recorder.ts';
import type { Results } from '#engine/results/results.ts';
import { MAX_ROW_BYTES, type Segment, groupIntoPortions } from '#engine/results/result-segments.ts';
import type { Clock } from '#kernel/clock.ts';
import { toUuid } from '#kernel/ids.ts';
import type { PageOptions } from '#features/crawl/crawl-options.ts';
import type { PageEnd, VisitPage } from '#features/crawl/crawl-page.ts';
import type { VisitRecording } from '#engine/visits/visit-wrappers.ts';
import { RECORDS_PER_EXCHANGE, RECORDS_PER_RENDERED_PAGE, buildExchangeRecords, buildResourceRecord } from './warc.ts';

/** Packed exchanges that are not committed yet: small ones in memory, large ones already stored as objects. */
type PendingSegments = Promise<Segment>[];

/** Maximum size of a packed exchange in memory. A larger one is stored as an object before its commit. */
const MAX_IN_MEMORY_BYTES = 256 * 1024;
/** Headers that are always masked, in addition to those of the caller. */
const SECRET_HEADERS = ['authorization', 'cookie', 'proxy-authorization'];

export type ExchangeArchiveParts = {
  readonly results: Results;
  readonly clock: Clock;
  readonly jobId: string;
  /** How each page is requested. The archive masks the caller's headers and cookies. */
  readonly page: PageOptions;
  /** Name of the caller's session, whose cookies are masked too; null for none. */
  readonly session: string | null;
};

/** Collects the HTTP exchanges of a crawl until they are committed with their pages. */
export class ExchangeArchive {
  readonly #parts: ExchangeArchiveParts;
  readonly #warcinfoId: string;
  readonly #secrets: ReadonlySet<string>;
  readonly #pagePending = new Map<number, PendingSegments>();
  #sitePending: PendingSegments = [];

  constructor(parts: ExchangeArchiveParts) {
    this.#parts = parts;
    this.#warcinfoId = toUuid(parts.jobId);
    const ofSession = parts.session === null ? [] : ['set-cookie'];
    this.#secrets = new Set([
      ...SECRET_HEADERS,
      ...ofSession,
      ...Object.keys(parts.page.headers).map((name) => name.toLowerCase()),
    ]);
  }

  /** Creates the recording of a page: its exchanges, and the page as a browser rendered it. */
  createRecording(seq: number): VisitRecording {
    const { clock } = this.#parts;
    return {
      recorder: this.#createRecorder(() => this.#getPagePending(seq)),
      storeRendered: (shown) =>
        this.#packLater(
          this.#getPagePending(seq),
          RECORDS_PER_RENDERED_PAGE,
          buildResourceRecord({ page: shown, at: clock.now() }, this.#warcinfoId),
        ),
    };
  }

  /** Wraps a visit so that its exchanges belong to the site and not to one of its pages. */
  withSiteRecording(visit: Visit): Visit {
    const own = this.#createRecorder(() => this.#sitePending);
    return async (request, signal) => visit({ ...request, recorder: own }, signal);
  }

  /** Wraps the visit of pages so that each end has the exchanges of its page. */
  withPageExchanges(visit: VisitPage): VisitPage {
    return async (claim, signal, place) => {
      try {
        const visited = await visit(claim, signal, place);
        const exchanges = await Promise.all(this.#pagePending.get(claim.seq) ?? []);
        return { ...visited, end: { ...visited.end, exchanges } };
      } finally {
        // Wait for all writes, so that nothing writes after an aborted visit.
        await Promise.allSettled(this.#pagePending.get(claim.seq) ?? []);
        this.#pagePending.delete(claim.seq);
      }
    };
  }

  /** Packs the exchanges of ended pages, and those of the site since the last call, for one transaction. */
  async pack(ends: readonly PageEnd[]): Promise<readonly Segment[]> {
    const { results, jobId } = this.#parts;
    const site = this.#sitePending;
    this.#sitePending = [];
    const exchanges = [...(await Promise.all(site)), ...ends.flatMap((end) => end.exchanges ?? [])];
    const large = exchanges.filter(({ packed }) => packed === null);
    const small: Segment[] = [];
    const records = exchanges.flatMap(({ packed, items }) => (packed === null ? [] : [{ packed, items }]));
    for (const portion of groupIntoPortions(records, ({ packed }) => packed.byteLength)) {
      const items = portion.reduce((sum, record) => sum + record.items, 0);
      const bytes = Buffer.concat(portion.map(({ packed }) => packed));
      small.push(await results.packArchive(jobId, { items, bytes, maxRowBytes: MAX_ROW_BYTES }));
    }
    return [...large, ...small];
  }

  /** Packs each exchange as it ends, so that its body can be freed. */
  #createRecorder(getPending: () => PendingSegments): ExchangeRecorder {
    const { clock } = this.#parts;
    return (sent) => {
      const at = clock.now();
      return (received) => {
        const records = buildExchangeRecords(
          { sent, received, at },
          { about: this.#warcinfoId, secrets: this.#secrets },
        );
        this.#packLater(getPending(), RECORDS_PER_EXCHANGE, records);
      };
    };
  }

  #packLater(pending: PendingSegments, items: number, records: ReturnType<typeof buildExchangeRecords>): void {
    const { results, jobId } = this.#parts;
    const packing = records.then(async (bytes) =>
      results.packArchive(jobId, { items, bytes, maxRowBytes: MAX_IN_MEMORY_BYTES }),
    );
    // A failure is thrown when the exchanges are committed.
    packing.catch(() => undefined);
    pending.push(packing);
  }

  #getPagePending(seq: number): PendingSegments {
    const pending = this.#pagePending.get(seq) ?? [];
    this.#pagePending.set(seq, pending);
    return pending;
  }
}
