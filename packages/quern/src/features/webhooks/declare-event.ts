import { z } from 'zod';
import type { EventType } from './schema.ts';

/** An event type as documented: the body of its deliveries. */
export type EventDeclaration = {
  readonly type: EventType;
  readonly summary: string;
  /** Schema of the whole body. */
  readonly schema: z.ZodType;
  readonly example: Readonly<Record<string, unknown>>;
};

type EventParts<A extends z.ZodRawShape, D extends z.ZodType> = {
  readonly type: EventType;
  readonly summary: string;
  /** The fields that identify the subject of the event. */
  readonly about: A;
  readonly data: D;
  readonly example: { readonly about: Readonly<Record<string, unknown>>; readonly data: z.input<D> };
};

/** Declares an event type by its own fields. `toEnvelope` adds the common ones when an event is sent. */
export function declareEvent<A extends z.ZodRawShape, D extends z.ZodType>({
  type,
  summary,
  about,
  data,
  example,
}: EventParts<A, D>): EventDeclaration {
  const schema = z.object({
    id: z.string().describe('Equals webhook-id; the same for every attempt'),
    type: z.literal(type),
    timestamp: z.iso.datetime().describe('When it happened'),
    api_version: z.string(),
    ...about,
    truncated: z.literal(true).optional().describe('The body was too long: lists and texts in data are truncated'),
    url: z.string().optional().describe('If truncated: path of the complete record'),
    data,
  });
  const head = {
    id: 'evt_01kat6v3g5f2q8r9s0tvwxyzab',
    type,
    timestamp: '2026-11-21T12:00:00.000Z',
    api_version: '1.0.0',
  };
  return { type, summary, schema, example: { ...head, ...example.about, data: example.data } };
}
