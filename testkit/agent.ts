import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { type CallToolResult, CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { countTokens } from '#transports/mcp/render.ts';
import { join } from 'node:path';

type AgentSettings = Readonly<Record<string, string>>;

const PROGRAM = join(import.meta.dirname, '../packages/quern/bin/quern.mjs');

export type Agent = Awaited<ReturnType<typeof connectAgent>>;

/** Connects the official MCP client over streamable HTTP. */
export async function connectHttpAgent(origin: string, key: string, name = 'test') {
  const requestInit = { headers: { authorization: `Bearer ${key}` } };
  return connectAgent(name, new StreamableHTTPClientTransport(new URL(`${origin}/mcp`), { requestInit }));
}

/** Connects the official MCP client to `quern mcp` over standard input and output. */
export async function connectStdioAgent(folder: string, settings: AgentSettings, name = 'test') {
  return connectAgent(
    name,
    new StdioClientTransport({
      command: process.execPath,
      args: [PROGRAM, 'mcp'],
      env: { PATH: process.env['PATH'] ?? '', QUERN_CHROMIUM: 'off', QUERN_DATA_DIR: folder, ...settings },
      cwd: folder,
      stderr: 'ignore',
    }),
  );
}

/** Connects a client that counts the tokens of its calls and their responses. */
async function connectAgent(name: string, transport: StdioClientTransport | StreamableHTTPClientTransport) {
  const client = new Client({ name, version: '1.0.0' });
  await client.connect(transport);
  const { tools } = await client.listTools();
  let tokens = countTokens(JSON.stringify(tools)) + countTokens(client.getInstructions() ?? '');
  let largest = 0;

  async function call(tool: string, given: Readonly<Record<string, unknown>> = {}): Promise<CallToolResult> {
    const result = CallToolResultSchema.parse(await client.callTool({ name: tool, arguments: { ...given } }));
    const { content, structuredContent = {} } = result;
    const told = content.map((one) =>
      one.type === 'text' ? one.text : one.type === 'image' ? '' : JSON.stringify(one),
    );
    const size = countTokens(told.join('')) + countTokens(JSON.stringify(structuredContent));
    largest = Math.max(largest, size);
    tokens += size + countTokens(JSON.stringify(given));
    return result;
  }

  /** Calls a tool and returns the text of the response. */
  async function read(tool: string, given: Readonly<Record<string, unknown>> = {}): Promise<string> {
    const { content } = await call(tool, given);
    return content.map((one) => (one.type === 'text' ? one.text : '')).join('\n');
  }

  return {
    client,
    tools,
    /** Tokens of the tool list. */
    listed: countTokens(JSON.stringify(tools)),
    call,
    read,
    /** Tokens so far: tool list, instructions, and all calls with their responses. */
    tokens: (): number => tokens,
    /** Tokens of the largest response. */
    largest: (): number => largest,
    close: async (): Promise<void> => client.close(),
    [Symbol.asyncDispose]: async (): Promise<void> => client.close(),
  };
}
