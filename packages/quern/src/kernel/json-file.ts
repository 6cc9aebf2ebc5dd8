import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { OperatorError } from './errors.ts';
import { formatFaults } from './schema-messages.ts';

/**
 * Reads a JSON file of the operator and passes its content to `read`. Throws an `OperatorError` that names the setting, the
 * file and the fault; faults of zod schemas include their path.
 */
export function readJsonFile<T>(
  { setting, file }: { readonly setting: string; readonly file: string },
  read: (given: unknown) => T,
): T {
  try {
    return read(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    throw new OperatorError(`${setting} ${file}: ${formatError(error)}`, { cause: error });
  }
}

function formatError(error: unknown): string {
  if (error instanceof z.ZodError) return formatFaults(error);
  return error instanceof Error ? error.message : String(error);
}
