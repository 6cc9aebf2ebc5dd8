import { once } from 'node:events';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { Operation } from '#engine/call/operation.ts';
import { buildCatalog, openServer } from './server.ts';
import type { AskOperation } from './tool.ts';

export type StdioParts = {
  readonly version: string;
  readonly operations: readonly Operation[];
  readonly ask: AskOperation;
  /** Ends the connection. */
  readonly signal: AbortSignal;
};

/** Answers MCP on standard input and output, until the client closes them or the signal fires. */
export async function serveStdio({ version, operations, ask, signal }: StdioParts): Promise<void> {
  const server = openServer({ version, catalog: buildCatalog(operations), ask, textAlone: null });
  // The transport does not look for the end of its input.
  const ended = Promise.race([
    once(process.stdin, 'end'),
    once(process.stdin, 'close'),
    ...(signal.aborted ? [] : [once(signal, 'abort')]),
  ]);
  await server.connect(new StdioServerTransport());
  if (!signal.aborted) await ended;
  await server.close();
}
