import { PatternError } from './patterns.ts';
import type { JSONPathQuery, JSONValue } from 'json-p3';
import { loadLibrary } from '#extract/platform/node.ts';

const MAX_PATH_LENGTH = 1000;
/** Each `..` visits every value below every match of the preceding steps. */
const MAX_DESCENTS = 2;
/**
 * How often one value can be reached, for example twice by `[0,0]`. Without a limit each step of a short path could
 * double the work.
 */
const MAX_BRANCHES = 32;

type PathCost = { descents: number; branches: number };

/** Returns the values in a JSON document that a path selects, in order, at most `limit`. */
type JsonPath = (value: unknown, limit: number) => readonly unknown[];

/**
 * Compiles a JSONPath (RFC 9535 without `match` and `search`, whose regular expressions have no time limit). Throws an
 * Error with the problem.
 */
export function compileJsonPath(source: string): JsonPath {
  if (source.length > MAX_PATH_LENGTH) throw new PatternError(`a JSONPath has at most ${MAX_PATH_LENGTH} characters`);
  const { JSONPathEnvironment } = loadLibrary('json-p3');
  const environment = new JSONPathEnvironment();
  environment.functionRegister.delete('match');
  environment.functionRegister.delete('search');
  const query = environment.compile(source);
  checkCost(query, { descents: 0, branches: 1 });
  return (value, limit) => (isJsonValue(value) ? selectValues(query, value, limit) : []);
}

function selectValues(query: JSONPathQuery, value: JSONValue, limit: number): readonly unknown[] {
  const found: unknown[] = [];
  try {
    for (const node of query.lazyQuery(value)) {
      found.push(node.value);
      if (found.length >= limit) break;
    }
  } catch {
    // If a document is nested deeper than the library supports, the values found above that depth are returned.
    return found;
  }
  return found;
}

function checkCost(query: JSONPathQuery, count: PathCost): void {
  const { FilterSelector } = loadLibrary('json-p3').jsonpath.selectors;
  for (const segment of query.segments) {
    if (segment.toString().startsWith('..')) count.descents += 1;
    count.branches *= segment.selectors.length;
    if (count.descents > MAX_DESCENTS)
      throw new PatternError(`a JSONPath has at most ${MAX_DESCENTS} descendant steps (..)`);
    if (count.branches > MAX_BRANCHES) throw new PatternError('the JSONPath lists too many selectors');
    for (const selector of segment.selectors) {
      if (selector instanceof FilterSelector) checkExpression(selector.expression, count);
    }
  }
}

/** A filter runs once per candidate, so a query from the root inside it must select a single value directly. */
function checkExpression(expression: unknown, count: PathCost): void {
  const { FilterQuery, FunctionExtension, InfixExpression, LogicalExpression, PrefixExpression, RootQuery } =
    loadLibrary('json-p3').jsonpath.expressions;
  if (expression instanceof RootQuery && !expression.path.singularQuery()) {
    throw new PatternError('a query from $ inside a filter must name a single value');
  }
  if (expression instanceof FilterQuery) checkCost(expression.path, count);
  if (expression instanceof LogicalExpression) checkExpression(expression.expression, count);
  if (expression instanceof PrefixExpression) checkExpression(expression.right, count);
  if (expression instanceof FunctionExtension) for (const argument of expression.args) checkExpression(argument, count);
  if (expression instanceof InfixExpression) {
    checkExpression(expression.left, count);
    checkExpression(expression.right, count);
  }
}

function isJsonValue(value: unknown): value is JSONValue {
  return value !== undefined;
}
