import { Ajv2020 } from 'ajv/dist/2020.js';
import { z } from 'zod';
import { allOperations } from '#compose/registry.ts';
import { buildOpenApi } from '#transports/http/openapi.ts';

/** A recorded response. */
export type RecordedResponse = {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly body: unknown;
};

const Response = z.looseObject({
  $ref: z.string().optional(),
  content: z.record(z.string(), z.looseObject({ schema: z.record(z.string(), z.unknown()) })).optional(),
});
const Document = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), z.looseObject({ responses: z.record(z.string(), Response) }))),
  components: z.looseObject({ responses: z.record(z.string(), Response) }),
});

/** Differences between responses and the OpenAPI document, by call; empty lists if there are none. */
export function listResponseProblems(
  answers: readonly RecordedResponse[],
): Readonly<Record<string, readonly unknown[]>> {
  const document = buildOpenApi(allOperations);
  const { paths, components } = Document.parse(document);
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(document, 'quern');
  const problems: Record<string, unknown[]> = {};
  for (const { method, path, status, body } of answers) {
    const template = Object.keys(paths).find((one) => toPattern(one).test(path)) ?? path;
    const found = paths[template]?.[method.toLowerCase()]?.responses[status];
    const response = found?.$ref === undefined ? found : components.responses[found.$ref.split('/').at(-1) ?? ''];
    const schema = JSON.stringify(response?.content?.['application/json']?.schema ?? false);
    const validate = ajv.compile(JSON.parse(schema.replaceAll('"#/', '"quern#/')));
    validate(body);
    (problems[`${method} ${template} ${status}`] ??= []).push(...(validate.errors ?? []));
  }
  return problems;
}

/** Path parameters match one segment; literal segments take precedence. */
function toPattern(template: string): RegExp {
  return new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
}
