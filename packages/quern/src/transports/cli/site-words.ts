import { UsageError } from './exit.ts';
import type { CommandSpec } from './spec.ts';

/**
 * A line in which the word of a site stands for the name that people know it by: `dice jobs` and `dice.com jobs` are
 * `jobs-d jobs`. Throws `UsageError` where several sites are meant.
 */
export function withSiteWord(given: readonly string[], specs: readonly CommandSpec[]): readonly string[] {
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
