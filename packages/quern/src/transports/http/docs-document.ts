import type { Operation } from '#engine/call/operation.ts';
import { describeInput } from '#engine/call/validation.ts';
import { SURCHARGES } from '#engine/credits/prices.ts';
import { buildOperationCommand } from '#transports/cli/command.ts';
import { OPERATION_COMMANDS } from '#transports/cli/operation-commands.ts';
import { listMembers, toJsonSchema } from '#transports/schema.ts';
import { listSuccesses } from './openapi-answers.ts';
import { getClientName } from './openapi-components.ts';
import { readRoute } from './route.ts';

/** Builds the list of all operations, each with a short description. */
export function buildOperationList(operations: readonly Operation[]) {
  return { data: operations.map(buildListEntry) };
}

/** Builds the document of one operation: input schema, example, and its names on the command line and in the clients. */
export function buildOperationDocument(operation: Operation) {
  return {
    ...buildListEntry(operation),
    client_name: getClientName(operation),
    command: findCommand(operation),
    answers: listSuccesses(operation).map(({ type }) => type),
    yields: getResultKind(operation),
    example: operation.example,
    input: toJsonSchema(describeInput(operation), 'input'),
  };
}

/** Returns what a client method yields: one value, the records of all pages, or events. */
function getResultKind(operation: Operation): 'value' | 'records' | 'events' {
  if (listSuccesses(operation).some(({ type }) => type === 'text/event-stream')) return 'events';
  if (operation.kind === 'work') return operation.isLongRunning === true ? 'records' : 'value';
  const members = listMembers(toJsonSchema(operation.output, 'output')).map(([name]) => name);
  return members.includes('data') && members.includes('next_cursor') ? 'records' : 'value';
}

function buildListEntry(operation: Operation) {
  const { id, kind, summary, audience } = operation;
  const { method, path } = readRoute(operation);
  return {
    id,
    summary,
    method,
    path,
    kind,
    site: operation.kind === 'work' ? (operation.site?.name ?? null) : null,
    verified: !isUnverified(operation),
    audience: audience ?? 'everyone',
    plan: formatPlan(operation),
    credits: formatCredits(operation),
  };
}

function findCommand(operation: Operation) {
  const spec = OPERATION_COMMANDS.find(
    ({ operation: commandOperation, adds }) => commandOperation === operation.id && adds.length === 0,
  );
  return spec === undefined ? null : { words: spec.words, positional: buildOperationCommand(operation).positional };
}

/** Whether an endpoint of a site was never verified on a real page of the site. */
export function isUnverified(operation: Operation): boolean {
  return operation.kind === 'work' && operation.site?.verified === false;
}

/** Formats the plans that include an operation. */
export function formatPlan(operation: Operation): string {
  return operation.kind === 'work' && operation.plan === 'starter' ? 'Starter or higher' : 'every plan';
}

/** Formats the price of an operation in credits. */
export function formatCredits(operation: Operation): string {
  if (operation.kind === 'control') return 'free';
  const { base, cacheHit, perTier, per, perHundredUrls, perModelOutput, errorPage } = operation.price;
  const extra = Object.entries(SURCHARGES).filter(([, credits]) => perTier && credits > 0);
  const surcharges = extra.map(([tier, credits]) => `, +${credits} by ${tier}`).join('');
  const parts = [
    `${base}${per === undefined ? '' : ` a ${per}`}`,
    cacheHit === base ? '' : `, ${cacheHit} from the cache`,
    perHundredUrls === undefined ? '' : `, +${perHundredUrls} for each started 100 URLs`,
    surcharges,
    perModelOutput === undefined ? '' : `, +${perModelOutput} for each output of a model`,
    errorPage === undefined ? '' : `, ${errorPage} for an error page`,
  ];
  return parts.join('');
}
