import { z } from 'zod';
import type { EndpointSource } from '#sites/framework/endpoint.ts';
import type { RepoInput } from './repo-input.ts';
import { RepoSummary } from './repo-summary.ts';

/** A repository with what only its own page or answer has. */
const RepoRecord = RepoSummary.extend({
  watchers: z.int().min(0).nullable().describe('People who are told of what happens there; stars are no watchers'),
  parent_full_name: z.string().nullable().describe('Of a fork, where it was made from'),
});

export const RepoAnswer = z.object({ repo: RepoRecord });

export type RepoSource = EndpointSource<typeof RepoInput, typeof RepoAnswer>;
