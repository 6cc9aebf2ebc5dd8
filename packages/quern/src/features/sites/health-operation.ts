import { z } from 'zod';
import { declareControl } from '#engine/call/operation.ts';
import { named } from '#extract/schema/names.ts';
import { LEVELS } from './health.ts';

export const showSites = declareControl({
  id: 'admin.sites',
  clientName: 'listSiteHealth',
  route: 'GET /v1/admin/sites',
  summary: 'The endpoints of known sites, searches and answers, and how they do',
  errors: [],
  audience: 'operator',
  input: z.strictObject({}),
  output: z.object({
    data: z
      .array(
        named(
          'SiteHealth',
          z.object({
            endpoint: z.string(),
            site: z.string(),
            domains: z.array(z.string()).readonly().describe('The domains that it reads; none where backends answer'),
            verified: z
              .boolean()
              .nullable()
              .describe(
                'Whether it was proven on a page that the site sent; null where backends of the operator answer',
              ),
            served: z.int().describe('Calls that were answered'),
            level: z.enum([...LEVELS, 'unused']).describe('How its late calls went; unused where it was never asked'),
            source: z.string().nullable().describe('What its last record was read from'),
            last_success_at: z.string().nullable(),
            last_failure_at: z.string().nullable(),
            last_failure: z.string().nullable().describe('The code'),
            failed_in_row: z.int(),
            empty_in_row: z.int(),
            fill: z.record(z.string(), z.number()).describe('Share of late answers that had something at each path'),
          }),
        ),
      )
      .readonly(),
  }),
  example: {},
});
