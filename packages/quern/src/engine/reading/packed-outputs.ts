import type { PageReading } from '#extract/reading.ts';
import { leastJsonBytes } from '#extract/json/size.ts';
import { JsonBytes } from '#extract/json/json-bytes.ts';

/** Outputs that nothing but the answer needs. */
const PACKABLE_OUTPUTS = [
  'markdown',
  'text',
  'html',
  'raw_html',
  'links',
  'images',
  'tables',
  'structured_data',
] as const;

/** From here on serializing an output holds up the event loop longer than handing over its bytes. */
const MIN_PACKED_BYTES = 64 * 1024;

type Outputs = PageReading['outputs'];
type PackableOutputs = Pick<Outputs, (typeof PACKABLE_OUTPUTS)[number]>;
type PackedOutputs = { readonly [Name in keyof PackableOutputs]: PackableOutputs[Name] | JsonBytes };

/** A reading whose large outputs are serialized already. */
export type PackedReading = Omit<PageReading, 'outputs'> & {
  readonly outputs: Omit<Outputs, keyof PackableOutputs> & PackedOutputs;
};

/** What crosses from the thread: the outputs that stay as they are, and the bytes of the others. */
export type TransferredReading = {
  readonly reading: PageReading;
  readonly packed: Readonly<Record<string, Uint8Array<ArrayBuffer>>>;
};

/** For the thread: serializes the large outputs of a page. */
export function packOutputs(reading: PageReading): TransferredReading {
  const outputs: Record<string, unknown> = { ...reading.outputs };
  const packed: Record<string, Uint8Array<ArrayBuffer>> = {};
  for (const name of PACKABLE_OUTPUTS) {
    const value = outputs[name];
    if (value === undefined || leastJsonBytes(value, MIN_PACKED_BYTES) <= MIN_PACKED_BYTES) continue;
    packed[name] = new TextEncoder().encode(JSON.stringify(value));
    delete outputs[name];
  }
  return { reading: { ...reading, outputs }, packed };
}

/** For the main thread: all outputs again, the serialized ones behind the others. */
export function unpackOutputs({ reading, packed }: TransferredReading): PackedReading {
  const members = Object.entries(packed).map(([name, bytes]) => [name, new JsonBytes(bytes)]);
  return { ...reading, outputs: { ...reading.outputs, ...Object.fromEntries(members) } };
}
