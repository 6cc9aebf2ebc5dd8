import type { FastifyInstance } from 'fastify';
import type { Operation } from '#engine/operation.ts';

export async function addDocs(server: FastifyInstance, operations: readonly Operation[]): Promise<void> {}
