import { z } from 'zod';
import { ServiceError } from '#kernel/errors.ts';
import type { Db } from '#store/db.ts';
import type { Objects } from '#store/objects.ts';
import { readRow, readRows } from '#store/rows.ts';
import { readPiece, readText, Segment } from './result-segments.ts';

const FIND = 'select items, bytes, packed_bytes, packed, object from result_segments where job_id = $1 and seq = $2';

const COUNTS = 'select seq, items from result_segments where job_id = $1 and seq between 1 and $2 order by seq';

const SegmentCountRow = z.object({ seq: z.number(), items: z.number() });

/** The head of a result is the segment before the first of its list, and those of an archive count down from there. */
export const HEAD_SEGMENT = 0;

/** The position of an element of a list: its segment, from 1, and its index in it, from 0. */
export type Position = { readonly seq: number; readonly at: number };

export const START: Position = { seq: 1, at: 0 };

/** A list as far as it was committed when its job was read. */
export type ResultList = { readonly jobId: string; readonly segments: number };

/** An archive as far as it was committed when its job was read. */
export type ResultArchive = { readonly jobId: string; readonly archived: number };

export type PageBounds = {
  readonly from: Position;
  /** Elements at most. */
  readonly limit: number;
  /** Characters of JSON text at most, not counting the first `least` elements. */
  readonly mostChars: number;
  readonly least: 0 | 1;
};

/** Elements in their order with their positions; `next` is the start of the following page, `more` whether that has any element now. */
export type ResultPage = {
  readonly elements: readonly unknown[];
  readonly positions: readonly Position[];
  readonly next: Position;
  readonly more: boolean;
};

type ReaderParts = { readonly db: Db; readonly objects: Objects | null };

/** Reads results piece by piece; throws `result_expired` where a piece has been deleted or is damaged. */
export class ResultReader {
  readonly #db: Db;
  readonly #objects: Objects | null;

  constructor({ db, objects }: ReaderParts) {
    this.#db = db;
    this.#objects = objects;
  }

  /** The body of a result as JSON text, with an empty list in place of its long one. */
  async head(jobId: string): Promise<string> {
    return this.#read(jobId, await this.#find(jobId, HEAD_SEGMENT));
  }

  /** The same, null when it has more than `mostBytes`; then nothing large is read. */
  async readShortHead(jobId: string, mostBytes: number): Promise<string | null> {
    const segment = await this.#find(jobId, HEAD_SEGMENT);
    return segment !== null && segment.bytes > mostBytes ? null : this.#read(jobId, segment);
  }

  async page(
    { jobId, segments }: ResultList,
    { from, limit, mostChars: mostChars, least: least }: PageBounds,
  ): Promise<ResultPage> {
    const elements: unknown[] = [];
    const places: Position[] = [];
    let chars = 0;
    for (let { seq, at } = from; seq <= segments; seq += 1, at = 0) {
      for (const line of listLines(await this.#read(jobId, await this.#find(jobId, seq)), at)) {
        chars += line.length;
        const isFull = elements.length === limit || (chars > mostChars && elements.length >= least);
        if (isFull) return { elements, positions: places, next: { seq, at }, more: true };
        elements.push(JSON.parse(line));
        places.push({ seq, at });
        at += 1;
      }
    }
    // The position at which a list that still grows continues.
    return { elements, positions: places, next: { seq: segments + 1, at: 0 }, more: false };
  }

  /** The positions of elements by their number in the list, from 0; those that are not committed yet are left out. */
  async findPositions(
    { jobId, segments }: ResultList,
    wanted: readonly number[],
  ): Promise<ReadonlyMap<number, Position>> {
    const found = new Map<number, Position>();
    const left = wanted.toSorted((one, other) => one - other);
    const rows = left.length === 0 ? [] : readRows(SegmentCountRow, await this.#db.query(COUNTS, [jobId, segments]));
    let before = 0;
    for (const { seq, items } of rows) {
      while (left[0] !== undefined && left[0] < before + items) {
        const ordinal = left.shift() ?? before;
        found.set(ordinal, { seq, at: ordinal - before });
      }
      before += items;
    }
    return found;
  }

  /** The whole list as JSON Lines, a segment at a time, at the pace of the reader. */
  async *readLines({ jobId, segments }: ResultList): AsyncGenerator<string, void> {
    for (let { seq } = START; seq <= segments; seq += 1) yield await this.#read(jobId, await this.#find(jobId, seq));
  }

  /** The whole archive except the record at its head, a piece at a time, at the pace of the reader. */
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
  return new ServiceError('result_expired', `a part of the result of ${jobId} is not kept any more`);
}

/** The lines of a text from the one at `from` on; each ends with a line feed. */
function* listLines(text: string, from: number): Generator<string> {
  let start = 0;
  for (let at = 0; start < text.length; at += 1) {
    const end = text.indexOf('\n', start);
    if (at >= from) yield text.slice(start, end);
    start = end + 1;
  }
}
