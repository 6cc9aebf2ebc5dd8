import { styleText } from 'node:util';

/** Limits of printed output. */
const MAX_SHOWN_LINES = 6;
const MAX_SHOWN_COLUMNS = 110;

/** A completed step. */
export type StepResult = {
  readonly person: string;
  readonly title: string;
  readonly seconds: number;
  readonly isFine: boolean;
};

/** A failed step, whose error has been printed. */
class StepFailed extends Error {}

/** Runs the steps of several users, prints each with its duration, and records them for the final table. */
export class Walkthrough {
  readonly taken: StepResult[] = [];
  /** Aborted to end early. */
  readonly signal: AbortSignal;
  #person = '';

  constructor(signal: AbortSignal) {
    this.signal = signal;
  }

  /** Runs the steps of one user; after a failure, the remaining steps are skipped. */
  async person(person: string, about: string, take: () => Promise<void>): Promise<void> {
    this.#person = person;
    print(`\n${styleText('bold', person)}: ${about}`);
    try {
      await take();
    } catch (error) {
      if (!(error instanceof StepFailed)) throw error;
      print(styleText('red', `\n  The remaining steps of the ${person} are skipped.`));
    }
  }

  /** Runs one step. `command` is printed; `work` returns the output or throws. Throws `StepFailed` after a failure. */
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
    if (text !== '') print(styleText('dim', shortenText(text).replaceAll(/^/gm, '    ')));
    if (fault !== null) print(styleText('red', fault.replaceAll(/^/gm, '    ')));
    print(styleText('dim', `  ${seconds.toFixed(2)} s`));
    this.taken.push({ person: this.#person, title, seconds, isFine: fault === null });
    if (fault !== null) throw new StepFailed(title);
    return text;
  }
}

/** Formats the table of all steps. */
export function formatTable(taken: readonly StepResult[]): string {
  const people = computeWidth(['person', ...taken.map(({ person }) => person)]);
  const titles = computeWidth(['step', ...taken.map(({ title }) => title)]);
  const toLine = (person: string, title: string, seconds: string, state = ''): string =>
    `${person.padEnd(people)}  ${title.padEnd(titles)}  ${seconds.padStart(7)}${state}`;
  return [
    toLine('person', 'step', 'seconds'),
    ...taken.map(({ person, title, seconds, isFine }) =>
      toLine(person, title, seconds.toFixed(2), isFine ? '' : '  failed'),
    ),
  ].join('\n');
}

function computeWidth(cells: readonly string[]): number {
  return Math.max(...cells.map(({ length }) => length));
}

function shortenText(text: string): string {
  const lines = text.trimEnd().split('\n');
  const shown = lines.slice(0, MAX_SHOWN_LINES).map(cutLine);
  return [...shown, ...(lines.length > MAX_SHOWN_LINES ? [`… ${lines.length - MAX_SHOWN_LINES} more lines`] : [])].join(
    '\n',
  );
}

function cutLine(line: string): string {
  return line.length > MAX_SHOWN_COLUMNS ? `${line.slice(0, MAX_SHOWN_COLUMNS - 1)}…` : line;
}

export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** What all users share: a folder, the demo site, the mock sites, and the first API key. */
export type HourSetup = {
  /** Each user has a subfolder. */
  readonly folder: string;
  /** The origin of the demo site. */
  readonly site: string;
  /** Value of `QUERN_ALLOW_TARGETS`. */
  readonly allow: string;
  /** Value of `QUERN_SITES_FILE`. */
  readonly sitesFile: string;
  readonly key: string;
};
