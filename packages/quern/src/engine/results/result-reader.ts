import { z } from 'zod';
import { ServiceError } from '#kernel/errors.ts';
import type { Db } from '#store/db.ts';
import type { ObjectStore } from '#store/objects.ts';
import { readRow, readRows } from '#store/rows.ts';
import { readPiece, readText, Segment } from './result-segments.ts';

const FIND = 'select items, bytes, packed_bytes, packed, object from result_segments where job_id = $1 and seq = $2';

const COUNTS = 'select seq, items from result_segments where job_id = $1 and seq between 1 and $2 order by seq';

const SegmentCountRow = z.object({ seq: z.number(), items: z.number() });

/** The number of the head segment. The list counts up from 1, the archive down from -1. */
export const HEAD_SEGMENT = 0;

/** The position of a list element: its segment (from 1) and its index in it (from 0). */
export type Position = { readonly seq: number; readonly at: number };

export const LIST_START: Position = { seq: 1, at: 0 };

/** The list of a job with the number of segments committed when the job was read. */
export type ResultList = { readonly jobId: string; readonly segments: number };

/** The archive of a job with the number of pieces committed when the job was read. */
export type ResultArchive = { readonly jobId: string; readonly archived: number };

export type PageBounds = {
  readonly from: Position;
  /** The most elements. */
  readonly limit: number;
  /** The most characters of JSON, except that `least` elements are always returned. */
  readonly mostChars: number;
  readonly least: 0 | 1;
};

/**
 * List elements with their positions. `next` is the start of the next page, `hasMore` whether that has elements now.
 */
export type ResultPage = {
  readonly elements: readonly unknown[];
  readonly positions: readonly Position[];
  readonly next: Position;
  readonly hasMore: boolean;
};

type ReaderParts = { readonly db: Db; readonly objects: ObjectStore | null };

/** Reads results piece by piece. Throws `result_expired` if a piece has been deleted or is damaged. */
export class ResultReader {
  readonly #db: Db;
  readonly #objects: ObjectStore | null;

  constructor({ db, objects }: ReaderParts) {
    this.#db = db;
    this.#objects = objects;
  }

  /** Reads the body of a result as JSON text, in which its long list is empty. */
  async readHead(jobId: string): Promise<string> {
    return this.#read(jobId, await this.#find(jobId, HEAD_SEGMENT));
  }

  /** Like `readHead`, but returns null without reading if it has more than `mostBytes`. */
  async readShortHead(jobId: string, mostBytes: number): Promise<string | null> {
    const segment = await this.#find(jobId, HEAD_SEGMENT);
    return segment !== null && segment.bytes > mostBytes ? null : this.#read(jobId, segment);
  }

  async readPage({ jobId, segments }: ResultList, { from, limit, mostChars, least }: PageBounds): Promise<ResultPage> {
    const elements: unknown[] = [];
    const places: Position[] = [];
    let chars = 0;
    for (let { seq, at } = from; seq <= segments; seq += 1, at = 0) {
      for (const line of listLines(await this.#read(jobId, await this.#find(jobId, seq)), at)) {
        chars += line.length;
        const isFull = elements.length === limit || (chars > mostChars && elements.length >= least);
        if (isFull) return { elements, positions: places, next: { seq, at }, hasMore: true };
        elements.push(JSON.parse(line));
        places.push({ seq, at });
        at += 1;
      }
    }
    // The position at which a growing list continues.
    return { elements, positions: places, next: { seq: segments + 1, at: 0 }, hasMore: false };
  }

  /** Finds the positions of elements by their number in the list (from 0). Elements not committed yet are omitted. */
  async findPositions(
    { jobId, segments }: ResultList,
    wanted: readonly number[],
  ): Promise<ReadonlyMap<number, Position>> {
    const positions = new Map<number, Position>();
    const left = wanted.toSorted((one, other) => one - other);
    const rows = left.length === 0 ? [] : readRows(SegmentCountRow, await this.#db.query(COUNTS, [jobId, segments]));
    let before = 0;
    for (const { seq, items } of rows) {
      while (left[0] !== undefined && left[0] < before + items) {
        const ordinal = left.shift() ?? before;
        positions.set(ordinal, { seq, at: ordinal - before });
      }
      before += items;
    }
    return positions;
  }

  /** Streams the whole list as JSON Lines, one segment at a time. */
  async *readLines({ jobId, segments }: ResultList): AsyncGenerator<string, void> {
    for (let { seq } = LIST_START; seq <= segments; seq += 1)
      yield await this.#read(jobId, await this.#find(jobId, seq));
  }

  /** Streams the whole archive, except its first record, one piece at a time. */
  async *readArchive({ jobId, archived }: ResultArchive): AsyncGenerator<Uint8Array, void> {
    for (let at = 1; at <= archived; at += 1) {
      const segment = await this.#find(jobId, HEAD_SEGMENT - at);
      const piece = segment === null ? null : await readPiece(segment, this.#objects);
      if (piece === null) throw createGoneError(jobId);
      yield piece;
    }
  }

  async #find(jobId: string, seq: number): Promise<Segment | null> {
    return readRow(Segment, await this.#db.query(FIND, [jobId, seq]));
  }

  async #read(jobId: string, segment: Segment | null): Promise<string> {
    const text = segment === null ? null : await readText(segment, this.#objects);
    if (text === null) throw createGoneError(jobId);
    return text;
  }
}

function createGoneError(jobId: string): ServiceError {
  return new ServiceError('result_expired', `a part of the result of ${jobId} has been deleted`);
}

/** Lists the lines of a text from index `from` on. Each line ends with a line feed. */
function* listLines(text: string, from: number): Generator<string> {
  let start = 0;
  for (let at = 0; start < text.length; at += 1) {
    const end = text.indexOf('\n', start);
    if (at >= from) yield text.slice(start, end);
    start = end + 1;
  }
}
