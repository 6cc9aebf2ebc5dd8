import type { Operation } from '#engine/call/operation.ts';
import { CHANGES, type Tool } from '#engine/call/tool-view.ts';
import { InvariantError } from '#extract/invariant-error.ts';
import { isJsonObject } from '#extract/values/json-object.ts';
import { ServiceError } from '#kernel/errors.ts';
import { readJson } from '#transports/json.ts';
import { formsOf, itemsOf, type JsonSchema, membersOf, toJsonSchema } from '#transports/schema.ts';
import { toInputSchema, toListedMembers, toOutputSchema, writeGrammar } from './tool-schema.ts';
import { actionOf, followForAgent, type JobSteps, nameCall, runWorkAsJob } from './run-job.ts';
import type { AgentCall, Arguments, McpTool, ToolFinding } from './tool.ts';

/** Members of every tool that answers text; they choose the part of it. */
const PARTS = {
  offset: { type: 'integer', description: 'Where to read on: next_offset' },
  max_tokens: { type: 'integer', description: 'Default 8000' },
} as const;

/** The tools of operations: one for each, or one for all that name the same. */
export function toOperationTools(operations: readonly Operation[], jobs: JobSteps | null): readonly McpTool[] {
  const groups = new Map<string, { readonly tool: Tool; readonly members: Operation[] }>();
  for (const operation of operations) {
    const tool = toolOf(operation);
    if (tool === null) continue;
    const group = groups.get(tool.name) ?? { tool, members: [] };
    group.members.push(operation);
    groups.set(tool.name, group);
  }
  return [...groups.values()].map(({ tool, members }) => {
    const [first] = members;
    if (tool.hasActions === true) return toGroupTool(tool, members, jobs);
    if (first === undefined || members.length > 1)
      throw new InvariantError(`${tool.name}: has no actions and several operations`);
    return toOwnTool(tool, first, jobs);
  });
}

/** The tool of an operation: the one it declares, and one of its own for work that declares none. */
function toolOf({ id, kind, summary, agent }: Operation): Tool | null {
  if (agent !== undefined) return agent.tool;
  if (kind === 'control') return null;
  return { name: id.replaceAll('.', '_'), title: summary, task: summary, about: summary, hints: CHANGES };
}

function toOwnTool({ name, title, task, about, hints }: Tool, operation: Operation, jobs: JobSteps | null): McpTool {
  const isAnswered = operation.agent?.asJob !== true && operation.agent?.toShown !== undefined;
  return {
    task,
    described: {
      name,
      title,
      description: about,
      inputSchema: toInputSchema(operation, isAnswered ? PARTS : {}),
      outputSchema: toOutputSchema(viewsOf(operation, jobs), operation.kind === 'work'),
      annotations: hints,
    },
    writeGrammar: () => writeGrammar(toJsonSchema(operation.input, 'input')),
    run: async (given, call) => runOperation(operation, given, { jobs, call }),
  };
}

/** The views whose facts an operation may answer: of work that runs as a job also those of a result. */
function viewsOf({ agent = { tool: null } }: Operation, jobs: JobSteps | null) {
  const result = agent.asJob === true ? jobs?.result.agent : undefined;
  return [agent, ...(result === undefined ? [] : [result])];
}

/** One tool whose `action` is the last word of an operation's id, with the members of all of them. */
function toGroupTool(
  { name, title, task, about, hints }: Tool,
  operations: readonly Operation[],
  jobs: JobSteps | null,
): McpTool {
  const actions = new Map(operations.map((operation) => [actionOf(operation.id), operation]));
  if (actions.size < operations.length) throw new InvariantError(`${name}: two operations have the same action`);
  const names = [...actions.keys()];
  const properties = { action: { type: 'string', enum: names }, ...joinMembers(actions), offset: PARTS.offset };
  const views = operations.flatMap(({ agent }) => (agent === undefined ? [] : [agent]));
  return {
    task,
    described: {
      name,
      title,
      description: about,
      inputSchema: { type: 'object', properties, required: ['action'] },
      outputSchema: toOutputSchema(views, false),
      annotations: hints,
    },
    writeGrammar: () =>
      [...actions]
        .map(([action, { summary, input }]) => {
          const members = writeGrammar(toJsonSchema(input, 'input'));
          return `# action: ${action} - ${summary}\n${members}`;
        })
        .join('\n\n'),
    async run({ action, ...given }, call) {
      const operation = typeof action === 'string' ? actions.get(action) : undefined;
      if (operation !== undefined) return runOperation(operation, given, { jobs, call });
      throw new ServiceError('invalid_request', `action: must be one of ${names.join(', ')}`);
    },
  };
}

/** The listed members of all actions by name, each with the actions that take it. */
function joinMembers(actions: ReadonlyMap<string, Operation>): Record<string, object> {
  const takers = new Map<string, { readonly member: object; readonly actions: string[] }>();
  for (const [action, operation] of actions) {
    for (const [name, member] of toListedMembers(operation)) {
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

type Running = { readonly jobs: JobSteps | null; readonly call: AgentCall };

/** Runs an operation for an agent, as a job where its view says so or its time is more than an inline call has. */
export async function runOperation(
  operation: Operation,
  given: Arguments,
  { jobs, call }: Running,
): Promise<ToolFinding> {
  const { agent = { tool: null } } = operation;
  const whole = toMeant(operation, given, jobs);
  if (agent.asJob === true && jobs !== null) return runWorkAsJob(operation, whole, { jobs, call });
  const input = call.isReadingOn ? (agent.toReadOn?.(whole) ?? whole) : whole;
  const { body, stream } = await call.ask(operation, input);
  if (stream !== null) {
    throw new ServiceError('invalid_request', 'format: streams are no answers of tools; leave it out');
  }
  if (jobs !== null && isQueued(operation, body)) return followForAgent(String(body['id']), { jobs, call });
  return { body, view: agent, onwards: toOnwards(operation, jobs) };
}

/** How an answer is read on: by the same call where that costs little, else as the result of a job. */
function toOnwards(operation: Operation, jobs: JobSteps | null): ToolFinding['onwards'] {
  if (operation.kind === 'control' || operation.agent?.toReadOn !== undefined) {
    const isAction = operation.agent?.tool?.hasActions === true;
    return { call: `${nameCall(operation)}${isAction ? ',' : ' with'} the same arguments` };
  }
  if (jobs === null) return { instead: 'ask for less' };
  return { instead: `call ${nameCall(jobs.submit)}, kind: ${operation.id}, since the result of a job can be read on` };
}

/** The input that an agent means; that of a job is read as its work reads it. */
function toMeant({ input, agent }: Operation, given: Arguments, jobs: JobSteps | null): Arguments {
  const lenient = toLenient(given, toJsonSchema(input, 'input'));
  const meant = agent?.toInput?.(lenient) ?? lenient;
  const work = agent?.serves === 'submit' ? (jobs?.findWork(meant['kind']) ?? null) : null;
  const { input: inner } = meant;
  return work === null || !isJsonObject(inner) ? meant : { ...meant, input: toMeant(work, inner, null) };
}

/** Whether an answer is the job that work has become. */
function isQueued(operation: Operation, body: Arguments): boolean {
  return operation.kind === 'work' && operation.mayQueue && typeof body['result_url'] === 'string';
}

/** Members that are inputs of their own. */
const INPUT_NAMES: ReadonlySet<string> = new Set(['fetch', 'input', 'target']);
/** A longer text is no list of words. */
const MAX_WORDS_LENGTH = 10_000;

/**
 * Arguments as models write them, as the input of an operation: a text for a list of one, JSON in a text, numbers and
 * booleans in quotes. What cannot be meant otherwise is left to validation. JSON in a text has the bounds of a body; throws
 * `invalid_request` beyond them.
 */
function toLenient(given: Arguments, schema: JsonSchema, path = ''): Arguments {
  const members = new Map(membersOf(schema));
  return Object.fromEntries(
    Object.entries(given)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => {
        const member = members.get(name);
        const forms = member === undefined ? [] : formsOf(member, schema);
        const fitting = toFitting(value, forms, path + name);
        if (!INPUT_NAMES.has(name) || !isJsonObject(fitting)) return [name, fitting];
        return [name, toLenient(fitting, forms.find(({ type }) => type === 'object') ?? {}, `${path}${name}.`)];
      }),
  );
}

function toFitting(value: unknown, forms: readonly JsonSchema[], where: string): unknown {
  const types = new Set(forms.map(({ type }) => type));
  if (typeof value !== 'string' || types.has('string') || forms.length === 0) {
    const isOne = typeof value === 'string' || isJsonObject(value);
    return isOne && types.has('array') && !types.has('string') && !types.has('object') ? [value] : value;
  }
  const parsed = parse(value, where);
  if (types.has('array')) {
    if (Array.isArray(parsed)) return parsed;
    const isWords = isListOfWords(forms) && value.length <= MAX_WORDS_LENGTH;
    return isWords ? value.split(',').map((word) => word.trim()) : [value];
  }
  const isWanted =
    (types.has('object') && isJsonObject(parsed)) ||
    (types.has('boolean') && typeof parsed === 'boolean') ||
    ((types.has('integer') || types.has('number')) && typeof parsed === 'number');
  return isWanted ? parsed : value;
}

/** Whether a list holds words of an enumeration, which have no commas. */
function isListOfWords(forms: readonly JsonSchema[]): boolean {
  return forms.some((form) => Array.isArray(itemsOf(form)['enum']));
}

/** How JSON begins; any other text is not searched for values. */
const JSON_START = /^\s*(?:[[{"\-\d]|true|false|null)/;

function parse(text: string, where: string): unknown {
  if (!JSON_START.test(text)) return text;
  try {
    return readJson(text, where);
  } catch (error) {
    if (error instanceof ServiceError && error.cause instanceof SyntaxError) return text;
    throw error;
  }
}
