import type { ShownSetting } from '#kernel/config.ts';
import type { Administer } from './administration.ts';
import { EXIT } from './exit.ts';
import { isGiven } from './spec.ts';

/** `quern config`: each setting with its value and where that came from; secrets are masked. */
export function configCommand(settings: readonly ShownSetting[]): Administer {
  return async (given, { out }) => {
    if (isGiven(given, 'json')) {
      out(`${JSON.stringify(settings, null, 2)}\n`);
      return EXIT.ok;
    }
    for (const { name, value, source, about } of settings) {
      out(`${name.padEnd(20)} ${(value === '' ? '-' : value).padEnd(24)} ${source.padEnd(12)} ${about}\n`);
    }
    return EXIT.ok;
  };
}
