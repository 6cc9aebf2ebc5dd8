import type { Operation } from '#engine/call/operation.ts';
import { describeInput } from '#engine/call/validation.ts';
import { CHANGES, type Tool } from '#engine/call/tool-view.ts';
import { InvariantError } from '#extract/invariant-error.ts';
import { isJsonObject } from '#extract/values/json-object.ts';
import { ServiceError } from '#kernel/errors.ts';
import { readJson } from '#transports/json.ts';
import { listForms, getItems, type JsonSchema, listMembers, toJsonSchema } from '#transports/schema.ts';
import { buildInputSchema, listToolMembers, buildOutputSchema, formatGrammar } from './tool-schema.ts';
import { getAction, waitForJob, type JobOperations, formatCall, runWorkAsJob } from './run-job.ts';
import type { AgentCall, ToolArguments, McpTool, ToolFinding } from './tool.ts';

/** Parameters of every tool that returns text; they select a part of it. */
const PART_PARAMETERS = {
  offset: { type: 'integer', description: 'Where to continue reading: next_offset of the previous answer' },
  max_tokens: { type: 'integer', description: 'Default 8000' },
} as const;

/** Builds the tools of operations: one for each, or one for all operations with the same tool name. */
export function buildOperationTools(operations: readonly Operation[], jobs: JobOperations | null): readonly McpTool[] {
  const groups = new Map<string, { readonly tool: Tool; readonly members: Operation[] }>();
  for (const operation of operations) {
    const tool = getTool(operation);
    if (tool === null) continue;
    const group = groups.get(tool.name) ?? { tool, members: [] };
    group.members.push(operation);
    groups.set(tool.name, group);
  }
  return [...groups.values()].map(({ tool, members }) => {
    const [first] = members;
    if (tool.hasActions === true) return buildGroupTool(tool, members, jobs);
    if (first === undefined || members.length > 1)
      throw new InvariantError(`${tool.name}: has no actions and several operations`);
    return buildOwnTool(tool, first, jobs);
  });
}

/** Returns the tool that an operation declares. Work without a declaration gets a tool of its own; control operations get none. */
function getTool({ id, kind, summary, agent }: Operation): Tool | null {
  if (agent !== undefined) return agent.tool;
  if (kind === 'control') return null;
  return { name: id.replaceAll('.', '_'), title: summary, task: summary, about: summary, hints: CHANGES };
}

function buildOwnTool(
  { name, title, task, about, hints }: Tool,
  operation: Operation,
  jobs: JobOperations | null,
): McpTool {
  const isAnswered = operation.agent?.asJob !== true && operation.agent?.toShown !== undefined;
  return {
    task,
    description: {
      name,
      title,
      description: about,
      inputSchema: buildInputSchema(operation, isAnswered ? PART_PARAMETERS : {}),
      outputSchema: buildOutputSchema(listViews(operation, jobs), operation.kind === 'work'),
      annotations: hints,
    },
    writeGrammar: () => formatGrammar(toJsonSchema(describeInput(operation), 'input')),
    run: async (given, call) => runOperation(operation, given, { jobs, call }),
  };
}

/** Lists the views whose facts an operation may return. Work that runs as a job also returns those of job results. */
function listViews({ agent = { tool: null } }: Operation, jobs: JobOperations | null) {
  const result = agent.asJob === true ? jobs?.result.agent : undefined;
  return [agent, ...(result === undefined ? [] : [result])];
}

/** Builds one tool for several operations. Its `action` is the last word of the operation id; it has the parameters of all. */
function buildGroupTool(
  { name, title, task, about, hints }: Tool,
  operations: readonly Operation[],
  jobs: JobOperations | null,
): McpTool {
  const actions = new Map(operations.map((operation) => [getAction(operation.id), operation]));
  if (actions.size < operations.length) throw new InvariantError(`${name}: two operations have the same action`);
  const names = [...actions.keys()];
  const properties = {
    action: { type: 'string', enum: names },
    ...joinMembers(actions),
    offset: PART_PARAMETERS.offset,
  };
  const views = operations.flatMap(({ agent }) => (agent === undefined ? [] : [agent]));
  return {
    task,
    description: {
      name,
      title,
      description: about,
      inputSchema: { type: 'object', properties, required: ['action'] },
      outputSchema: buildOutputSchema(views, false),
      annotations: hints,
    },
    writeGrammar: () =>
      [...actions]
        .map(([action, { summary, input }]) => {
          const members = formatGrammar(toJsonSchema(input, 'input'));
          return `# action: ${action} - ${summary}\n${members}`;
        })
        .join('\n\n'),
    async run({ action, ...args }, call) {
      const operation = typeof action === 'string' ? actions.get(action) : undefined;
      if (operation !== undefined) return runOperation(operation, args, { jobs, call });
      throw new ServiceError('invalid_request', `action: must be one of ${names.join(', ')}`);
    },
  };
}

/** Merges the listed parameters of all actions by name, each with the actions that take it. */
function joinMembers(actions: ReadonlyMap<string, Operation>): Record<string, object> {
  const takers = new Map<string, { readonly member: object; readonly actions: string[] }>();
  for (const [action, operation] of actions) {
    for (const [name, member] of listToolMembers(operation)) {
      const taken = takers.get(name) ?? { member, actions: [] };
      taken.actions.push(action);
      takers.set(name, taken);
    }
  }
  return Object.fromEntries(
    [...takers].map(([name, { member, actions: taking }]) => {
      const meaning = 'description' in member ? `${String(member.description)}. ` : '';
      return [name, { ...member, description: `${meaning}For ${taking.join(', ')}` }];
    }),
  );
}

type RunContext = { readonly jobs: JobOperations | null; readonly call: AgentCall };

/** Runs an operation for an agent. It runs as a job if its view requires that, or if it was queued because it takes too long. */
export async function runOperation(
  operation: Operation,
  args: ToolArguments,
  { jobs, call }: RunContext,
): Promise<ToolFinding> {
  const { agent = { tool: null } } = operation;
  const whole = resolveInput(operation, args, jobs);
  if (agent.asJob === true && jobs !== null) return runWorkAsJob(operation, whole, { jobs, call });
  const input = call.isContinued ? (agent.toReadOn?.(whole) ?? whole) : whole;
  const { body, stream } = await call.ask(operation, input);
  if (stream !== null) {
    throw new ServiceError('invalid_request', 'format: tools cannot return streams; omit it');
  }
  if (jobs !== null && isQueuedJob(operation, body)) return waitForJob(String(body['id']), { jobs, call });
  return { body, view: agent, continuation: describeContinuation(operation, jobs) };
}

/** Describes how to continue reading an answer: with the same call if that costs little, else as the result of a job. */
function describeContinuation(operation: Operation, jobs: JobOperations | null): ToolFinding['continuation'] {
  if (operation.kind === 'control' || operation.agent?.toReadOn !== undefined) {
    const isAction = operation.agent?.tool?.hasActions === true;
    return { call: `${formatCall(operation)}${isAction ? ',' : ' with'} the same arguments` };
  }
  if (jobs === null) return { instead: 'ask for less' };
  return {
    instead: `call ${formatCall(jobs.submit)}, kind: ${operation.id}: the result of a job can be read in parts`,
  };
}

/** Resolves lenient arguments to the input of an operation. The nested input of a job is resolved by the schema of its work. */
function resolveInput({ input, agent }: Operation, args: ToolArguments, jobs: JobOperations | null): ToolArguments {
  const lenient = coerceArguments(args, toJsonSchema(input, 'input'));
  const meant = agent?.toInput?.(lenient) ?? lenient;
  const work = agent?.serves === 'submit' ? (jobs?.findWork(meant['kind']) ?? null) : null;
  const { input: inner } = meant;
  return work === null || !isJsonObject(inner) ? meant : { ...meant, input: resolveInput(work, inner, null) };
}

/** Whether a response is a queued job instead of a result. */
function isQueuedJob(operation: Operation, body: ToolArguments): boolean {
  return operation.kind === 'work' && operation.canQueue === true && typeof body['result_url'] === 'string';
}

/** Parameters that contain the input of another operation. */
const NESTED_INPUTS: ReadonlySet<string> = new Set(['fetch', 'input', 'target']);
/** A longer text is not split as a comma list. */
const MAX_LIST_LENGTH = 10_000;

/**
 * Coerces arguments as models write them to the input schema: a string for a list of one, JSON in a string, quoted numbers
 * and booleans. Everything else is left to validation. JSON in strings has the limits of a request body; throws
 * `invalid_request` beyond them.
 */
function coerceArguments(args: ToolArguments, schema: JsonSchema, path = ''): ToolArguments {
  const members = new Map(listMembers(schema));
  return Object.fromEntries(
    Object.entries(args)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => {
        const member = members.get(name);
        const forms = member === undefined ? [] : listForms(member, schema);
        const fitting = coerceValue(value, forms, path + name);
        if (!NESTED_INPUTS.has(name) || !isJsonObject(fitting)) return [name, fitting];
        return [name, coerceArguments(fitting, forms.find(({ type }) => type === 'object') ?? {}, `${path}${name}.`)];
      }),
  );
}

function coerceValue(value: unknown, forms: readonly JsonSchema[], where: string): unknown {
  const types = new Set(forms.map(({ type }) => type));
  if (typeof value !== 'string' || types.has('string') || forms.length === 0) {
    const isOne = typeof value === 'string' || isJsonObject(value);
    return isOne && types.has('array') && !types.has('string') && !types.has('object') ? [value] : value;
  }
  const parsed = parseLenient(value, where);
  if (types.has('array')) {
    if (Array.isArray(parsed)) return parsed;
    const isWords = isEnumList(forms) && value.length <= MAX_LIST_LENGTH;
    return isWords ? value.split(',').map((word) => word.trim()) : [value];
  }
  const isWanted =
    (types.has('object') && isJsonObject(parsed)) ||
    (types.has('boolean') && typeof parsed === 'boolean') ||
    ((types.has('integer') || types.has('number')) && typeof parsed === 'number');
  return isWanted ? parsed : value;
}

/** Whether the items of a list are enum values, which contain no commas. */
function isEnumList(forms: readonly JsonSchema[]): boolean {
  return forms.some((form) => Array.isArray(getItems(form)['enum']));
}

/** The start of JSON; any other text is not parsed. */
const JSON_START = /^\s*(?:[[{"\-\d]|true|false|null)/;

function parseLenient(text: string, where: string): unknown {
  if (!JSON_START.test(text)) return text;
  try {
    return readJson(text, where);
  } catch (error) {
    if (error instanceof ServiceError && error.cause instanceof SyntaxError) return text;
    throw error;
  }
}
