import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { startService } from '#compose/service.ts';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';
import { loadConfig } from '#kernel/config.ts';
import { BROWSERS } from './rendered.ts';

// A service without a browser: its installer writes its process id and waits until the folder has a file `go`.
const GET = 'echo "$$" > getter; while [ ! -e go ]; do sleep 0.05; done; : > there';

const loaded = loadConfig();
const folder = loaded.config.QUERN_DATA_DIR;
const starting = { signal: new AbortController().signal, note: (line: string) => void process.stderr.write(line) };
const running = await startService(loaded, starting, {
  findBrowsers: () => (existsSync(join(folder, 'there')) ? BROWSERS : null),
  methods: [
    {
      about: 'gets a browser when it is told to',
      brings: ['shell', 'full'],
      obstacle: null,
      commands: [['/bin/sh', '-c', `cd "$1" && ${GET}`, 'sh', folder]],
    },
  ],
  clock: SYSTEM_CLOCK,
});
process.stdout.write(`Quern listens on ${running.origin}\n${running.notes.join('\n')}\n`);
process.once('SIGTERM', () => void running.drain().then(() => process.exit(0)));
