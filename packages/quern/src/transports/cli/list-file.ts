import { closeSync, openSync, readSync } from 'node:fs';
import { z } from 'zod';
import { ServiceError } from '#kernel/errors.ts';
import { allowsText } from '#transports/parameters.ts';
import { getItems, listForms } from '#transports/schema.ts';
import { type OperationCommand, toFlag } from './command.ts';
import { type CommandArguments, listFlagValues } from './spec.ts';

const MAX_FILE_BYTES = 10 * 1024 * 1024;
const STANDARD_INPUT = 0;

const Elements = z.array(z.unknown());

/**
 * Replaces `@FILE` by the elements of the file: a list as JSON, or one element per line. `@-` is standard input. If
 * elements are objects, any text that is not JSON names a file. Throws `invalid_request` for a file that cannot be read.
 */
export function readListFile(args: CommandArguments, command: OperationCommand): CommandArguments {
  const { operation, positional, parameters } = command;
  const member = operation.view?.fileMember;
  if (member === undefined) return args;
  const items = listForms(getItems(parameters.members.get(member) ?? {}), parameters.root);
  const flag = toFlag(member);
  const isText = allowsText(items);
  const expand = (text: string, shown: string): readonly string[] => {
    if (text.startsWith('@')) return readElements(text.slice(1), { member, isText, shown });
    return isText || /^[{[]/.test(text) ? [text] : readElements(text, { member, isText, shown });
  };
  const given = listFlagValues(args.flags, flag).flatMap((text) => expand(text, `--${flag}`));
  const values =
    positional === member ? args.values.flatMap((text) => expand(text, member.toUpperCase())) : args.values;
  return { values, flags: given.length === 0 ? args.flags : { ...args.flags, [flag]: given } };
}

type ListFile = {
  readonly member: string;
  /** Whether the file may have one element per line. */
  readonly isText: boolean;
  /** The argument that names the file, for errors. */
  readonly shown: string;
};

function readElements(path: string, { member, isText, shown }: ListFile): readonly string[] {
  try {
    const text = readFile(path).trim();
    if (isText && !text.startsWith('['))
      return text
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => line !== '');
    return Elements.parse(JSON.parse(text)).map(toText);
  } catch (error) {
    const why =
      error instanceof z.ZodError
        ? `does not contain a list of ${member}`
        : error instanceof Error
          ? error.message
          : '';
    const name = path === '-' ? 'standard input' : path;
    throw new ServiceError('invalid_request', `${shown}: ${name} ${why}`, { cause: error });
  }
}

function toText(element: unknown): string {
  return typeof element === 'string' ? element : JSON.stringify(element);
}

/** Reads a file, or standard input for `-`. */
function readFile(path: string): string {
  const file = path === '-' ? STANDARD_INPUT : openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(MAX_FILE_BYTES + 1);
    let length = 0;
    for (let read = -1; read !== 0 && length < bytes.length; length += read)
      read = readSync(file, bytes, length, bytes.length - length, null);
    if (length > MAX_FILE_BYTES) throw new Error('is larger than 10 MiB');
    return bytes.toString('utf8', 0, length);
  } finally {
    if (path !== '-') closeSync(file);
  }
}
