import { z } from 'zod';
import type { CommandView } from '#engine/call/command-view.ts';

const Step = z.looseObject({
  index: z.number(),
  type: z.string(),
  status: z.string(),
  duration_ms: z.number(),
  url: z.string(),
  error: z.looseObject({ message: z.string() }).optional(),
  downloads: z.array(z.looseObject({ id: z.string(), name: z.string(), bytes: z.number() })).default([]),
});

/** `quern interact`: each step when it ends, then the answer without the steps. */
export const INTERACT_VIEW: CommandView = {
  steps: {
    list: 'steps',
    isUndone: ({ completed }) => completed === false,
    fileMember: 'actions',
    toLine(step) {
      const { index, type, status, duration_ms: ms, url, error, downloads } = Step.parse(step);
      const files = downloads.map(({ id, name, bytes }) => `; ${name} (${bytes} bytes): quern artifact ${id}`);
      return `${index} ${type} ${status} ${ms} ms ${error === undefined ? url : error.message}${files.join('')}`;
    },
  },
};
