import type { RunAdministration } from './administration.ts';
import { EXIT } from './exit.ts';
import { hasFlag } from './spec.ts';

/** `quern console`: prints a link that signs in once, with the given key or else the oldest operator key. */
export function createConsoleCommand(makeLink: (keyId: string | null) => Promise<string>): RunAdministration {
  return async (given, terminal) => {
    const url = await makeLink(given.values[0] ?? null);
    terminal.out(hasFlag(given, 'json') ? `${JSON.stringify({ welcome_url: url })}\n` : `${url}\n`);
    terminal.note('quern: this link works once, within ten minutes');
    return EXIT.ok;
  };
}
