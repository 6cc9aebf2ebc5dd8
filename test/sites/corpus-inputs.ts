import type { Recording } from './corpus.ts';

/** How the input is told from a recording, where the address of its page does not do; null for what is not of its kind. */
export const INPUTS: Readonly<Record<string, (read: Recording) => Readonly<Record<string, unknown>> | null>> = {
  'codehost.user': ({ body }) => {
    const login = /"login":\s*"([^"]+)"/.exec(body)?.[1];
    return login === undefined ? null : { username: login };
  },
};

/** Folders of the corpus that hold recordings of an endpoint under another name. */
export const OTHER_FOLDERS: Readonly<Record<string, readonly string[]>> = {};
