/**
 * What differs between JavaScript runtimes: this module serves Node, Deno and Bun. `browser.ts` has the same exports for
 * browsers and workers; bundlers choose it by the field `browser` of package.json.
 */
import { Buffer, isUtf8 } from 'node:buffer';
import { hash } from 'node:crypto';
import { createRequire } from 'node:module';
import { inflateRawSync } from 'node:zlib';

/** Whether bytes are well-formed UTF-8. */
export { isUtf8 };

type Libraries = {
  readonly 'css-select': typeof import('css-select');
  readonly 'css-what': typeof import('css-what');
  readonly fontoxpath: typeof import('fontoxpath');
  readonly 'json-p3': typeof import('json-p3');
  readonly re2js: typeof import('re2js');
};

/**
 * A library for selectors and patterns of callers, loaded by its first use. Together they cost tens of megabytes in each
 * thread, and most services never see a selector. Selecting is synchronous, so they are loaded with `require`.
 */
export const loadLibrary: <Name extends keyof Libraries>(name: Name) => Libraries[Name] = createRequire(
  import.meta.url,
);

/** How a tokenizer counts the tokens of a text, and the pattern that splits a text into pieces without common tokens. */
export type TokenizerParts = { readonly count: (text: string) => number; readonly pieces: RegExp };

type TokenizerLibrary = {
  readonly api: typeof import('gpt-tokenizer/GptEncoding');
  readonly patterns: typeof import('gpt-tokenizer/encodingParams/constants');
};

/** Loads a tokenizer by its name: some 40 MiB in each thread that counts tokens with it. */
export function loadTokenizer(name: 'o200k_base' | 'cl100k_base'): TokenizerParts {
  const load = createRequire(import.meta.url);
  const { GptEncoding }: TokenizerLibrary['api'] = load('gpt-tokenizer/GptEncoding');
  const patterns: TokenizerLibrary['patterns'] = load('gpt-tokenizer/encodingParams/constants');
  const ranks: { default: readonly (string | readonly number[])[] } = load(`gpt-tokenizer/bpeRanks/${name}`);
  const encoding = GptEncoding.getEncodingApi(name, () => ranks.default);
  // The chunker remembers the counts of pieces itself.
  encoding.setMergeCacheSize(0);
  const asText = { disallowedSpecial: new Set<string>() };
  return {
    count: (text) => encoding.countTokens(text, asText),
    pieces: name === 'o200k_base' ? patterns.O200K_TOKEN_SPLIT_REGEX : patterns.CL100K_TOKEN_SPLIT_REGEX,
  };
}

/** The text of bytes in ISO 8859-1, one character for each byte. */
export function decodeLatin1(bytes: Uint8Array): string {
  return toBuffer(bytes).toString('latin1');
}

/** The bytes of a text in base64. Characters outside of its alphabet are ignored. */
export function decodeBase64(text: string): Uint8Array<ArrayBuffer> {
  return Buffer.from(text, 'base64');
}

/** The SHA-256 of a text in UTF-8, in base64url. */
export function computeSha256(text: string): string {
  return hash('sha256', text, 'base64url');
}

export function includesByte(bytes: Uint8Array, byte: number): boolean {
  return toBuffer(bytes).includes(byte);
}

/** The length of a text in UTF-8, in bytes. */
export function countUtf8Bytes(text: string): number {
  return Buffer.byteLength(text);
}

/** A copy of a text in memory of its own: a part of a string keeps the whole string in memory. */
export function copyText(text: string): string {
  return Buffer.from(text).toString();
}

/** Unpacks raw DEFLATE (RFC 1951). Throws `RangeError` above `maxBytes`, another `Error` for damaged data. */
export function inflateRaw(bytes: Uint8Array, maxBytes: number): Uint8Array {
  return inflateRawSync(bytes, { maxOutputLength: maxBytes });
}

/**
 * CPU time that this thread has used, ms; other threads do not count. Elapsed time where the runtime cannot tell (Node
 * before version 23.9, Deno, Bun).
 */
export function measureCpuMs(): number {
  if (!('threadCpuUsage' in process)) return performance.now();
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** A Word document in the form that mammoth reads on this platform. */
export function toMammothInput(bytes: Uint8Array<ArrayBuffer>): { readonly buffer: Buffer } {
  return { buffer: toBuffer(bytes) };
}

function toBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
