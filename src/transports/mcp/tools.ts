import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { CallToolRequestSchema, ErrorCode, ListToolsRequestSchema, McpError } from '@modelcontextprotocol/sdk/types.js';
import { isStream } from '#engine/call/operation.ts';
import type { Operation, ToolFamily } from '#engine/call/operation.ts';
import type { ErrorBody } from '#kernel/errors.ts';
import { toSiteTools } from './site-tools.ts';
import type { McpTool } from './tool.ts';
import { membersOf, requiredOf, toJsonSchema } from '#transports/schema.ts';
import type { JsonSchema } from '#transports/schema.ts';

/** The result of a call: the answer of the operation, or the error body that HTTP would give. */
export type ToolResult =
  | { readonly failed: false; readonly body: Readonly<Record<string, unknown>> }
  | { readonly failed: true; readonly body: ErrorBody };

export type McpExchange = {
  readonly headers: Readonly<Record<string, string>>;
  /** The parsed JSON-RPC message. */
  readonly body: unknown;
  readonly call: (operation: Operation, raw: unknown) => Promise<ToolResult>;
};

export type McpResponse = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/**
 * Answers MCP over streamable HTTP without sessions: a server and a transport for each message, one tool for each work
 * operation, and those that control operations declare.
 */
export function buildMcp(version: string, operations: readonly Operation[]) {
  const all = [
    ...operations.filter((one) => (isWork(one) && !isOfSite(one)) || one.tool === 'own').map(toTool),
    ...toSiteTools(operations.filter(isOfSite)),
    ...toFamilyTools(operations.filter((one) => !isStream(one))),
  ];
  const tools = all.map(({ described }) => described);

  return async function answer({ headers, body, call }: McpExchange): Promise<McpResponse> {
    // The wrapper for servers with typed tools would turn every schema into zod and back at each message.
    const server = new Server({ name: 'quern', version }, { capabilities: { tools: {} } });
    server.setRequestHandler(ListToolsRequestSchema, () => ({ tools }));
    server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
      const tool = all.find(({ described }) => described.name === params.name);
      if (tool === undefined) throw new McpError(ErrorCode.InvalidParams, `there is no tool ${params.name}`);
      const choice = tool.choose(params.arguments ?? {});
      if ('found' in choice) return toContent(choice.found);
      const result = await call(choice.operation, choice.raw);
      return { ...toContent(result.body), isError: result.failed };
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

function isWork({ kind }: Operation): boolean {
  return kind === 'work';
}

/** Site endpoints are not listed one by one, since every listed tool costs an agent tokens. */
function isOfSite(operation: Operation): boolean {
  return operation.kind === 'work' && operation.site !== null;
}

function toContent(body: Readonly<Record<string, unknown>>) {
  return { content: [{ type: 'text' as const, text: JSON.stringify(body) }], structuredContent: { ...body } };
}

/** The names of tools have no dots: some clients refuse them. */
function nameOf({ id }: Operation): string {
  return id.replaceAll('.', '_');
}

function toTool(operation: Operation): McpTool {
  const { summary, input } = operation;
  const schema = toJsonSchema(input, 'input');
  const inputSchema = {
    ...schema,
    type: 'object' as const,
    properties: Object.fromEntries(membersOf(schema)),
    required: [...requiredOf(schema)],
  };
  return {
    described: { name: nameOf(operation), description: summary, inputSchema },
    choose: (raw) => ({ operation, raw }),
  };
}

function toFamilyTools(operations: readonly Operation[]): readonly McpTool[] {
  const families = new Set(operations.map(familyOf).filter((family) => family !== null));
  return [...families].map((family) =>
    toFamilyTool(
      family,
      operations.filter((one) => familyOf(one) === family),
    ),
  );
}

function familyOf({ tool }: Operation): ToolFamily | null {
  return tool === undefined || tool === 'own' ? null : tool;
}

/** One tool whose `action` is the last word of an operation's id, with the members of all of them. */
function toFamilyTool({ name, about }: ToolFamily, operations: readonly Operation[]): McpTool {
  const actions = new Map(operations.map((operation) => [operation.id.replace(/^.*\./, ''), operation]));
  const names = [...actions.keys()];
  const meanings = [...actions].map(([action, { summary }]) => `${action}: ${summary}`).join('. ');
  const properties = { action: { type: 'string', enum: names, description: meanings }, ...joinMembers(actions) };
  return {
    described: {
      name,
      description: `${about}: ${names.join(', ')}`,
      inputSchema: { type: 'object', properties, required: ['action'] },
    },
    choose({ action, ...raw }) {
      const operation = typeof action === 'string' ? actions.get(action) : undefined;
      if (operation !== undefined) return { operation, raw };
      throw new McpError(ErrorCode.InvalidParams, `action: must be one of ${names.join(', ')}`);
    },
  };
}

/** The members of all actions by name, each with the actions that take it; they differ in type where the actions do. */
function joinMembers(actions: ReadonlyMap<string, Operation>): Record<string, object> {
  const takers = new Map<string, { readonly action: string; readonly schema: JsonSchema }[]>();
  for (const [action, { input }] of actions) {
    for (const [name, schema] of membersOf(toJsonSchema(input, 'input'))) {
      takers.set(name, [...(takers.get(name) ?? []), { action, schema }]);
    }
  }
  return Object.fromEntries(
    [...takers].map(([name, taken]) => {
      const forms = new Map(taken.map(({ schema }) => [JSON.stringify(schema), schema]));
      const [first, ...more] = forms.values();
      const form = more.length === 0 ? first : { anyOf: [...forms.values()] };
      const meaning = typeof first?.['description'] === 'string' ? `${first['description']}. ` : '';
      return [name, { ...form, description: `${meaning}For ${taken.map(({ action }) => action).join(', ')}` }];
    }),
  );
}
