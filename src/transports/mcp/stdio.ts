import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { Operation } from '#engine/call/operation.ts';
import { buildCatalog, openServer } from './server.ts';
import type { AskOperation } from './tool.ts';

export type StdioParts = {
  readonly version: string;
  readonly operations: readonly Operation[];
  readonly ask: AskOperation;
};

/** Answers MCP on standard input and output; resolves when the client has closed them. */
export async function openStdio({ version, operations, ask }: StdioParts): Promise<void> {
  const closed = Promise.withResolvers<void>();
  const server = openServer({ version, catalog: buildCatalog(operations), ask, textAlone: null });
  server.onclose = closed.resolve;
  // The transport does not look for the end of its input.
  process.stdin.once('end', () => void server.close());
  process.stdin.once('close', () => void server.close());
  await server.connect(new StdioServerTransport());
  await closed.promise;
}
