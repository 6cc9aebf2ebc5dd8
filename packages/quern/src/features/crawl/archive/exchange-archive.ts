import type { Visit } from '#access/page.ts';
import type { ExchangeRecorder } from '#access/exchange-recorder.ts';
import type { Results } from '#engine/results/results.ts';
import { OBJECT_BYTES, type Segment, toPortions } from '#engine/results/result-segments.ts';
import type { Clock } from '#kernel/clock.ts';
import { toUuid } from '#kernel/ids.ts';
import type { PageOptions } from '#features/crawl/crawl-options.ts';
import type { PageEnd, VisitPage } from '#features/crawl/crawl-page.ts';
import type { Recording } from '#engine/visits/with-recording.ts';
import { RECORDS_PER_EXCHANGE, RECORDS_PER_RENDERED_PAGE, buildExchangeRecords, buildResourceRecord } from './warc.ts';

/** Exchanges that are packed and belong to no row yet: in memory, or large ones as objects already. */
type PendingSegments = Promise<Segment>[];

/** A packed exchange waits for its commit in memory up to this, and as an object beyond. */
const MAX_IN_MEMORY_BYTES = 256 * 1024;
/** Headers that are a secret whoever sent them; those of the caller are besides. */
const SECRET_HEADERS = ['authorization', 'cookie', 'proxy-authorization'];

export type ExchangeArchiveParts = {
  readonly results: Results;
  readonly clock: Clock;
  readonly jobId: string;
  /** How each page is asked for; what the caller sends with it stays out of the archive. */
  readonly page: PageOptions;
  /** The name of the caller's session, whose cookies stay out of the archive too; null for none. */
  readonly session: string | null;
};

/** Keeps the exchanges of a crawl until they are committed with what they brought. */
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

  /** Keeps what is exchanged for a page, and the page as a browser showed it. */
  createRecording(seq: number): Recording {
    const { clock } = this.#parts;
    return {
      recorder: this.#createRecorder(() => this.#getPagePending(seq)),
      keepShown: (shown) =>
        this.#packLater(
          this.#getPagePending(seq),
          RECORDS_PER_RENDERED_PAGE,
          buildResourceRecord({ page: shown, at: clock.now() }, this.#warcinfoId),
        ),
    };
  }

  /** A visit whose exchanges belong to the site and to none of its pages. */
  withSiteRecording(visit: Visit): Visit {
    const own = this.#createRecorder(() => this.#sitePending);
    return async (request, signal) => visit({ ...request, recorder: own }, signal);
  }

  /** The visit of pages, with what was exchanged for each of them at its end. */
  withPageExchanges(visit: VisitPage): VisitPage {
    return async (claim, signal, place) => {
      try {
        const visited = await visit(claim, signal, place);
        const exchanges = await Promise.all(this.#pagePending.get(claim.seq) ?? []);
        return { ...visited, end: { ...visited.end, exchanges } };
      } finally {
        // A page that was cut off leaves nothing behind that still writes.
        await Promise.allSettled(this.#pagePending.get(claim.seq) ?? []);
        this.#pagePending.delete(claim.seq);
      }
    };
  }

  /** What was exchanged for ended pages, and for the site since the last time, ready for one transaction. */
  async pack(ends: readonly PageEnd[]): Promise<readonly Segment[]> {
    const { results, jobId } = this.#parts;
    const site = this.#sitePending;
    this.#sitePending = [];
    const exchanges = [...(await Promise.all(site)), ...ends.flatMap((end) => end.exchanges ?? [])];
    const large = exchanges.filter(({ packed }) => packed === null);
    const small: Segment[] = [];
    const records = exchanges.flatMap(({ packed, items }) => (packed === null ? [] : [{ packed, items }]));
    for (const portion of toPortions(records, ({ packed }) => packed.byteLength)) {
      const items = portion.reduce((sum, record) => sum + record.items, 0);
      const bytes = Buffer.concat(portion.map(({ packed }) => packed));
      small.push(await results.packArchive(jobId, { items, bytes, mostInRow: OBJECT_BYTES }));
    }
    return [...large, ...small];
  }

  /** Packs each exchange as it ends, so that no body outlives it. */
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

  #packLater(kept: PendingSegments, items: number, records: ReturnType<typeof buildExchangeRecords>): void {
    const { results, jobId } = this.#parts;
    const packing = records.then(async (bytes) =>
      results.packArchive(jobId, { items, bytes, mostInRow: MAX_IN_MEMORY_BYTES }),
    );
    // A failure is thrown where the exchanges are committed.
    packing.catch(() => undefined);
    kept.push(packing);
  }

  #getPagePending(seq: number): PendingSegments {
    const kept = this.#pagePending.get(seq) ?? [];
    this.#pagePending.set(seq, kept);
    return kept;
  }
}
