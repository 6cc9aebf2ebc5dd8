import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { installFolder } from '#testkit/installed-folder.ts';

// Runs the clients of other services against a service. They need 220 MB, so they are no dependencies of the project.
const FOLDER = join(import.meta.dirname, '../e2e/compat');
const BOOTSTRAP = join(import.meta.dirname, '../packages/quern/bin/bootstrap.mjs');
// The peer dependencies of @langchain/community contradict each other, and that of the n8n nodes is n8n itself.
const FLAGS = ['--legacy-peer-deps', '--ignore-scripts'];

if (installFolder(join(import.meta.dirname, 'integrations'), FLAGS)) {
  const wanted = process.argv.slice(2);
  const files = readdirSync(FOLDER).filter(
    (file) => file.endsWith('.try.ts') && (wanted.length === 0 || wanted.some((name) => file.startsWith(name))),
  );
  const args = [
    BOOTSTRAP,
    '--test',
    '--test-concurrency=1',
    '--test-reporter=spec',
    ...files.map((file) => join(FOLDER, file)),
  ];
  process.exitCode = spawnSync(process.execPath, args, { stdio: 'inherit' }).status ?? 1;
} else process.exitCode = 1;
