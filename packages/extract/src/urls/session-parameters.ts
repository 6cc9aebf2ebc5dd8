import { wordSet } from '#extract/values/word-set.ts';

/** Parameters that programs of shops and forums name sessions by, and nothing else. */
const CERTAIN: ReadonlySet<string> = wordSet('oscsid xtcsid zenid sessid phpsessionid ___sid asp.net_sessionid');
/** Names that sites use for other things too: the value decides. */
const POSSIBLE: ReadonlySet<string> = wordSet('sid s sess session sessionid session_id session-id');
/** A random value: letters and digits mixed, or so long that nobody wrote it. */
const TOKEN = /^(?=[a-z]*\d)(?=\d*[a-z])[a-z\d]{6,}$|(?=[a-z]*\d|\d*[a-z])[a-z\d]{16,}/i;

/** Whether a query parameter as it is written in a URL holds the session of a visitor. */
export function isSessionParameter(name: string, value: string): boolean {
  const known = name.toLowerCase().replace(/^amp;/, '');
  return CERTAIN.has(known) || (POSSIBLE.has(known) && TOKEN.test(value));
}
