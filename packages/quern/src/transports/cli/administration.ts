import type { ArgumentSpec, CommandSpec, Given, OptionSpec } from './spec.ts';
import type { Terminal } from './parts.ts';

/** Runs a command that is no operation; it prints its result and answers an exit code. */
export type Administer = (given: Given, terminal: Terminal, words: readonly string[]) => Promise<number>;

/** The commands that are no operations by their first word; each is loaded when it runs. */
export type Administration = Readonly<Record<string, () => Promise<Administer>>>;

const SERVICE = 'Service:';
const OPERATOR = 'Keys and data of a service:';
const DIAGNOSIS = 'Diagnosis:';
const HERE = 'This command line:';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;

type Written = { readonly words: string; readonly summary: string; readonly heading: string } & Partial<
  Pick<CommandSpec, 'arguments' | 'options' | 'examples'>
>;

function declare({ words, ...rest }: Written): CommandSpec {
  return { arguments: [], options: [], examples: [words], operation: null, adds: [], ...rest, words: words.split(' ') };
}

function need(name: string, about: string, values?: readonly string[]): ArgumentSpec {
  return { name, about, isRequired: true, ...(values === undefined ? {} : { values }) };
}

function may(name: string, about: string): ArgumentSpec {
  return { name, about, isRequired: false };
}

function option(flag: string, hint: string | null, about: string): OptionSpec {
  return { flag, hint, about };
}

const TENANT = need('TENANT', 'Its id, ten_…');
const KEY = need('KEY_ID', 'Its id, key_…, as quern keys list shows it');

/** Every command that asks no operation, as help and completion show it. */
export const ADMINISTRATION: readonly CommandSpec[] = [
  declare({ words: 'serve', summary: 'start the service', heading: SERVICE }),
  declare({ words: 'worker', summary: 'run jobs for the services on the same PostgreSQL', heading: SERVICE }),
  declare({
    words: 'mcp',
    summary: 'tools for an agent (MCP) on standard input and output; docs/guide/mcp.md has configurations',
    heading: SERVICE,
  }),
  declare({
    words: 'login',
    summary: 'keep a server and a key for the commands that follow',
    heading: HERE,
    arguments: [need('URL', 'The server; its key is asked for, or read from standard input')],
    examples: ['login http://127.0.0.1:7700', 'login https://quern.example < key.txt'],
  }),
  declare({ words: 'logout', summary: 'forget the server and the key of quern login', heading: HERE }),
  declare({
    words: 'status',
    summary: 'show where commands go, its version, and the plan, balance and queue of the key',
    heading: HERE,
    examples: ['status', 'status --json'],
  }),
  declare({
    words: 'keys create',
    summary: 'make a tenant and its key, or a further key; it is shown once',
    heading: OPERATOR,
    options: [
      option('plan', 'PLAN', 'Plan of a new tenant'),
      option('tenant', 'TENANT', 'Tenant that gets a further key'),
      option('name', 'TEXT', 'Name of tenant and key'),
      option('operator', null, 'A key that may also do what an operator does'),
    ],
    examples: ['keys create --plan starter --name newsroom', 'keys create --tenant ten_…'],
  }),
  declare({
    words: 'console',
    summary: 'print a link that signs in to the console once, within ten minutes',
    heading: OPERATOR,
    arguments: [may('KEY_ID', 'Key to sign in with, key_…; the oldest of an operator unless given')],
    examples: ['console', 'console key_…'],
  }),
  declare({ words: 'keys list', summary: 'list all keys', heading: OPERATOR }),
  declare({
    words: 'keys revoke',
    summary: 'end a key at once',
    heading: OPERATOR,
    arguments: [KEY],
    examples: ['keys revoke key_…'],
  }),
  declare({
    words: 'keys rotate',
    summary: 'make a new key in the place of one, which ends at once',
    heading: OPERATOR,
    arguments: [KEY],
    examples: ['keys rotate key_…'],
  }),
  declare({ words: 'tenants list', summary: 'list all tenants with plan and balance', heading: OPERATOR }),
  declare({
    words: 'tenants plan',
    summary: 'put a tenant on another plan',
    heading: OPERATOR,
    arguments: [TENANT, need('PLAN', 'Name of the plan')],
    examples: ['tenants plan ten_… pro'],
  }),
  declare({
    words: 'tenants top-up',
    summary: 'add credits until the end of the month',
    heading: OPERATOR,
    arguments: [TENANT, need('CREDITS', 'How many')],
    examples: ['tenants top-up ten_… 10000'],
  }),
  declare({
    words: 'tenants credit',
    summary: 'give back the charge of one request, job or monitor run',
    heading: OPERATOR,
    arguments: [TENANT, need('ID', 'Id of the request, the job or the run')],
    examples: ['tenants credit ten_… req_…'],
  }),
  declare({
    words: 'tenants suspend',
    summary: 'refuse all calls of a tenant but reading, and let its jobs and monitors rest',
    heading: OPERATOR,
    arguments: [TENANT],
    examples: ['tenants suspend ten_…'],
  }),
  declare({
    words: 'tenants resume',
    summary: 'end the suspension of a tenant',
    heading: OPERATOR,
    arguments: [TENANT],
    examples: ['tenants resume ten_…'],
  }),
  declare({
    words: 'backup',
    summary: 'write all data to a new file, while the service runs or not',
    heading: OPERATOR,
    arguments: [need('FILE', 'A new file')],
    examples: ['backup quern-2026-11-21.quern'],
  }),
  declare({
    words: 'restore',
    summary: 'put a backup in place of the data; no service may run, so it is done on the machine of the data',
    heading: OPERATOR,
    arguments: [need('FILE', 'A backup')],
    options: [option('force', null, 'Replace what is there, after a backup of it')],
    examples: ['restore quern-2026-11-21.quern --force'],
  }),
  declare({
    words: 'webhooks listen',
    summary: 'receive events on this machine, verify and print them',
    heading: DIAGNOSIS,
    options: [
      option('port', 'N', 'Port to listen on; a free one unless given'),
      { ...option('secret', 'whsec_…', 'Secret that events are signed with'), isRepeatable: true },
    ],
    examples: ['webhooks listen --port 8080 --secret whsec_…'],
  }),
  declare({
    words: 'sites list',
    summary: 'list the endpoints of known sites, searches and answers, and how they do',
    heading: DIAGNOSIS,
  }),
  declare({
    words: 'sites check',
    summary: 'run a known good request of each endpoint, and report what has changed',
    heading: DIAGNOSIS,
    arguments: [may('SITE', 'A site, or one endpoint of it')],
    options: [option('report', null, 'Write a report in Markdown, to be attached to an issue')],
    examples: ['sites check', 'sites check codehost', 'sites check --report --out report.md'],
  }),
  declare({
    words: 'doctor',
    summary: 'check store, results, disk, DNS, runtime and access tiers, and suggest fixes',
    heading: DIAGNOSIS,
    examples: ['doctor', 'doctor --json'],
  }),
  declare({
    words: 'config',
    summary: 'show every setting, its value and where it comes from',
    heading: DIAGNOSIS,
    examples: ['config', 'config --json'],
  }),
  declare({
    words: 'completion',
    summary: 'print the completion script of a shell',
    heading: HERE,
    arguments: [need('SHELL', 'The shell', SHELLS)],
    examples: [
      'completion bash >> ~/.bashrc',
      'completion zsh >> ~/.zshrc',
      'completion fish > ~/.config/fish/completions/quern.fish',
    ],
  }),
  declare({
    words: 'help',
    summary: 'show the commands, or the options of one',
    heading: HERE,
    arguments: [{ ...may('COMMAND', 'The words of a command'), isRepeatable: true }],
    options: [option('all', null, 'Every command with its usage, and the exit codes')],
    examples: ['help', 'help crawl', 'help jobs show', 'help --all'],
  }),
  declare({ words: 'version', summary: 'show the version', heading: HERE }),
];
