import { z } from 'zod';
import { declareEvent } from '#features/webhooks/declare-event.ts';
import { JobView } from './job-view.ts';

const EXAMPLE_ID = 'job_01kat6v3g5f2q8r9s0tvwxyzab';

const EXAMPLE_JOB = {
  id: EXAMPLE_ID,
  kind: 'fetch',
  input: { url: 'https://example.com/' },
  progress: { discovered: 1, completed: 1, failed: 0, total: 1 },
  attempt: 1,
  cancel_requested: false,
  created_at: '2026-11-21T11:59:58.000Z',
  started_at: '2026-11-21T11:59:58.100Z',
  finished_at: '2026-11-21T12:00:00.000Z',
  expires_at: '2026-11-28T12:00:00.000Z',
  result_url: `/v1/jobs/${EXAMPLE_ID}/result`,
};

const JobAbout = { job_id: z.string() };

/** The webhook events of jobs. */
export const eventsOfJobs = [
  declareEvent({
    type: 'job.completed',
    summary: 'A job has completed; data is the job without its result',
    about: JobAbout,
    data: JobView,
    example: {
      about: { job_id: EXAMPLE_ID },
      data: {
        ...EXAMPLE_JOB,
        status: 'completed',
        error: null,
        usage: { credits: 2, base: 2, surcharge: 0, tier: 'http' },
      },
    },
  }),
  declareEvent({
    type: 'job.failed',
    summary: 'A job has failed; data is the job',
    about: JobAbout,
    data: JobView,
    example: {
      about: { job_id: EXAMPLE_ID },
      data: {
        ...EXAMPLE_JOB,
        status: 'failed',
        error: { code: 'target_unreachable', message: 'example.com did not answer' },
        usage: null,
      },
    },
  }),
];
