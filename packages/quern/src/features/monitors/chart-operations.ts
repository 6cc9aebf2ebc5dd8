import { z } from 'zod';
import { declareControl } from '#engine/call/operation.ts';
import { wholeNumber } from '#extract/schema/whole-number.ts';
import { nameSchema } from '#extract/schema/names.ts';
import { EXAMPLE_ID } from './schemas.ts';

const instant = z.iso.datetime().transform((text) => Date.parse(text));

export const monitorSeries = declareControl({
  id: 'monitors.series',
  clientName: 'getMonitorSeries',
  route: 'GET /v1/monitors/{id}/series',
  summary: 'Numbers observed by a monitor over time, reduced to few points for a chart',
  errors: ['not_found'],
  input: z.strictObject({
    id: z.string().min(1).max(100).describe('The id of the monitor'),
    field: z
      .string()
      .min(1)
      .max(500)
      .optional()
      .describe('Only the field with this path, such as price or offers.0.price'),
    from: instant.optional().describe('Earliest time, ISO 8601 UTC; default 90 days ago'),
    to: instant.optional().describe('Latest time, ISO 8601 UTC'),
    points: wholeNumber(1, 1000).default(300).describe('Maximum number of points per field'),
  }),
  output: nameSchema(
    'MonitorSeries',
    z.object({
      monitor_id: z.string(),
      from: z.iso.datetime().describe('Time of the oldest run included'),
      to: z.iso.datetime(),
      fields: z
        .array(
          z.object({
            field: z.string(),
            unit: z.string().nullable().describe('Currency, for money'),
            points: z
              .array(
                z.object({
                  at: z.iso.datetime(),
                  value: z.number().describe('Value of the last run of this point'),
                  min: z.number(),
                  max: z.number(),
                }),
              )
              .readonly(),
          }),
        )
        .readonly(),
      marks: z
        .array(
          z.object({
            at: z.iso.datetime(),
            kind: z.enum(['change', 'failed', 'skipped', 'reset']),
            run_id: z.string(),
          }),
        )
        .readonly()
        .describe('The last thousand runs that found a change, failed or were skipped, or restarted the comparison'),
      cut: z.boolean().describe('Whether older runs were omitted'),
    }),
  ),
  example: { id: EXAMPLE_ID, points: 100 },
});

export const previewSchedule = declareControl({
  id: 'schedule',
  clientName: 'previewSchedule',
  route: 'GET /v1/schedule',
  summary: 'Next run times of a cron expression in a time zone, and whether your plan allows it',
  errors: [],
  input: z.strictObject({
    cron: z.string().min(1).max(200).describe('Five fields, such as 0 9 * * 1-5'),
    timezone: z.string().max(64).default('UTC').describe('IANA name, such as Europe/Berlin'),
    count: wholeNumber(1, 20).default(5).describe('Number of times to return'),
  }),
  output: z.object({
    cron: z.string(),
    timezone: z.string(),
    next: z.array(z.iso.datetime()).readonly(),
    local: z.array(z.string()).readonly().describe('The same times in the time zone, such as 2026-11-24 09:00'),
    shortest_gap_minutes: z.number().nullable().describe('Null if there is only one run'),
    allowed: z.boolean().describe('Whether your plan allows such a short interval'),
  }),
  example: { cron: '0 9 * * 1-5', timezone: 'Europe/Berlin' },
});
