import { allOperations } from '#compose/registry.ts';
import { toOpenApi } from '#transports/http/openapi.ts';
import { readDocument } from './document.ts';
import { toOperationsModule, toTypesModule } from './typescript.ts';

/** The generated files of the clients with their texts. */
export function toClientFiles(): ReadonlyMap<string, string> {
  const document = readDocument(toOpenApi(allOperations));
  return new Map([
    ['typescript/src/generated/types.ts', toTypesModule(document)],
    ['typescript/src/generated/operations.ts', toOperationsModule(document)],
  ]);
}
