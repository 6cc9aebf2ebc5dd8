import { ServiceError } from '#kernel/errors.ts';
import { oursFor } from '#kernel/foreign-names.ts';
import { nearName } from '#kernel/near-name.ts';
import { UsageError } from './exit.ts';
import { type CommandSpec, optionsOf } from './spec.ts';

/** A refusal of an option, with the one that was meant where that is to be seen. */
export function toUnknownOption(given: string, spec: CommandSpec): ServiceError {
  const flags = optionsOf(spec).map(({ flag }) => flag);
  const [flag = ''] = given.split('=', 1);
  const command = `quern ${spec.words.join(' ')}`;
  const isKnown = flags.includes(flag.replace(/^--/, ''));
  const hint = isKnown ? 'it takes no value' : hintFor(flag.replace(/^-+/, ''), flags);
  const message = isKnown ? `${flag}: ${hint}` : `${flag}: is no option of ${command}${hint} --help lists all`;
  return new ServiceError('invalid_request', message);
}

function hintFor(name: string, flags: readonly string[]): string {
  const members = flags.map((flag) => flag.replaceAll('-', '_'));
  const ours = oursFor(name, members).map((member) => `--${member.replaceAll('_', '-')}`);
  if (ours.length > 0) return `, but ${ours.join(' or ')} is:`;
  const near = nearName(name, flags);
  return near === null ? ';' : `; did you mean --${near}?`;
}

/** A refusal of words that are no command, with the nearest; `lines` are the words of all commands. */
export function toUnknownCommand(given: readonly string[], lines: readonly string[]): UsageError {
  const [first = '', second] = given;
  const inGroup = lines.filter((line) => line.startsWith(`${first} `));
  if (first.startsWith('-')) return new UsageError(`${first} is no option of quern; quern help lists its commands`);
  if (inGroup.length === 0) {
    const near = nearName(first, [...new Set([...lines, ...lines.map(firstWord)])]);
    const meant = near === null ? '' : ` did you mean quern ${near}?`;
    return new UsageError(`${first} is not a command;${meant} quern help lists them`);
  }
  const verbs = `quern ${inGroup.map((line, at) => (at === 0 ? line : line.slice(first.length + 1))).join(', ')}`;
  if (second === undefined) return new UsageError(`${first} is a group of commands: ${verbs}`);
  const near = nearName(`${first} ${second}`, inGroup);
  const meant = near === null ? '' : ` did you mean quern ${near}?`;
  return new UsageError(`${first} ${second} is not a command;${meant} there are ${verbs}`);
}

function firstWord(line: string): string {
  return line.split(' ', 1)[0] ?? line;
}
