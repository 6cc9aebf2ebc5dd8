import { z } from 'zod';
import { notFound, unusable } from '#features/sites/answers.ts';
import { tryParse } from '#extract/values/json.ts';
import { at, line, text } from '#extract/values/raw.ts';
import { codehost } from './site.ts';

export const topic = codehost({
  path: '/topic',
  summary: 'A topic and its name',
  input: z.object({ id: z.string().min(1).max(100).describe('The word that names it') }),
  record: z.object({ topic: z.object({ id: z.string(), name: z.string().nullable() }) }),
  expected: ['topic.name'],
  canary: { id: '1' },
  request: ({ id }) => ({ origin: 'web', path: `/topics/${encodeURIComponent(id)}` }),
  parse(page, { id }) {
    if (page.body === 'null') return notFound('there is no such topic');
    const raw = tryParse(page.body);
    if (text(at(raw, 'id')) !== id) return unusable('the id asked for');
    return { topic: { id, name: line(at(raw, 'name')) } };
  },
});
