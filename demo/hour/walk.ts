import { styleText } from 'node:util';

/** Lines of an answer that are shown, and their width. */
const SHOWN_LINES = 6;
const SHOWN_COLUMNS = 110;

/** A step that was taken. */
export type Taken = {
  readonly person: string;
  readonly title: string;
  readonly seconds: number;
  readonly isFine: boolean;
};

/** A step that failed; what is wrong was printed. */
class StepFailed extends Error {}

/** The steps of several people: each is printed with what it took, and kept for the table at the end. */
export class Walk {
  readonly taken: Taken[] = [];
  /** Fires when the walk is to end early. */
  readonly signal: AbortSignal;
  #person = '';

  constructor(signal: AbortSignal) {
    this.signal = signal;
  }

  /** Takes the steps of one person; after one that failed the others would only fail too, so they are left out. */
  async person(person: string, about: string, take: () => Promise<void>): Promise<void> {
    this.#person = person;
    print(`\n${styleText('bold', person)}: ${about}`);
    try {
      await take();
    } catch (error) {
      if (!(error instanceof StepFailed)) throw error;
      print(styleText('red', `\n  The steps of the ${person} after this one are left out.`));
    }
  }

  /** Takes a step: a command as it is typed, and the work that answers its text, or throws what is wrong with it. Throws `StepFailed`. */
  async step(title: string, command: string, work: () => Promise<string>): Promise<string> {
    this.signal.throwIfAborted();
    const began = performance.now();
    print(`\n  ${styleText('cyan', title)}`);
    print(command.replaceAll(/^/gm, '  $ ').replaceAll('\n  $ ', '\n    '));
    let text = '';
    let fault: string | null = null;
    try {
      text = await work();
    } catch (error) {
      this.signal.throwIfAborted();
      fault = error instanceof Error ? error.message : String(error);
    }
    const seconds = (performance.now() - began) / 1000;
    if (text !== '') print(styleText('dim', firstLines(text).replaceAll(/^/gm, '    ')));
    if (fault !== null) print(styleText('red', fault.replaceAll(/^/gm, '    ')));
    print(styleText('dim', `  ${seconds.toFixed(2)} s`));
    this.taken.push({ person: this.#person, title, seconds, isFine: fault === null });
    if (fault !== null) throw new StepFailed(title);
    return text;
  }
}

/** The table of all steps. */
export function toTable(taken: readonly Taken[]): string {
  const people = widest(['person', ...taken.map(({ person }) => person)]);
  const titles = widest(['step', ...taken.map(({ title }) => title)]);
  const toLine = (person: string, title: string, seconds: string, state = ''): string =>
    `${person.padEnd(people)}  ${title.padEnd(titles)}  ${seconds.padStart(7)}${state}`;
  return [
    toLine('person', 'step', 'seconds'),
    ...taken.map(({ person, title, seconds, isFine }) =>
      toLine(person, title, seconds.toFixed(2), isFine ? '' : '  failed'),
    ),
  ].join('\n');
}

function widest(cells: readonly string[]): number {
  return Math.max(...cells.map(({ length }) => length));
}

function firstLines(text: string): string {
  const lines = text.trimEnd().split('\n');
  const shown = lines.slice(0, SHOWN_LINES).map(cut);
  return [...shown, ...(lines.length > SHOWN_LINES ? [`… ${lines.length - SHOWN_LINES} more lines`] : [])].join('\n');
}

function cut(line: string): string {
  return line.length > SHOWN_COLUMNS ? `${line.slice(0, SHOWN_COLUMNS - 1)}…` : line;
}

export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
