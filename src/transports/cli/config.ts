import type { ShownSetting } from '#kernel/config.ts';
import type { Administration } from './parts.ts';
import { EXIT } from './exit.ts';

/** `quern config`: each setting with its value and where that came from; secrets are masked. */
export function configCommand(settings: readonly ShownSetting[]): Administration {
  return {
    summary: 'show every setting, its value and where it comes from',
    async run(args, { out, note }) {
      const others = args.filter((arg) => arg !== '--json');
      if (others.length > 0) {
        note(`quern: config takes no arguments but --json, and got ${others.join(' ')}`);
        return EXIT.usage;
      }
      if (args.includes('--json')) {
        out(`${JSON.stringify(settings, null, 2)}\n`);
        return EXIT.ok;
      }
      for (const { name, value, source, about } of settings) {
        out(`${name.padEnd(20)} ${(value === '' ? '-' : value).padEnd(24)} ${source.padEnd(12)} ${about}\n`);
      }
      return EXIT.ok;
    },
  };
}
