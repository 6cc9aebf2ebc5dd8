import { sha256 } from '@noble/hashes/sha2.js';
/** The exports of `node.ts` for browsers and workers, which have no modules of Node. */
import * as cssSelect from 'css-select';
import * as cssWhat from 'css-what';
import { Inflate } from 'fflate';
import fontoxpath from 'fontoxpath';
import * as jsonP3 from 'json-p3';
import * as re2js from 're2js';
import type { TokenizerParts } from './node.ts';

/** `String.fromCharCode` takes one argument for each character, and engines limit their number. */
const CHUNK_LENGTH = 8192;

const LIBRARIES = { 'css-select': cssSelect, 'css-what': cssWhat, fontoxpath, 'json-p3': jsonP3, re2js };

/** A bundle contains the libraries for selectors and patterns; there is no synchronous way to load them later. */
export function loadLibrary<Name extends keyof typeof LIBRARIES>(name: Name): (typeof LIBRARIES)[Name] {
  return LIBRARIES[name];
}

/** Always throws: the tables of a tokenizer are too large for a bundle. Chunks are counted in characters instead. */
export function loadTokenizer(name: string): TokenizerParts {
  throw new TypeError(`chunking.tokenizer: ${name} is not available in browsers; use characters`);
}

export function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

export function decodeLatin1(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += CHUNK_LENGTH)
    text += String.fromCharCode(...bytes.subarray(at, at + CHUNK_LENGTH));
  return text;
}

export function decodeBase64(text: string): Uint8Array<ArrayBuffer> {
  const plain = text
    .replaceAll('-', '+')
    .replaceAll('_', '/')
    .replaceAll(/[^\w+/]/g, '');
  // A single character at the end carries no whole byte.
  const whole = plain.length % 4 === 1 ? plain.slice(0, -1) : plain;
  return Uint8Array.from(atob(whole), (character) => character.charCodeAt(0));
}

export function computeSha256(text: string): string {
  const digest = String.fromCharCode(...sha256(new TextEncoder().encode(text)));
  return btoa(digest).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

export function includesByte(bytes: Uint8Array, byte: number): boolean {
  return bytes.includes(byte);
}

export function countUtf8Bytes(text: string): number {
  return new TextEncoder().encode(text).length;
}

export function copyText(text: string): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(new TextEncoder().encode(text));
}

export function inflateRaw(bytes: Uint8Array, maxBytes: number): Uint8Array {
  const chunks: Uint8Array[] = [];
  let length = 0;
  let isDone = false;
  const stream = new Inflate((chunk, isLast) => {
    length += chunk.length;
    if (length > maxBytes) throw new RangeError(`the data unpacks to more than ${maxBytes} bytes`);
    chunks.push(chunk.slice());
    isDone = isLast;
  });
  stream.push(bytes, true);
  if (!isDone) throw new Error('the data ends too early');
  const all = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}

/** Elapsed time: browsers do not report CPU time. */
export function measureCpuMs(): number {
  return performance.now();
}

export function toMammothInput(bytes: Uint8Array<ArrayBuffer>): { readonly arrayBuffer: ArrayBuffer } {
  return { arrayBuffer: bytes.slice().buffer };
}
