import type { Operation } from '#engine/call/operation.ts';
import { ServiceError } from '#kernel/errors.ts';
import { completeAddress } from '#kernel/web-address.ts';
import { forgetLogin, keepLogin, type Remote } from '#kernel/login.ts';
import type { Administer } from './administration.ts';
import { EXIT } from './exit.ts';
import type { Said } from './parts.ts';
import { demandValue, isGiven } from './spec.ts';

export type LoginParts = {
  /** Where the login is kept, null where the user has no home. */
  readonly file: string | null;
  /** The server of `QUERN_URL` or of an earlier login. */
  readonly remote: Remote | null;
  /** An operation that every key may ask; it proves the key. */
  readonly usage: Operation;
  readonly ask: (remote: Remote, operation: Operation, raw: unknown) => Promise<Said>;
  /** A secret that is typed without being shown, or a line of standard input. */
  readonly readSecret: (question: string) => Promise<string>;
};

/** `quern login URL`: proves a key at a server, and keeps both for the commands that follow. */
export function loginCommand({ file, remote, usage, ask, readSecret }: LoginParts): Administer {
  return async (given, terminal) => {
    if (file === null) throw new ServiceError('invalid_request', 'HOME and XDG_CONFIG_HOME are not set');
    const url = readServer(demandValue(given, 0, 'URL'));
    const apiKey = (await readSecret(`API key for ${url}: `)).trim();
    if (apiKey === '') throw new ServiceError('missing_api_key', 'no key was given');
    const { body } = await ask({ url, apiKey, from: 'quern login' }, usage, {});
    keepLogin(file, { url, apiKey });
    const plan = String(body['plan']);
    if (isGiven(given, 'json')) terminal.out(`${JSON.stringify({ url, plan, file })}\n`);
    terminal.note(`quern: commands go to ${url} now (plan ${plan}); quern logout ends that`);
    if (remote !== null && remote.from === undefined)
      terminal.note(`quern: as long as QUERN_URL is set they go to ${remote.url}`);
    return EXIT.ok;
  };
}

/** A base URL without a user, since that would be shown. */
function readServer(text: string): string {
  const url = URL.parse(completeAddress(text));
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new ServiceError('invalid_request', 'URL: must be an http or https URL, such as http://127.0.0.1:7700');
  }
  if (url.username !== '' || url.password !== '' || url.search !== '') {
    throw new ServiceError('invalid_request', 'URL: must be without a user and a query; the key is asked for');
  }
  return url.href.replace(/[/#]+$/, '');
}

/** `quern logout`: forgets the kept server and key. */
export function logoutCommand({ file, remote }: Pick<LoginParts, 'file' | 'remote'>): Administer {
  return async (given, terminal) => {
    if (file !== null) forgetLogin(file);
    const place = remote === null || remote.from === 'quern login' ? null : remote.url;
    if (isGiven(given, 'json')) terminal.out(`${JSON.stringify({ url: place })}\n`);
    const where = place === null ? 'the data of this machine' : `${place} (QUERN_URL)`;
    terminal.note(`quern: logged out; commands go to ${where}`);
    return EXIT.ok;
  };
}
