import { Extract } from '#extract/grammar.ts';
import type { JobInput } from '../job-record.ts';
import type { Operation } from '../operation.ts';
import { z } from 'zod';
import type { Observation } from './observation.ts';
import { shapesOfExtract, shapesOfOutput } from './shapes.ts';
import type { Shapes } from './shapes.ts';
import type { Watch } from './watch.ts';

export function observe(call: {
  readonly operation: Operation;
  readonly input: unknown;
  readonly body: JobInput;
  readonly watch: Watch;
}): { readonly observation: Observation; readonly shapes: Shapes } {
  const input = z.record(z.string(), z.unknown()).parse(call.input);
  const extract = input['extract'];
  const json = z.record(z.string(), z.unknown()).parse(call.body['json'] ?? {});
  const shapes =
    extract === undefined
      ? shapesOfOutput(z.toJSONSchema(call.operation.output, { unrepresentable: 'any' }))
      : shapesOfExtract(Extract.parse(extract));
  return { observation: { values: json, field_meta: {}, content: null }, shapes };
}
