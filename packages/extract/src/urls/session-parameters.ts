import { buildWordSet } from '#extract/values/word-set.ts';

/** Parameters that programs of shops and forums name sessions by, and nothing else. */
const SESSION_PARAMETERS: ReadonlySet<string> = buildWordSet(
  'oscsid xtcsid zenid sessid phpsessionid ___sid asp.net_sessionid',
);
/** Names that sites use for other things too: the value decides. */
const POSSIBLE_SESSION_PARAMETERS: ReadonlySet<string> = buildWordSet(
  'sid s sess session sessionid session_id session-id',
);
/** A random value: letters and digits mixed, or so long that nobody wrote it. */
const RANDOM_VALUE = /^(?=[a-z]*\d)(?=\d*[a-z])[a-z\d]{6,}$|(?=[a-z]*\d|\d*[a-z])[a-z\d]{16,}/i;

/** Whether a query parameter as it is written in a URL holds the session of a visitor. */
export function isSessionParameter(name: string, value: string): boolean {
  const known = name.toLowerCase().replace(/^amp;/, '');
  return SESSION_PARAMETERS.has(known) || (POSSIBLE_SESSION_PARAMETERS.has(known) && RANDOM_VALUE.test(value));
}
