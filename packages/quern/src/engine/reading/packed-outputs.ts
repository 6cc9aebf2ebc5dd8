import type { PageReading } from '#extract/reading.ts';
import { estimateMinJsonBytes, JsonBytes } from '#extract/json/size.ts';

/** Outputs that are only needed for the response. */
const PACKABLE_OUTPUTS = [
  'markdown',
  'text',
  'html',
  'raw_html',
  'links',
  'images',
  'tables',
  'structured_data',
  'attributes',
  'chunks',
] as const;

/** From this size on, serializing an output in the thread saves time on the event loop. */
const MIN_PACKED_BYTES = 64 * 1024;

type Outputs = PageReading['outputs'];
type PackableOutputs = Pick<Outputs, (typeof PACKABLE_OUTPUTS)[number]>;
type PackedOutputs = { readonly [Name in keyof PackableOutputs]: PackableOutputs[Name] | JsonBytes };

/** A parsed page whose large outputs are already serialized. */
export type PackedReading = Omit<PageReading, 'outputs'> & {
  readonly outputs: Omit<Outputs, keyof PackableOutputs> & PackedOutputs;
};

/** A parsed page as sent from the thread: plain outputs, and the bytes of serialized ones. */
export type TransferredReading = {
  readonly reading: PageReading;
  readonly packed: Readonly<Record<string, Uint8Array<ArrayBuffer>>>;
};

/** Serializes the large outputs of a page, in the thread. */
export function packOutputs(reading: PageReading): TransferredReading {
  const outputs: Record<string, unknown> = { ...reading.outputs };
  const packed: Record<string, Uint8Array<ArrayBuffer>> = {};
  for (const name of PACKABLE_OUTPUTS) {
    const value = outputs[name];
    if (value === undefined || estimateMinJsonBytes(value, MIN_PACKED_BYTES) <= MIN_PACKED_BYTES) continue;
    packed[name] = new TextEncoder().encode(JSON.stringify(value));
    delete outputs[name];
  }
  return { reading: { ...reading, outputs }, packed };
}

/** Restores all outputs in the main thread, with the serialized ones last. */
export function unpackOutputs({ reading, packed }: TransferredReading): PackedReading {
  const members = Object.entries(packed).map(([name, bytes]) => [name, new JsonBytes(bytes)]);
  return { ...reading, outputs: { ...reading.outputs, ...Object.fromEntries(members) } };
}
