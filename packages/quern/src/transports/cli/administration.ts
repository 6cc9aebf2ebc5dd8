import type { ArgumentSpec, CommandSpec, CommandArguments, OptionSpec } from './spec.ts';
import type { Terminal } from './context.ts';

/** Runs an administration command: prints its result and returns the exit code. `words` are the words of the command. */
export type RunAdministration = (
  args: CommandArguments,
  terminal: Terminal,
  words: readonly string[],
) => Promise<number>;

/** Administration commands (those that call no operation) by their first word. The code of each is loaded when it runs. */
export type AdministrationCommands = Readonly<Record<string, () => Promise<RunAdministration>>>;

const SERVICE_HEADING = 'Service:';
const OPERATOR_HEADING = 'Keys and data of a service:';
const DIAGNOSIS_HEADING = 'Diagnosis:';
const CLI_HEADING = 'This command line:';

/** Shells with a completion script. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const;

type CommandDeclaration = { readonly words: string; readonly summary: string; readonly heading: string } & Partial<
  Pick<CommandSpec, 'arguments' | 'options' | 'examples'>
>;

function declareCommand({ words, ...rest }: CommandDeclaration): CommandSpec {
  return { arguments: [], options: [], examples: [words], operation: null, adds: [], ...rest, words: words.split(' ') };
}

function requireArgument(name: string, about: string, values?: readonly string[]): ArgumentSpec {
  return { name, about, isRequired: true, ...(values === undefined ? {} : { values }) };
}

function allowArgument(name: string, about: string): ArgumentSpec {
  return { name, about, isRequired: false };
}

function declareOption(flag: string, hint: string | null, about: string): OptionSpec {
  return { flag, hint, about };
}

const TENANT_ARGUMENT = requireArgument('TENANT', 'Its id, ten_…');
const KEY_ARGUMENT = requireArgument('KEY_ID', 'Its id, key_…, as quern keys list shows it');

/** Every administration command, as help and completion show it. */
export const ADMINISTRATION_SPECS: readonly CommandSpec[] = [
  declareCommand({ words: 'serve', summary: 'start the service', heading: SERVICE_HEADING }),
  declareCommand({
    words: 'worker',
    summary: 'run jobs for the services on the same PostgreSQL',
    heading: SERVICE_HEADING,
  }),
  declareCommand({
    words: 'mcp',
    summary: 'tools for an agent (MCP) on standard input and output; docs/guide/mcp.md has configurations',
    heading: SERVICE_HEADING,
  }),
  declareCommand({
    words: 'login',
    summary: 'store a server and its key for later commands',
    heading: CLI_HEADING,
    arguments: [requireArgument('URL', 'URL of the server; its key is prompted for, or read from standard input')],
    examples: ['login http://127.0.0.1:7700', 'login https://quern.example < key.txt'],
  }),
  declareCommand({ words: 'logout', summary: 'delete the stored server and key', heading: CLI_HEADING }),
  declareCommand({
    words: 'status',
    summary: 'show where commands go, its version, and the plan, credits and queue of the key',
    heading: CLI_HEADING,
    examples: ['status', 'status --json'],
  }),
  declareCommand({
    words: 'keys create',
    summary: 'create a tenant with a key, or another key; the key is shown once',
    heading: OPERATOR_HEADING,
    options: [
      declareOption('plan', 'PLAN', 'Plan of a new tenant'),
      declareOption('tenant', 'TENANT', 'Tenant that gets another key'),
      declareOption('name', 'TEXT', 'Name of tenant and key'),
      declareOption('operator', null, 'Create an operator key'),
    ],
    examples: ['keys create --plan starter --name newsroom', 'keys create --tenant ten_…'],
  }),
  declareCommand({
    words: 'console',
    summary: 'print a link that signs in to the console once, within ten minutes',
    heading: OPERATOR_HEADING,
    arguments: [allowArgument('KEY_ID', 'Key to sign in with, key_…; default: the oldest operator key')],
    examples: ['console', 'console key_…'],
  }),
  declareCommand({ words: 'keys list', summary: 'list all keys', heading: OPERATOR_HEADING }),
  declareCommand({
    words: 'keys revoke',
    summary: 'revoke a key at once',
    heading: OPERATOR_HEADING,
    arguments: [KEY_ARGUMENT],
    examples: ['keys revoke key_…'],
  }),
  declareCommand({
    words: 'keys rotate',
    summary: 'replace a key by a new one; the old key is revoked at once',
    heading: OPERATOR_HEADING,
    arguments: [KEY_ARGUMENT],
    examples: ['keys rotate key_…'],
  }),
  declareCommand({
    words: 'tenants list',
    summary: 'list all tenants with plan and credits',
    heading: OPERATOR_HEADING,
  }),
  declareCommand({
    words: 'tenants plan',
    summary: 'move a tenant to another plan',
    heading: OPERATOR_HEADING,
    arguments: [TENANT_ARGUMENT, requireArgument('PLAN', 'Name of the plan')],
    examples: ['tenants plan ten_… pro'],
  }),
  declareCommand({
    words: 'tenants top-up',
    summary: 'add credits until the end of the month',
    heading: OPERATOR_HEADING,
    arguments: [TENANT_ARGUMENT, requireArgument('CREDITS', 'How many')],
    examples: ['tenants top-up ten_… 10000'],
  }),
  declareCommand({
    words: 'tenants credit',
    summary: 'refund the credits of one request, job or monitor run',
    heading: OPERATOR_HEADING,
    arguments: [TENANT_ARGUMENT, requireArgument('ID', 'Id of the request, the job or the run')],
    examples: ['tenants credit ten_… req_…'],
  }),
  declareCommand({
    words: 'tenants suspend',
    summary: 'suspend a tenant: refuse its calls except reads, and pause its jobs and monitors',
    heading: OPERATOR_HEADING,
    arguments: [TENANT_ARGUMENT],
    examples: ['tenants suspend ten_…'],
  }),
  declareCommand({
    words: 'tenants resume',
    summary: 'end the suspension of a tenant',
    heading: OPERATOR_HEADING,
    arguments: [TENANT_ARGUMENT],
    examples: ['tenants resume ten_…'],
  }),
  declareCommand({
    words: 'backup',
    summary: 'write all data to a new file, whether or not the service is running',
    heading: OPERATOR_HEADING,
    arguments: [requireArgument('FILE', 'A new file')],
    examples: ['backup quern-2026-11-21.quern'],
  }),
  declareCommand({
    words: 'restore',
    summary: 'replace the data by a backup; stop the service first, and run it on the machine of the data',
    heading: OPERATOR_HEADING,
    arguments: [requireArgument('FILE', 'A backup')],
    options: [declareOption('force', null, 'Replace existing data, after backing it up')],
    examples: ['restore quern-2026-11-21.quern --force'],
  }),
  declareCommand({
    words: 'jobs export',
    summary: 'write the whole result of a job to a file or a bucket: CSV, Parquet, ZIP, llms.txt',
    heading: 'Jobs:',
    arguments: [requireArgument('ID', 'The job')],
    options: [
      declareOption(
        'format',
        'TEXT',
        'csv, parquet, zip, llms.txt, llms-full.txt, jsonl or warc; default: by the name in --to',
      ),
      declareOption('chunks', null, 'A row for each chunk of pages with output chunks (jsonl, csv, parquet)'),
      declareOption(
        'to',
        'FILE',
        'A file, or s3://bucket/name?region=REGION or ?endpoint=URL; default: a file in this folder',
      ),
    ],
    examples: ['jobs export job_01kat6v3g5f2q8r9s0tvwxyzab --to pages.parquet'],
  }),
  declareCommand({
    words: 'webhooks listen',
    summary: 'receive webhook events on this machine, verify and print them',
    heading: DIAGNOSIS_HEADING,
    options: [
      declareOption('port', 'N', 'Port to listen on; default: any free port'),
      { ...declareOption('secret', 'whsec_…', 'Secret that events are signed with'), isRepeatable: true },
    ],
    examples: ['webhooks listen --port 8080 --secret whsec_…'],
  }),
  declareCommand({
    words: 'sites list',
    summary: 'list the endpoints of known sites, searches and answers with their health',
    heading: DIAGNOSIS_HEADING,
  }),
  declareCommand({
    words: 'sites check',
    summary: 'run a known-good request per endpoint, and report what has changed',
    heading: DIAGNOSIS_HEADING,
    arguments: [allowArgument('SITE', 'A site, or one endpoint of it')],
    options: [declareOption('report', null, 'Write a report in Markdown, to be attached to an issue')],
    examples: ['sites check', 'sites check codehost', 'sites check --report --out report.md'],
  }),
  declareCommand({
    words: 'doctor',
    summary: 'check store, results, disk, DNS, runtime and access tiers, and suggest fixes',
    heading: DIAGNOSIS_HEADING,
    examples: ['doctor', 'doctor --json'],
  }),
  declareCommand({
    words: 'config',
    summary: 'show every setting with its value and source',
    heading: DIAGNOSIS_HEADING,
    examples: ['config', 'config --json'],
  }),
  declareCommand({
    words: 'completion',
    summary: 'print the completion script of a shell',
    heading: CLI_HEADING,
    arguments: [requireArgument('SHELL', 'The shell', SHELLS)],
    examples: [
      'completion bash >> ~/.bashrc',
      'completion zsh >> ~/.zshrc',
      'completion fish > ~/.config/fish/completions/quern.fish',
    ],
  }),
  declareCommand({
    words: 'help',
    summary: 'show the commands, or the options of one',
    heading: CLI_HEADING,
    arguments: [{ ...allowArgument('COMMAND', 'The words of a command'), isRepeatable: true }],
    options: [declareOption('all', null, 'Every command with its usage, and the exit codes')],
    examples: ['help', 'help crawl', 'help jobs show', 'help --all'],
  }),
  declareCommand({ words: 'version', summary: 'show the version', heading: CLI_HEADING }),
];
