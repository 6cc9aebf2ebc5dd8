import { once } from 'node:events';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { Operation } from '#engine/call/operation.ts';
import { buildToolCatalog, createMcpServer } from '#transports/mcp/server.ts';
import type { CallOperation } from '#transports/mcp/tool.ts';
import type { RunAdministration } from './administration.ts';
import { EXIT } from './exit.ts';

/** What `quern mcp` needs. */
export type McpParts = {
  readonly version: string;
  readonly operations: readonly Operation[];
  readonly ask: CallOperation;
  /** Makes sure that queued jobs are run, here or by the server. */
  readonly work: () => Promise<void>;
  /** Returns the signal that fires when the user interrupts the command. */
  readonly interrupted: () => AbortSignal;
};

/** `quern mcp`: serves MCP on standard input and output until the client closes them or the user interrupts. */
export function createMcpCommand({ version, operations, ask, work, interrupted }: McpParts): RunAdministration {
  return async () => {
    await work();
    const signal = interrupted();
    const server = createMcpServer({ version, catalog: buildToolCatalog(operations), ask, textOnly: null });
    // The SDK's transport does not notice the end of its input.
    const ended = Promise.race([
      once(process.stdin, 'end'),
      once(process.stdin, 'close'),
      ...(signal.aborted ? [] : [once(signal, 'abort')]),
    ]);
    await server.connect(new StdioServerTransport());
    if (!signal.aborted) await ended;
    await server.close();
    return EXIT.ok;
  };
}
