import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js';
import { closest } from 'fastest-levenshtein';
import type { Operation } from '#engine/call/operation.ts';
import { toJsonSchema } from '#transports/schema.ts';
import type { McpTool } from './tool.ts';

/** Endpoints that one search shows. */
const MOST_SHOWN = 20;
/** Up to this many results include their parameters. */
const MOST_DETAILED = 3;

/** Two tools for all site endpoints: one finds them and lists their parameters, one calls them. */
export function toSiteTools(operations: readonly Operation[]): readonly McpTool[] {
  if (operations.length === 0) return [];
  const sites = [...new Set(operations.map(siteOf))];
  return [toFinder(operations, sites), toCaller(operations)];
}

function toFinder(operations: readonly Operation[], sites: readonly string[]): McpTool {
  return {
    described: {
      name: 'find_site_endpoints',
      description: `Find endpoints that answer structured records of single sites (${sites.join(', ')}), and what they take`,
      inputSchema: {
        type: 'object',
        properties: {
          search: { type: 'string', description: 'Words such as: profile, video, price; or a site; all when left out' },
        },
        required: [],
      },
    },
    choose({ search = '' }) {
      if (typeof search !== 'string') throw new McpError(ErrorCode.InvalidParams, 'search: must be text');
      const found = rank(operations, search);
      const isDetailed = found.length <= MOST_DETAILED;
      const endpoints = found.slice(0, MOST_SHOWN).map(({ id, summary, input }) => ({
        endpoint: id,
        summary,
        ...(isDetailed ? { parameters: toJsonSchema(input, 'input') } : {}),
      }));
      const hint = isDetailed ? {} : { hint: 'search for the name of one endpoint to see what it takes' };
      return { found: { endpoints, total: found.length, ...hint } };
    },
  };
}

function toCaller(operations: readonly Operation[]): McpTool {
  return {
    described: {
      name: 'call_site_endpoint',
      description: 'Get a structured record of a site by an endpoint that find_site_endpoints names',
      inputSchema: {
        type: 'object',
        properties: {
          endpoint: { type: 'string', description: 'Such as codehost.user' },
          parameters: { type: 'object', description: 'What the endpoint takes' },
        },
        required: ['endpoint'],
      },
    },
    choose({ endpoint, parameters = {} }) {
      const operation = operations.find(({ id }) => id === endpoint);
      if (operation === undefined) {
        const names = operations.map(({ id }) => id);
        const near = typeof endpoint === 'string' ? `; the nearest is ${closest(endpoint.slice(0, 100), names)}` : '';
        throw new McpError(ErrorCode.InvalidParams, `endpoint: must be one that find_site_endpoints names${near}`);
      }
      if (typeof parameters !== 'object' || parameters === null || Array.isArray(parameters)) {
        throw new McpError(ErrorCode.InvalidParams, 'parameters: must be an object');
      }
      return { operation, raw: { ...parameters } };
    },
  };
}

/** Endpoints by the number of matching words in id and summary; an exact id matches alone. */
function rank(operations: readonly Operation[], search: string): readonly Operation[] {
  const named = operations.find(({ id }) => id === search.trim());
  if (named !== undefined) return [named];
  const words = search
    .toLowerCase()
    .split(/\W+/)
    .filter((word) => word !== '');
  if (words.length === 0) return operations;
  const hits = operations.map((operation) => {
    const text = `${operation.id} ${operation.summary}`.toLowerCase();
    return { operation, count: words.filter((word) => text.includes(word)).length };
  });
  return hits
    .filter(({ count }) => count > 0)
    .toSorted((one, other) => other.count - one.count)
    .map(({ operation }) => operation);
}

function siteOf({ id }: Operation): string {
  return id.split('.')[0] ?? id;
}
