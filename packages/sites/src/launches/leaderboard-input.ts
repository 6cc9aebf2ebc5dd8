import { z } from 'zod';
import { wholeNumber } from '#extract/schema/whole-number.ts';
import { PERIODS } from './term.ts';

export const LeaderboardInput = z.object({
  period: z.enum(PERIODS).default('daily').describe('What a leaderboard is of'),
  date: z.iso.date().optional().describe('Any day of it, Pacific time; the present one unless given'),
  year: wholeNumber(2013, 2099).optional().describe('Instead of date, with month and day, week, or month'),
  month: wholeNumber(1, 12).optional().describe('With year'),
  week: wholeNumber(1, 53).optional().describe('ISO week'),
  day: wholeNumber(1, 31).optional().describe('With year and month'),
  topic: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{0,80}$/, 'is the short name of a topic such as developer-tools')
    .optional()
    .describe('Only launches of this topic'),
  featured: z.boolean().default(false).describe('Only what the site features'),
});

export type LeaderboardInput = z.output<typeof LeaderboardInput>;
