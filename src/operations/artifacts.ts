import { z } from 'zod';
import { ARTIFACT_TYPES } from '#engine/artifacts.ts';
import { defineReplies } from '#engine/operation.ts';

const ENDINGS: Readonly<Record<(typeof ARTIFACT_TYPES)[number], string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
  'application/pdf': 'pdf',
};

export const artifact = defineReplies({
  id: 'artifact',
  route: 'GET /v1/artifacts/{id}',
  summary: 'The bytes of a screenshot or PDF',
  errors: ['not_found', 'result_expired'],
  input: z.strictObject({ id: z.string().min(1).max(100).describe('The id of the artifact') }),
  output: z.looseObject({}),
  successes: ARTIFACT_TYPES.map((type) => ({ status: 200 as const, meaning: `The file, as ${type}`, type })),
  example: { id: 'art_01kat6v3g5f2q8r9s0tvwxyzab' },
  async run({ id }, { caller, artifacts }) {
    const { contentType, bytes, pieces } = await artifacts.find(caller.tenant, id);
    return {
      status: 200,
      headers: {
        'content-disposition': `attachment; filename="${id}.${ENDINGS[contentType]}"`,
        'content-length': String(bytes),
      },
      body: null,
      stream: { type: contentType, pieces },
    };
  },
});
