import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { routedOperations } from '#compose/registry.ts';
import { explain } from '#features/explain/operation.ts';
import { buildCommandSpecs } from '#transports/cli/catalogue.ts';

// Writes the list of commands for help and completion, so that these need not load the operations.
const file = join(import.meta.dirname, '../packages/quern/src/transports/cli/catalogue.json');
const lines = buildCommandSpecs(routedOperations, explain).map((command) => JSON.stringify(command));
writeFileSync(file, `[\n${lines.join(',\n')}\n]\n`);
process.stderr.write(`wrote ${lines.length} commands to ${file}\n`);
