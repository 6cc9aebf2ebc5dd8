import { UsageError } from './exit.ts';
import type { CommandSpec } from './spec.ts';

/**
 * Replaces the common name of a site by its word in commands: `dice jobs` and `dice.com jobs` become `jobs-d jobs`.
 * Throws `UsageError` if the name matches several sites.
 */
export function replaceSiteName(given: readonly string[], specs: readonly CommandSpec[]): readonly string[] {
  const at = given[0] === 'help' ? 1 : 0;
  const [name = '', verb = ''] = given.slice(at);
  if (name === '' || specs.some(({ words: [first] }) => first === name)) return given;
  const parts = name.toLowerCase().split('.');
  const named = specs.filter(({ site }) => site?.names.some((one) => parts.includes(one)) === true);
  const withVerb = named.filter(({ words: [, second] }) => second === verb);
  const meant = withVerb.length > 0 ? withVerb : named;
  const [word, ...others] = new Set(meant.flatMap(({ words: [first = ''] }) => first));
  if (word === undefined) return given;
  if (others.length > 0)
    throw new UsageError(`${name} is several sites here: ${[word, ...others].join(', ')}; name one`);
  return given.with(at, word);
}
