import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { CallToolRequestSchema, ErrorCode, ListToolsRequestSchema, McpError } from '@modelcontextprotocol/sdk/types.js';
import type { Operation } from '#engine/operation.ts';
import type { ErrorBody } from '#kernel/errors.ts';
import { membersOf, requiredOf, toJsonSchema } from '#transports/schema.ts';

/** What one call came to: the answer of the operation, or the error body that HTTP would give. */
export type CallResult =
  | { readonly failed: false; readonly body: Readonly<Record<string, unknown>> }
  | { readonly failed: true; readonly body: ErrorBody };

export type McpExchange = {
  readonly headers: Readonly<Record<string, string>>;
  /** The parsed JSON-RPC message. */
  readonly body: unknown;
  readonly call: (operation: Operation, raw: unknown) => Promise<CallResult>;
};

export type McpResponse = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** The control operations that an agent needs beside the work. */
const CONTROL_TOOLS: ReadonlySet<string> = new Set(['usage', 'jobs.show', 'jobs.result']);

/**
 * Answers MCP over streamable HTTP without sessions: a server and a transport for each message, one tool for each work
 * operation, for `usage`, and for the jobs that work may become.
 */
export function buildMcp(version: string, operations: readonly Operation[]) {
  const offered = operations.filter(({ kind, id }) => kind === 'work' || CONTROL_TOOLS.has(id));
  const tools = offered.map(toTool);

  return async function answer({ headers, body, call }: McpExchange): Promise<McpResponse> {
    // The wrapper for servers with typed tools would turn every schema into zod and back at each message.
    const server = new Server({ name: 'quern', version }, { capabilities: { tools: {} } });
    server.setRequestHandler(ListToolsRequestSchema, () => ({ tools }));
    server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
      const operation = offered.find((one) => nameOf(one) === params.name);
      if (operation === undefined) throw new McpError(ErrorCode.InvalidParams, `there is no tool ${params.name}`);
      const result = await call(operation, params.arguments ?? {});
      return {
        content: [{ type: 'text', text: JSON.stringify(result.body) }],
        structuredContent: { ...result.body },
        isError: result.failed,
      };
    });
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    await server.connect(transport);
    try {
      const request = new Request('http://localhost/mcp', { method: 'POST', headers: { ...headers } });
      const response = await transport.handleRequest(request, { parsedBody: body });
      return {
        status: response.status,
        headers: Object.fromEntries(response.headers),
        body: await response.text(),
      };
    } finally {
      await server.close();
    }
  };
}

/** The names of tools have no dots: some clients refuse them. */
function nameOf({ id }: Operation): string {
  return id.replaceAll('.', '_');
}

function toTool(operation: Operation) {
  const { summary, input } = operation;
  const schema = toJsonSchema(input, 'input');
  return {
    name: nameOf(operation),
    description: summary,
    inputSchema: {
      ...schema,
      type: 'object' as const,
      properties: Object.fromEntries(membersOf(schema)),
      required: [...requiredOf(schema)],
    },
  };
}
