import type { Operation } from '#engine/operation.ts';

export function toOpenApi(operations: readonly Operation[]) {
  return { openapi: '3.1.0', n: operations.length };
}
