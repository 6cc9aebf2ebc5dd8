import { z } from 'zod';
import { ARTIFACT_TYPES } from '#engine/results/artifacts.ts';
import { declareRawControl } from '#engine/call/operation.ts';

/** File extensions by content type. */
export const FILE_EXTENSIONS: Readonly<Record<(typeof ARTIFACT_TYPES)[number], string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
  'application/pdf': 'pdf',
  'application/octet-stream': 'bin',
};

export const showArtifact = declareRawControl({
  id: 'artifact',
  clientName: 'getArtifact',
  route: 'GET /v1/artifacts/{id}',
  summary: 'The bytes of a screenshot, PDF or downloaded file',
  errors: ['not_found', 'result_expired'],
  input: z.strictObject({ id: z.string().min(1).max(100).describe('The id of the file') }),
  output: z.looseObject({}),
  successes: ARTIFACT_TYPES.map((type) => ({ status: 200 as const, meaning: `The file, as ${type}`, type })),
  example: { id: 'art_01kat6v3g5f2q8r9s0tvwxyzab' },
  agent: { tool: null, serves: 'file' },
});
