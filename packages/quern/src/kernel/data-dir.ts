import { accessSync, constants, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { dirname, join, resolve } from 'node:path';
import { OperatorError } from './errors.ts';

const SECRET_FILE = 'secret.key';
/** Files by which a data folder is recognised: the embedded database, or the secret or folder id of a service on PostgreSQL. */
const SERVICE_FILES = ['quern.db', SECRET_FILE, 'folder.id'];

type Environment = Readonly<Record<string, string | undefined>>;

/** Whether a service has stored data in the folder. */
export function isDataDir(folder: string): boolean {
  return SERVICE_FILES.some((file) => existsSync(join(folder, file)));
}

/** The data folder of a user, for commands without a service; null if the user has no home folder. */
export function findUserDataDir({ XDG_DATA_HOME: folder, HOME: home }: Environment): string | null {
  // The XDG specification ignores relative paths.
  if (folder?.startsWith('/') === true) return join(folder, 'quern');
  return home?.startsWith('/') === true ? join(home, '.local/share/quern') : null;
}

/** Creates the data folder if it is missing; throws `OperatorError` if it cannot be written. */
export function createDataDir(folder: string): void {
  try {
    createFolder(resolve(folder));
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const why = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw new OperatorError(`QUERN_DATA_DIR ${folder}: cannot be written (${why})`, { cause: error });
  }
}

/** Creates a folder by its absolute path. Node's recursive mkdir never returns if the kernel refuses it, as in `/proc`. */
export function createFolder(folder: string): void {
  if (existsSync(folder)) return;
  createFolder(dirname(folder));
  mkdirSync(folder, { mode: 0o700 });
}

/** The id of a data folder among those that share a database, generated once and stored in the folder. */
export function loadFolderId(folder: string): string {
  const text = loadOrCreate(join(folder, 'folder.id'), () => randomBytes(12).toString('base64url'));
  if (text === '')
    throw new OperatorError(`${join(folder, 'folder.id')}: is empty; delete it to start with an empty cache`);
  return text;
}

/** The 32-byte key that encrypts secrets and signs cursors: from the setting, or generated once in the data folder. */
export function loadSecret(folder: string, setting: string | undefined): Uint8Array {
  if (setting !== undefined) return Buffer.from(setting, 'base64');
  return storeSecret(folder, randomBytes(32));
}

/** The secret from the setting or the data folder; null if neither has one yet. */
export function findSecret(folder: string, setting: string | undefined): Uint8Array | null {
  if (setting === undefined && !existsSync(join(folder, SECRET_FILE))) return null;
  return loadSecret(folder, setting);
}

/** Stores a secret in the data folder unless it already has one; returns the stored one. */
export function storeSecret(folder: string, made: Uint8Array): Uint8Array {
  const file = join(folder, SECRET_FILE);
  const secret = Buffer.from(
    loadOrCreate(file, () => Buffer.from(made).toString('base64')),
    'base64',
  );
  if (secret.length !== 32)
    throw new OperatorError(`${file}: does not hold 32 bytes in base64; restore it from a backup`);
  return secret;
}

function loadOrCreate(file: string, make: () => string): string {
  try {
    // `wx` fails if the file exists, so that two processes that start at once use the same secret.
    writeFileSync(file, `${make()}\n`, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  return readFileSync(file, 'utf8').trim();
}
