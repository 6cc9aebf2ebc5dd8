import type { Administer } from './administration.ts';
import { EXIT } from './exit.ts';
import { isGiven } from './spec.ts';

/** `quern console`: a link that signs in with a key once, that of an operator unless one is named. */
export function consoleCommand(makeLink: (keyId: string | null) => Promise<string>): Administer {
  return async (given, terminal) => {
    const url = await makeLink(given.values[0] ?? null);
    terminal.out(isGiven(given, 'json') ? `${JSON.stringify({ welcome_url: url })}\n` : `${url}\n`);
    terminal.note('quern: this link signs in once, within ten minutes');
    return EXIT.ok;
  };
}
