import type { Operation } from '#engine/call/operation.ts';
import type { AskOperation } from '#transports/mcp/tool.ts';
import { EXIT } from './exit.ts';
import type { Administration } from './parts.ts';

export type McpParts = {
  readonly version: string;
  readonly operations: readonly Operation[];
  readonly ask: AskOperation;
  /** Makes sure that queued jobs are run, here or by the server. */
  readonly work: () => Promise<void>;
  readonly interrupted: () => AbortSignal;
};

/** `quern mcp`: the tools of agents on standard input and output, until the client closes them. */
export function mcpCommand({ version, operations, ask, work, interrupted }: McpParts): Administration {
  return {
    summary: 'tools for an agent (MCP) on standard input and output; docs/mcp.md has configurations',
    async run(args, terminal) {
      if (args.length > 0) {
        terminal.note(`quern: mcp takes no arguments, and got ${args.join(' ')}; settings come from the environment`);
        return EXIT.usage;
      }
      const { serveStdio } = await import('#transports/mcp/stdio.ts');
      await work();
      await serveStdio({ version, operations, ask, signal: interrupted() });
      return EXIT.ok;
    },
  };
}
