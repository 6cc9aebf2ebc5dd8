import { closest } from 'fastest-levenshtein';
import type { Operation } from '#engine/call/operation.ts';
import { READS_OWN, READS_WEB } from '#engine/call/tool-view.ts';
import { ServiceError } from '#kernel/errors.ts';
import { buildOperationSearch } from '#transports/operation-search.ts';
import { sayDomains, findUncovered, sayUncovered } from '#transports/uncovered-sites.ts';
import { toJsonSchema } from '#transports/schema.ts';
import { writeGrammar, toOutputSchema } from './tool-schema.ts';
import type { JobSteps } from './run-job.ts';
import { runOperation } from './operation-tools.ts';
import type { Arguments, McpTool, ToolFinding } from './tool.ts';

/** Endpoints that one search shows. */
const MAX_SHOWN = 30;
/** So many of the likeliest results include their parameters. */
const MAX_DETAILED = 3;

/** Two tools for all site endpoints: one finds them and lists their parameters, one calls them. */
export function toSiteTools(operations: readonly Operation[], jobs: JobSteps | null): readonly McpTool[] {
  if (operations.length === 0) return [];
  const sites = [...new Set(operations.map(nameSite))];
  return [toFinder(operations, sites), toCaller(operations, jobs)];
}

function toFinder(operations: readonly Operation[], sites: readonly string[]): McpTool {
  const find = buildOperationSearch(operations);
  return {
    task: 'endpoints that give records of known sites',
    described: {
      name: 'find_site_endpoints',
      title: 'Find endpoints of sites',
      description: `Use this before fetch when the page is of one of these sites, to get its record as JSON: ${sites.join(', ')}. It answers names and parameters for call_site_endpoint.`,
      inputSchema: {
        type: 'object',
        properties: {
          search: { type: 'string', description: 'What you want to know, in a few words; a site; or one endpoint' },
        },
        required: [],
      },
      outputSchema: { type: 'object', properties: { total: { type: 'integer' } } },
      annotations: READS_OWN,
    },
    writeGrammar: () => 'search?: string',
    async run({ search = '', ...others }) {
      refuseOthers(others, 'send search alone');
      if (typeof search !== 'string') throw new ServiceError('invalid_request', 'search: must be a string');
      const uncovered = findUncovered(search, operations);
      const found = uncovered === null ? find(search) : [];
      const isAsked = found.length < operations.length;
      const endpoints = found.slice(0, MAX_SHOWN).map((operation, at) => {
        const { id, summary, input } = operation;
        const domains = domainsOf(operation);
        const parameters =
          isAsked && at < MAX_DETAILED ? `\n${indent(writeGrammar(toJsonSchema(input, 'input')))}` : '';
        return `${id}${domains === '' ? '' : ` (${domains})`} - ${summary}${parameters}`;
      });
      const hint =
        isAsked && found.length <= MAX_DETAILED ? null : 'search for the name of one endpoint to see its parameters';
      if (uncovered !== null) return toFound(0, [], sayUncovered(uncovered));
      return toFound(found.length, endpoints, hint);
    },
  };
}

function toCaller(operations: readonly Operation[], jobs: JobSteps | null): McpTool {
  return {
    task: 'a record from such an endpoint',
    described: {
      name: 'call_site_endpoint',
      title: 'Call an endpoint of a site',
      description: 'Use this after find_site_endpoints, to get the structured record that an endpoint gives.',
      inputSchema: {
        type: 'object',
        properties: {
          endpoint: { type: 'string', description: 'Such as codehost.user' },
          parameters: { type: 'object', description: 'What the endpoint takes' },
        },
        required: ['endpoint'],
      },
      outputSchema: toOutputSchema([], true),
      annotations: READS_WEB,
    },
    writeGrammar: () => 'endpoint: string\nparameters?: object - as find_site_endpoints shows them',
    async run({ endpoint, parameters = {}, ...others }, call) {
      refuseOthers(others, 'what the endpoint takes belongs in parameters');
      const operation = operations.find(({ id }) => id === endpoint);
      if (operation === undefined) {
        const names = operations.map(({ id }) => id);
        const near = typeof endpoint === 'string' ? `; the nearest is ${closest(endpoint.slice(0, 100), names)}` : '';
        throw new ServiceError('invalid_request', `endpoint: must be one that find_site_endpoints names${near}`);
      }
      if (typeof parameters !== 'object' || parameters === null || Array.isArray(parameters)) {
        throw new ServiceError('invalid_request', 'parameters: must be an object');
      }
      return runOperation(operation, { ...parameters }, { jobs, call });
    },
  };
}

/** Refuses members that would be left out without a word. */
function refuseOthers(others: Arguments, hint: string): void {
  const [name] = Object.keys(others);
  if (name !== undefined) throw new ServiceError('invalid_request', `${name}: unknown member; ${hint}`);
}

function indent(text: string): string {
  return text.replaceAll(/^/gm, '  ');
}

function toFound(total: number, endpoints: readonly string[], hint: string | null): ToolFinding {
  return {
    body: { total, endpoints, hint },
    view: { facts: { total: 'integer' } },
    onwards: { call: 'find_site_endpoints with the same search' },
  };
}

/** The word of a site in its endpoints, and what it reads: `codehost (github.com)`. */
function nameSite(operation: Operation): string {
  const domains = domainsOf(operation);
  const word = operation.id.split('.')[0] ?? operation.id;
  return domains === '' ? word : `${word} (${domains})`;
}

function domainsOf(operation: Operation): string {
  return operation.kind === 'work' && operation.site !== null ? sayDomains(operation.site) : '';
}
