import { failed, PROTOCOL } from '#access/failure.ts';
import type { ServiceError } from '#kernel/errors.ts';

export const MALFORMED = 'the target sent a malformed answer';

/** The head of an HTTP/1 answer, each byte of it one character. */
export type TolerantHead = {
  readonly status: number;
  readonly reason: string;
  /** Names and values in turn, as written, without the white space around them. */
  readonly fields: readonly string[];
};

type AnswerHandler = {
  /** Called with each head, those of interim answers included. */
  readonly onHead: (head: TolerantHead) => void;
  readonly onData: (piece: Buffer) => void;
};

/** What the reader waits for next. */
type Awaited = 'head' | 'bytes' | 'rest' | 'chunk size' | 'chunk' | 'chunk end' | 'trailer' | 'nothing';

const LF = 0x0a;
const CR = 0x0d;
/** The longest line between two chunks. */
const MAX_LINE_BYTES = 4096;

/**
 * Reads one HTTP/1 answer as browsers do: lines that end with a bare line feed, folded lines, white space before a colon,
 * lines that are no field, a length beside chunks, a length that is repeated or is no number, a coding that is not known.
 * Two different lengths, a NUL and what does not begin as HTTP are refused.
 */
export class AnswerReader {
  readonly #handler: AnswerHandler;
  readonly #maxHeadBytes: number;
  #awaited: Awaited = 'head';
  /** The pieces of a head or line that is not complete. */
  #pieces: Buffer[] = [];
  #bytes = 0;
  /** Characters of the last line so far, carriage returns aside. */
  #lineChars = 0;
  /** Whether the status line of a head was read. */
  #isBegun = false;
  /** Bytes that are left of the body or chunk. */
  #left = 0;

  constructor(handler: AnswerHandler, maxHeadBytes: number) {
    this.#handler = handler;
    this.#maxHeadBytes = maxHeadBytes;
  }

  /** Whether the answer is complete. */
  get isComplete(): boolean {
    return this.#awaited === 'nothing';
  }

  /** Reads on; bytes after a complete answer are dropped. Throws `unusable_response`. */
  push(chunk: Buffer): void {
    let rest = chunk;
    while (rest.byteLength > 0 && this.#awaited !== 'nothing') rest = this.#take(rest);
  }

  /** Ends the answer with its connection; tells whether it is complete. */
  end(): boolean {
    if (this.#awaited === 'rest') this.#awaited = 'nothing';
    return this.isComplete;
  }

  #take(bytes: Buffer): Buffer {
    switch (this.#awaited) {
      case 'head':
        return this.#takeHead(bytes);
      case 'bytes':
      case 'chunk':
        return this.#takeCounted(bytes);
      case 'rest':
        this.#handler.onData(bytes);
        return bytes.subarray(bytes.byteLength);
      default:
        return this.#takeLine(bytes);
    }
  }

  /** Takes bytes up to the blank line after a head; blank lines before it are skipped. */
  #takeHead(bytes: Buffer): Buffer {
    for (let at = 0; at < bytes.byteLength; at += 1) {
      const byte = bytes[at];
      if (byte !== LF) {
        if (byte !== CR) this.#lineChars += 1;
        continue;
      }
      const isBlank = this.#lineChars === 0;
      this.#lineChars = 0;
      if (!isBlank && !this.#isBegun) this.#begin(bytes.subarray(0, at));
      if (!isBlank) continue;
      const head = this.#join(bytes.subarray(0, at + 1)).toString('latin1');
      if (head.trim() !== '') this.#onHead(head);
      return bytes.subarray(at + 1);
    }
    return this.#keep(bytes, this.#maxHeadBytes);
  }

  /** Refuses what does not begin as HTTP without waiting for a blank line. */
  #begin(last: Buffer): void {
    const line = Buffer.concat([...this.#pieces, last])
      .toString('latin1')
      .trim();
    if (!STATUS_LINE.test(line)) throw malformed(PROTOCOL);
    this.#isBegun = true;
  }

  #takeCounted(bytes: Buffer): Buffer {
    const piece = bytes.subarray(0, this.#left);
    this.#left -= piece.byteLength;
    this.#handler.onData(piece);
    if (this.#left === 0) this.#awaited = this.#awaited === 'chunk' ? 'chunk end' : 'nothing';
    return bytes.subarray(piece.byteLength);
  }

  #takeLine(bytes: Buffer): Buffer {
    const end = bytes.indexOf(LF);
    if (end < 0) return this.#keep(bytes, MAX_LINE_BYTES);
    this.#onLine(this.#join(bytes.subarray(0, end)).toString('latin1').trim());
    return bytes.subarray(end + 1);
  }

  #onLine(line: string): void {
    if (this.#awaited === 'trailer') {
      if (line === '') this.#awaited = 'nothing';
      return;
    }
    if (this.#awaited === 'chunk end') {
      if (line !== '') throw malformed(PROTOCOL);
      this.#awaited = 'chunk size';
      return;
    }
    const size = /^[\da-f]{1,13}(?=\s*(?:;|$))/i.exec(line)?.[0];
    if (size === undefined) throw malformed(PROTOCOL);
    this.#left = Number.parseInt(size, 16);
    this.#awaited = this.#left === 0 ? 'trailer' : 'chunk';
  }

  #onHead(text: string): void {
    const head = readHead(text);
    this.#isBegun = false;
    this.#handler.onHead(head);
    if (head.status === 101) throw malformed(PROTOCOL);
    if (head.status < 200) return;
    this.#awaited = this.#bodyOf(head);
  }

  /** What comes after a head (RFC 9112 section 6.3). */
  #bodyOf({ status, fields }: TolerantHead): Awaited {
    if (status === 204 || status === 304) return 'nothing';
    if (listOf(fields, 'transfer-encoding').some((coding) => coding.toLowerCase() === 'chunked')) return 'chunk size';
    const lengths = listOf(fields, 'content-length');
    if (lengths.length === 0 || !lengths.every((one) => /^\d{1,15}$/.test(one))) return 'rest';
    const [length = 0, ...others] = new Set(lengths.map(Number));
    if (others.length > 0) throw malformed('lengths');
    this.#left = length;
    return length === 0 ? 'nothing' : 'bytes';
  }

  #keep(bytes: Buffer, maxBytes: number): Buffer {
    this.#pieces.push(bytes);
    this.#bytes += bytes.byteLength;
    if (this.#bytes > maxBytes) throw malformed(this.#awaited === 'head' ? 'header_bytes' : PROTOCOL);
    return bytes.subarray(bytes.byteLength);
  }

  #join(last: Buffer): Buffer {
    const whole = this.#pieces.length === 0 ? last : Buffer.concat([...this.#pieces, last]);
    this.#pieces = [];
    this.#bytes = 0;
    if (this.#awaited === 'head' && whole.byteLength > this.#maxHeadBytes) throw malformed('header_bytes');
    return whole;
  }
}

/** A status line; as browsers do, up to four bytes before it are forgiven, and a version of any form. */
const STATUS_LINE = /^[^\n]{0,4}?HTTP(?:\/\d+(?:\.\d+)?)?[ \t]+(\d{3})(?!\d)[ \t]*(.*)$/i;

function readHead(text: string): TolerantHead {
  if (text.includes('\0')) throw malformed(PROTOCOL);
  const [first = '', ...lines] = text.trim().split(/\r*\n/);
  const [, status, reason = ''] = STATUS_LINE.exec(first) ?? [];
  if (status === undefined || Number(status) < 100) throw malformed(PROTOCOL);
  const fields: string[] = [];
  for (const line of lines) {
    if (/^[ \t]/.test(line)) {
      if (fields.length > 0) fields.push(`${fields.pop() ?? ''} ${toValue(line)}`);
      continue;
    }
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).trim();
    if (colon > 0 && NAME.test(name)) fields.push(name, toValue(line.slice(colon + 1)));
  }
  return { status: Number(status), reason: toValue(reason), fields };
}

/** A name of a field (RFC 9110 section 5.6.2). */
const NAME = /^[!#$%&'*+.^_`|~\w-]+$/;

/** A value without control characters, which no field may have. */
function toValue(text: string): string {
  // eslint-disable-next-line no-control-regex
  return text.replace(/[\u0001-\u0008\u000a-\u001f\u007f]/g, ' ').trim();
}

/** The members of a list that stands in one field or in several of a name. */
function listOf(fields: readonly string[], name: string): readonly string[] {
  const values = fields.filter((_, at) => at % 2 === 1 && fields[at - 1]?.toLowerCase() === name);
  return values.flatMap((value) => value.split(',')).map((one) => one.trim());
}

function malformed(reason: string): ServiceError {
  return failed('unusable', MALFORMED, { reason, isPermanent: true });
}
