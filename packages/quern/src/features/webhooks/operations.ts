import { z } from 'zod';
import { declareControl, declareRawControl } from '#engine/call/operation.ts';
import { nameSchema } from '#extract/schema/names.ts';
import { DeliveryRecord } from './delivery-log.ts';

const EXAMPLE_ID = 'dlv_01kat6v3g5f2q8r9s0tvwxyzab';

const Id = z.string().min(1).max(100).describe('The id of the delivery');

export const showDelivery = declareControl({
  id: 'deliveries.show',
  clientName: 'getDelivery',
  route: 'GET /v1/deliveries/{id}',
  summary: 'One delivery with its attempts',
  errors: ['not_found'],
  input: z.strictObject({ id: Id }),
  output: nameSchema(
    'DeliveryDetails',
    DeliveryRecord.extend({
      request: z
        .object({ method: z.literal('POST'), headers: z.record(z.string(), z.string()), body: z.string() })
        .describe('The request; its time and signature differ by attempt, and your own headers are masked'),
    }),
  ),
  example: { id: EXAMPLE_ID },
});

export const redeliverOne = declareRawControl({
  id: 'deliveries.redeliver',
  clientName: 'redeliver',
  route: 'POST /v1/deliveries/{id}/redeliver',
  summary: 'Send an event again, with the same webhook-id and a new round of attempts',
  errors: ['not_found'],
  input: z.strictObject({ id: Id }),
  output: DeliveryRecord,
  successes: [{ status: 202, meaning: 'The delivery, which is sent immediately', type: 'application/json' }],
  example: { id: EXAMPLE_ID },
});
