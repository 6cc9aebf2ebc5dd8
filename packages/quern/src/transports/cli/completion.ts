import { SHELLS } from './administration.ts';
import { type CommandSpec, isShown, optionsOf, type OptionSpec } from './spec.ts';

type Shell = (typeof SHELLS)[number];

/** The hidden command that the scripts ask. */
export const COMPLETE = 'complete';

/** The one answer that asks the shell for file names. */
const FILES = ':files';

/** A word that may stand next, and what it means. */
type Completion = readonly [word: string, about: string];

const SCRIPTS: Readonly<Record<Shell, string>> = {
  bash: `# completion of quern for bash
_quern() {
  local word
  COMPREPLY=()
  while IFS= read -r word; do COMPREPLY+=("$word"); done \\
    < <("\${COMP_WORDS[0]}" ${COMPLETE} bash "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  if [ "\${COMPREPLY[0]-}" = '${FILES}' ]; then
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
    < <("\${words[1]}" ${COMPLETE} zsh "\${(@)words[2,CURRENT]}" 2>/dev/null)
  if [[ "\${described[1]-}" == '${FILES}' ]]; then
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
  set -l lines ($words[1] ${COMPLETE} fish $words[2..-1] "$current" 2>/dev/null)
  if test "$lines[1]" = '${FILES}'
    __fish_complete_path "$current"
  else
    printf '%s\\n' $lines
  end
end
complete -c quern -f -a '(__quern_complete)'
`,
};

/** The completion script of a shell, null for one that has none. */
export function scriptOf(name: string): string | null {
  const shell = SHELLS.find((one) => one === name);
  return shell === undefined ? null : SCRIPTS[shell];
}

/** The answer to a script: a line for each word that may stand at the end of these. */
export function completeLine([shell = '', ...words]: readonly string[], specs: readonly CommandSpec[]): string {
  const given = shell === 'bash' ? joinAtEquals(words) : words;
  const found = completionsOf(given, specs);
  if (found === null) return `${FILES}\n`;
  const current = given.at(-1) ?? '';
  // Bash splits at an equals sign, and replaces what stands after it.
  const cut = shell === 'bash' && current.includes('=') ? current.indexOf('=') + 1 : 0;
  return found
    .filter(([word]) => word.startsWith(current))
    .map(([word, about]) => `${toLine(shell, word.slice(cut), about)}\n`)
    .join('');
}

function toLine(shell: string, word: string, about: string): string {
  if (shell === 'zsh') return word.replaceAll(':', String.raw`\:`) + (about === '' ? '' : `:${about}`);
  return shell === 'fish' ? `${word}\t${about}` : word;
}

/** `--output` `=` `text` as one word. */
function joinAtEquals(words: readonly string[]): readonly string[] {
  const joined: string[] = [];
  for (const word of words) {
    const last = joined.at(-1) ?? '';
    const belongs = word === '=' || last.endsWith('=');
    if (belongs && last.startsWith('--')) joined[joined.length - 1] = last + word;
    else joined.push(word);
  }
  return joined;
}

/** The words that may stand at the end; null for a file name. */
function completionsOf(given: readonly string[], specs: readonly CommandSpec[]): readonly Completion[] | null {
  const current = given.at(-1) ?? '';
  const before = given.slice(0, -1);
  const isHelp = before[0] === 'help';
  const words = isHelp ? before.slice(1) : before;
  const spec = isHelp ? null : findSpec(words, specs);
  const below = specs.filter(
    ({ words: own }) => own.length > words.length && words.every((word, at) => own[at] === word),
  );
  const next = below.map((one): Completion => {
    const isWhole = one.words.length === words.length + 1;
    return [one.words[words.length] ?? '', isWhole ? one.summary : `${one.words[words.length] ?? ''} …`];
  });
  const commands = [...new Map(next.toReversed()).entries()].toReversed();
  if (spec === null) return commands;
  const [flag = '', ...typed] = current.startsWith('--') ? current.split('=') : [''];
  const isValue = typed.length > 0;
  const option = findOption(spec, isValue ? flag : (before.at(-1) ?? ''));
  if (option !== null && option.hint !== null) return valuesOf(option, isValue ? `${flag}=` : '', current);
  if (current.startsWith('-')) return optionsOf(spec).filter(isShown).flatMap(toFlags);
  const takesFile = spec.arguments.some(({ name }) => isFile(name));
  const values = spec.arguments.flatMap((one) => one.values ?? []).map((value): Completion => [value, '']);
  return takesFile ? null : [...commands, ...values];
}

function findSpec(words: readonly string[], specs: readonly CommandSpec[]): CommandSpec | null {
  const fitting = specs.filter(({ words: own }) => own.every((word, at) => words[at] === word));
  return fitting.toSorted((one, other) => other.words.length - one.words.length)[0] ?? null;
}

function findOption(spec: CommandSpec, word: string): OptionSpec | null {
  return optionsOf(spec).find(({ flag, short }) => word === `--${flag}` || word === `-${short ?? '-'}`) ?? null;
}

function toFlags({ flag, about, isNegatable }: OptionSpec): readonly Completion[] {
  const [sentence = ''] = about.split('\n', 1);
  return [[`--${flag}`, sentence], ...(isNegatable === true ? [[`--no-${flag}`, sentence] as const] : [])];
}

/** The values of an option; of a list those that may follow what is there. */
function valuesOf({ hint, values }: OptionSpec, prefix: string, current: string): readonly Completion[] | null {
  const words = values ?? (hint !== null && /^[\w-]+(?:\|[\w-]+)+$/.test(hint) ? hint.split('|') : null);
  if (words === null) return hint !== null && isFile(hint) ? null : [];
  const typed = current.slice(prefix.length);
  const head = prefix + typed.slice(0, typed.lastIndexOf(',') + 1);
  return words.map((word) => [head + word, '']);
}

function isFile(hint: string): boolean {
  return /FILE|FOLDER/.test(hint);
}
