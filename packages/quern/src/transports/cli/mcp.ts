import type { Operation } from '#engine/call/operation.ts';
import type { AskOperation } from '#transports/mcp/tool.ts';
import type { Administer } from './administration.ts';
import { EXIT } from './exit.ts';

export type McpParts = {
  readonly version: string;
  readonly operations: readonly Operation[];
  readonly ask: AskOperation;
  /** Makes sure that queued jobs are run, here or by the server. */
  readonly work: () => Promise<void>;
  readonly interrupted: () => AbortSignal;
};

/** `quern mcp`: the tools of agents on standard input and output, until the client closes them. */
export function mcpCommand({ version, operations, ask, work, interrupted }: McpParts): Administer {
  return async () => {
    const { serveStdio } = await import('#transports/mcp/stdio.ts');
    await work();
    await serveStdio({ version, operations, ask, signal: interrupted() });
    return EXIT.ok;
  };
}
