import type { Operation } from '#engine/call/operation.ts';
import { ServiceError } from '#kernel/errors.ts';
import { completeUrl } from '#kernel/web-address.ts';
import { deleteLogin, storeLogin, type Remote } from '#kernel/login.ts';
import type { RunAdministration } from './administration.ts';
import { EXIT } from './exit.ts';
import type { OperationAnswer } from './context.ts';
import { getArgument, hasFlag } from './spec.ts';

/** What `quern login` and `quern logout` need. */
export type LoginParts = {
  /** The file that stores the login; null if the user has no home folder. */
  readonly file: string | null;
  /** The server of `QUERN_URL` or of an earlier login. */
  readonly remote: Remote | null;
  /** An operation that every key may call, used to check the key. */
  readonly usage: Operation;
  readonly ask: (remote: Remote, operation: Operation, raw: unknown) => Promise<OperationAnswer>;
  /** Reads a secret without echo from the terminal, or a line of standard input. */
  readonly readSecret: (question: string) => Promise<string>;
};

/** `quern login URL`: checks a key at a server, and stores both for later commands. */
export function createLoginCommand({ file, remote, usage, ask, readSecret }: LoginParts): RunAdministration {
  return async (args, terminal) => {
    if (file === null)
      throw new ServiceError('invalid_request', 'no folder to store the login: set HOME or XDG_CONFIG_HOME');
    const url = parseServerUrl(getArgument(args, 0, 'URL'));
    const apiKey = (await readSecret(`API key for ${url}: `)).trim();
    if (apiKey === '') throw new ServiceError('missing_api_key', 'no key was entered');
    const { body } = await ask({ url, apiKey, from: 'quern login' }, usage, {});
    storeLogin(file, { url, apiKey });
    const plan = String(body['plan']);
    if (hasFlag(args, 'json')) terminal.out(`${JSON.stringify({ url, plan, file })}\n`);
    terminal.note(`quern: commands go to ${url} now (plan ${plan}); quern logout reverts that`);
    if (remote !== null && remote.from === undefined)
      terminal.note(`quern: while QUERN_URL is set, commands go to ${remote.url}`);
    return EXIT.ok;
  };
}

/** Parses a base URL. User names are rejected, since the URL is shown in messages. */
function parseServerUrl(text: string): string {
  const url = URL.parse(completeUrl(text));
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new ServiceError('invalid_request', 'URL: must be an http or https URL, such as http://127.0.0.1:7700');
  }
  if (url.username !== '' || url.password !== '' || url.search !== '') {
    throw new ServiceError('invalid_request', 'URL: must not contain a user or a query; the key is prompted for');
  }
  return url.href.replace(/[/#]+$/, '');
}

/** `quern logout`: deletes the stored server and key. */
export function createLogoutCommand({ file, remote }: Pick<LoginParts, 'file' | 'remote'>): RunAdministration {
  return async (args, terminal) => {
    if (file !== null) deleteLogin(file);
    const place = remote === null || remote.from === 'quern login' ? null : remote.url;
    if (hasFlag(args, 'json')) terminal.out(`${JSON.stringify({ url: place })}\n`);
    const where = place === null ? 'the local data' : `${place} (QUERN_URL)`;
    terminal.note(`quern: logged out; commands go to ${where}`);
    return EXIT.ok;
  };
}
