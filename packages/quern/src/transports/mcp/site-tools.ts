import { closest } from 'fastest-levenshtein';
import type { Operation } from '#engine/call/operation.ts';
import { READS_OWN, READS_WEB } from '#engine/call/tool-view.ts';
import { ServiceError } from '#kernel/errors.ts';
import { createOperationSearch } from '#transports/operation-search.ts';
import { formatDomainList, findUncoveredSite, describeUncovered } from '#transports/site-names.ts';
import { toJsonSchema } from '#transports/schema.ts';
import { formatGrammar, buildOutputSchema } from './tool-schema.ts';
import type { JobOperations } from './run-job.ts';
import { runOperation } from './operation-tools.ts';
import type { ToolArguments, McpTool, ToolFinding } from './tool.ts';

/** Maximum number of endpoints in one search result. */
const MAX_SHOWN_ENDPOINTS = 30;
/** This many of the best results include their parameters. */
const MAX_DETAILED_ENDPOINTS = 3;

/** Builds two tools for all site endpoints: one finds them and lists their parameters, the other calls them. */
export function buildSiteTools(operations: readonly Operation[], jobs: JobOperations | null): readonly McpTool[] {
  if (operations.length === 0) return [];
  const sites = [...new Set(operations.map(formatSite))];
  return [buildFindTool(operations, sites), buildCallTool(operations, jobs)];
}

function buildFindTool(operations: readonly Operation[], sites: readonly string[]): McpTool {
  const find = createOperationSearch(operations);
  return {
    task: 'find endpoints that return records of known sites',
    description: {
      name: 'find_site_endpoints',
      title: 'Find endpoints of sites',
      description: `Use this before fetch if the page is on one of these sites, to get its record as JSON: ${sites.join(', ')}. Returns endpoint names and parameters for call_site_endpoint.`,
      inputSchema: {
        type: 'object',
        properties: {
          search: {
            type: 'string',
            description: 'What you want to know, in a few words; or a site; or the name of an endpoint',
          },
        },
        required: [],
      },
      outputSchema: { type: 'object', properties: { total: { type: 'integer' } } },
      annotations: READS_OWN,
    },
    writeGrammar: () => 'search?: string',
    async run({ search = '', ...others }) {
      assertNoOthers(others, 'send search alone');
      if (typeof search !== 'string') throw new ServiceError('invalid_request', 'search: must be a string');
      const uncovered = findUncoveredSite(search, operations);
      const matches = uncovered === null ? find(search) : [];
      const isAsked = matches.length < operations.length;
      const endpoints = matches.slice(0, MAX_SHOWN_ENDPOINTS).map((operation, at) => {
        const { id, summary, input } = operation;
        const domains = formatDomains(operation);
        const parameters =
          isAsked && at < MAX_DETAILED_ENDPOINTS ? `\n${indent(formatGrammar(toJsonSchema(input, 'input')))}` : '';
        return `${id}${domains === '' ? '' : ` (${domains})`} - ${summary}${parameters}`;
      });
      const hint =
        isAsked && matches.length <= MAX_DETAILED_ENDPOINTS
          ? null
          : 'search for the name of one endpoint to see its parameters';
      if (uncovered !== null) return buildFinding(0, [], describeUncovered(uncovered));
      return buildFinding(matches.length, endpoints, hint);
    },
  };
}

function buildCallTool(operations: readonly Operation[], jobs: JobOperations | null): McpTool {
  return {
    task: 'get a record from such an endpoint',
    description: {
      name: 'call_site_endpoint',
      title: 'Call an endpoint of a site',
      description: 'Use this after find_site_endpoints, to get the structured record of an endpoint.',
      inputSchema: {
        type: 'object',
        properties: {
          endpoint: { type: 'string', description: 'Endpoint name, such as codehost.user' },
          parameters: { type: 'object', description: 'Parameters of the endpoint' },
        },
        required: ['endpoint'],
      },
      outputSchema: buildOutputSchema([], true),
      annotations: READS_WEB,
    },
    writeGrammar: () => 'endpoint: string\nparameters?: object - as find_site_endpoints shows them',
    async run({ endpoint, parameters = {}, ...others }, call) {
      assertNoOthers(others, 'the parameters of the endpoint belong in parameters');
      const operation = operations.find(({ id }) => id === endpoint);
      if (operation === undefined) {
        const names = operations.map(({ id }) => id);
        const near = typeof endpoint === 'string' ? `; the nearest is ${closest(endpoint.slice(0, 100), names)}` : '';
        throw new ServiceError('invalid_request', `endpoint: must be a name from find_site_endpoints${near}`);
      }
      if (typeof parameters !== 'object' || parameters === null || Array.isArray(parameters)) {
        throw new ServiceError('invalid_request', 'parameters: must be an object');
      }
      return runOperation(operation, { ...parameters }, { jobs, call });
    },
  };
}

/** Throws for unknown parameters, which would be ignored silently. */
function assertNoOthers(others: ToolArguments, hint: string): void {
  const [name] = Object.keys(others);
  if (name !== undefined) throw new ServiceError('invalid_request', `${name}: unknown parameter; ${hint}`);
}

function indent(text: string): string {
  return text.replaceAll(/^/gm, '  ');
}

function buildFinding(total: number, endpoints: readonly string[], hint: string | null): ToolFinding {
  return {
    body: { total, endpoints, hint },
    view: { facts: { total: 'integer' } },
    continuation: { call: 'find_site_endpoints with the same search' },
  };
}

/** Formats the site of an endpoint with its domains: `codehost (github.com)`. */
function formatSite(operation: Operation): string {
  const domains = formatDomains(operation);
  const word = operation.id.split('.')[0] ?? operation.id;
  return domains === '' ? word : `${word} (${domains})`;
}

function formatDomains(operation: Operation): string {
  return operation.kind === 'work' && operation.site !== undefined ? formatDomainList(operation.site) : '';
}
