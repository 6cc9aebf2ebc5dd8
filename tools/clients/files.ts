import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { allOperations } from '#compose/registry.ts';
import { buildOpenApi } from '#transports/http/openapi.ts';
import { readDocument } from './document.ts';
import { toPythonModules, toSyncModule } from './python.ts';
import { toOperationsModule, toTypesModule } from './typescript.ts';

const CLIENTS = join(import.meta.dirname, '../../clients');

/** The handwritten asyncio modules, from which the synchronous ones are derived. */
const GENERATED_HEADER = ['caller', 'client'] as const;

/** The generated files of the clients with their texts. */
export function buildClientFiles(): ReadonlyMap<string, string> {
  const document = readDocument(buildOpenApi(allOperations));
  const { routes, types, operations } = toPythonModules(document);
  return new Map([
    ['typescript/src/generated/types.ts', toTypesModule(document)],
    ['typescript/src/generated/operations.ts', toOperationsModule(document)],
    ['python/quern/_types.py', types],
    ['python/quern/_routes.py', routes],
    ['python/quern/_async_operations.py', operations],
    ['python/quern/_sync_operations.py', toSyncModule(operations)],
    ...GENERATED_HEADER.map((name): [string, string] => {
      const written = readFileSync(join(CLIENTS, `python/quern/_async_${name}.py`), 'utf8');
      return [`python/quern/_sync_${name}.py`, toSyncModule(written)];
    }),
  ]);
}
