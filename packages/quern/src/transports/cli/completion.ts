import { SHELLS } from './administration.ts';
import { type CommandSpec, isVisible, listOptions, type OptionSpec } from './spec.ts';

type Shell = (typeof SHELLS)[number];

/** The hidden command that the completion scripts run. */
export const COMPLETE_COMMAND = 'complete';

/** The output that tells the shell to complete file names. */
const FILES_MARKER = ':files';

/** A possible next word, and its description. */
type Completion = readonly [word: string, about: string];

const SCRIPTS: Readonly<Record<Shell, string>> = {
  bash: `# completion of quern for bash
_quern() {
  local word
  COMPREPLY=()
  while IFS= read -r word; do COMPREPLY+=("$word"); done \\
    < <("\${COMP_WORDS[0]}" ${COMPLETE_COMMAND} bash "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  if [ "\${COMPREPLY[0]-}" = '${FILES_MARKER}' ]; then
    COMPREPLY=()
    compopt -o default
  fi
}
complete -F _quern quern
`,
  zsh: `#compdef quern
# completion of quern for zsh
_quern() {
  local line
  local -a described
  while IFS= read -r line; do described+=("$line"); done \\
    < <("\${words[1]}" ${COMPLETE_COMMAND} zsh "\${(@)words[2,CURRENT]}" 2>/dev/null)
  if [[ "\${described[1]-}" == '${FILES_MARKER}' ]]; then
    _files
  else
    _describe quern described
  fi
}
compdef _quern quern
`,
  fish: `# completion of quern for fish
function __quern_complete
  set -l words (commandline -opc)
  set -l current (commandline -ct)
  set -l lines ($words[1] ${COMPLETE_COMMAND} fish $words[2..-1] "$current" 2>/dev/null)
  if test "$lines[1]" = '${FILES_MARKER}'
    __fish_complete_path "$current"
  else
    printf '%s\\n' $lines
  end
end
complete -c quern -f -a '(__quern_complete)'
`,
};

/** Returns the completion script of a shell; null for an unsupported shell. */
export function getCompletionScript(name: string): string | null {
  const shell = SHELLS.find((one) => one === name);
  return shell === undefined ? null : SCRIPTS[shell];
}

/** Formats the output for a completion script: one line for each possible last word. */
export function formatCompletions([shell = '', ...words]: readonly string[], specs: readonly CommandSpec[]): string {
  const typedWords = shell === 'bash' ? joinSplitFlags(words) : words;
  const completions = findCompletions(typedWords, specs);
  if (completions === null) return `${FILES_MARKER}\n`;
  const current = typedWords.at(-1) ?? '';
  // Bash splits words at an equals sign and replaces only the part after it.
  const cut = shell === 'bash' && current.includes('=') ? current.indexOf('=') + 1 : 0;
  return completions
    .filter(([word]) => word.startsWith(current))
    .map(([word, about]) => `${formatCompletion(shell, word.slice(cut), about)}\n`)
    .join('');
}

function formatCompletion(shell: string, word: string, about: string): string {
  if (shell === 'zsh') return word.replaceAll(':', String.raw`\:`) + (about === '' ? '' : `:${about}`);
  return shell === 'fish' ? `${word}\t${about}` : word;
}

/** Joins `--output`, `=` and `text`, which Bash passes as three words. */
function joinSplitFlags(words: readonly string[]): readonly string[] {
  const joined: string[] = [];
  for (const word of words) {
    const last = joined.at(-1) ?? '';
    const belongs = word === '=' || last.endsWith('=');
    if (belongs && last.startsWith('--')) joined[joined.length - 1] = last + word;
    else joined.push(word);
  }
  return joined;
}

/** Finds the possible last words; null if it is a file name. */
function findCompletions(typedWords: readonly string[], specs: readonly CommandSpec[]): readonly Completion[] | null {
  const current = typedWords.at(-1) ?? '';
  const before = typedWords.slice(0, -1);
  const isHelp = before[0] === 'help';
  const words = isHelp ? before.slice(1) : before;
  const spec = isHelp ? null : findSpec(words, specs);
  const subcommands = specs.filter(
    ({ words: commandWords }) =>
      commandWords.length > words.length && words.every((word, at) => commandWords[at] === word),
  );
  const next = subcommands.map((subcommand): Completion => {
    const isLastWord = subcommand.words.length === words.length + 1;
    return [
      subcommand.words[words.length] ?? '',
      isLastWord ? subcommand.summary : `${subcommand.words[words.length] ?? ''} …`,
    ];
  });
  const commands = [...new Map(next.toReversed()).entries()].toReversed();
  if (spec === null) return commands;
  const [flag = '', ...typed] = current.startsWith('--') ? current.split('=') : [''];
  const isValue = typed.length > 0;
  const option = findOption(spec, isValue ? flag : (before.at(-1) ?? ''));
  if (option !== null && option.hint !== null) return listValues(option, isValue ? `${flag}=` : '', current);
  if (current.startsWith('-')) return listOptions(spec).filter(isVisible).flatMap(listFlags);
  const takesFile = spec.arguments.some(({ name }) => isFileHint(name));
  const values = spec.arguments.flatMap((one) => one.values ?? []).map((value): Completion => [value, '']);
  return takesFile ? null : [...commands, ...values];
}

function findSpec(words: readonly string[], specs: readonly CommandSpec[]): CommandSpec | null {
  const fitting = specs.filter(({ words: commandWords }) => commandWords.every((word, at) => words[at] === word));
  return fitting.toSorted((one, other) => other.words.length - one.words.length)[0] ?? null;
}

function findOption(spec: CommandSpec, word: string): OptionSpec | null {
  return listOptions(spec).find(({ flag, short }) => word === `--${flag}` || word === `-${short ?? '-'}`) ?? null;
}

function listFlags({ flag, about, isNegatable }: OptionSpec): readonly Completion[] {
  const [sentence = ''] = about.split('\n', 1);
  return [[`--${flag}`, sentence], ...(isNegatable === true ? [[`--no-${flag}`, sentence] as const] : [])];
}

/** Lists the values of an option, appended to the typed start of a comma list; null for a file name. */
function listValues({ hint, values }: OptionSpec, prefix: string, current: string): readonly Completion[] | null {
  const words = values ?? (hint !== null && /^[\w-]+(?:\|[\w-]+)+$/.test(hint) ? hint.split('|') : null);
  if (words === null) return hint !== null && isFileHint(hint) ? null : [];
  const typed = current.slice(prefix.length);
  const head = prefix + typed.slice(0, typed.lastIndexOf(',') + 1);
  return words.map((word) => [head + word, '']);
}

function isFileHint(hint: string): boolean {
  return /FILE|FOLDER/.test(hint);
}
