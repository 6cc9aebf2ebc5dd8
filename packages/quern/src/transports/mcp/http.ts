import { randomUUID } from 'node:crypto';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { isInitializeRequest } from '@modelcontextprotocol/sdk/types.js';
import type { Operation } from '#engine/call/operation.ts';
import { buildToolCatalog, createMcpServer, needsTextOnly } from './server.ts';
import type { CallOperation } from './tool.ts';

/** One MCP request over HTTP. */
export type McpExchange = {
  readonly headers: Readonly<Record<string, string>>;
  /** The JSON-RPC message, parsed. */
  readonly body: unknown;
  readonly ask: CallOperation;
};

/** The HTTP response to an MCP request. */
export type McpResponse = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** The session header of MCP. Sessions have no state; the id only encodes the form of answers. */
const SESSION_HEADER = 'mcp-session-id';
const TEXT_ONLY_PREFIX = 'text';

/** Creates the handler for MCP over streamable HTTP. It is stateless: each message gets a new server and transport. */
export function createMcpHandler(version: string, operations: readonly Operation[]) {
  const catalog = buildToolCatalog(operations);

  return async function answer({ headers, body, ask }: McpExchange): Promise<McpResponse> {
    const client = isInitializeRequest(body) ? body.params.clientInfo.name : null;
    const textAlone =
      client === null ? headers[SESSION_HEADER]?.startsWith(TEXT_ONLY_PREFIX) === true : needsTextOnly(client);
    const server = createMcpServer({ version, catalog, ask, textOnly: textAlone });
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    await server.connect(transport);
    try {
      const request = new Request('http://localhost/mcp', { method: 'POST', headers: { ...headers } });
      const response = await transport.handleRequest(request, { parsedBody: body });
      return {
        status: response.status,
        headers: {
          ...Object.fromEntries(response.headers),
          ...(client === null ? {} : { [SESSION_HEADER]: `${textAlone ? TEXT_ONLY_PREFIX : 'all'}-${randomUUID()}` }),
        },
        body: await response.text(),
      };
    } finally {
      await server.close();
    }
  };
}
