import { dirname, posix } from 'node:path';
import { listImports, type Source } from './house.ts';

/** Import cycles between files, type imports included, sorted. */
export function findCycles(sources: readonly Source[]): readonly (readonly string[])[] {
  const files = new Set(sources.map(({ file }) => file));
  const imports = new Map(
    sources.map(({ file, text }) => [
      file,
      listImports(text)
        .map((one) => toFile(file, one))
        .filter((one) => files.has(one)),
    ]),
  );
  return new CycleSearch(imports).groups().filter((group) => group.length > 1);
}

function toFile(from: string, specifier: string): string {
  return specifier.startsWith('.') ? posix.join(dirname(from), specifier) : specifier.replace(/^#/, '');
}

/** Tarjan's strongly connected components. */
class CycleSearch {
  readonly #imports: ReadonlyMap<string, readonly string[]>;
  readonly #order = new Map<string, number>();
  readonly #open: string[] = [];
  readonly #groups: string[][] = [];

  constructor(imports: ReadonlyMap<string, readonly string[]>) {
    this.#imports = imports;
  }

  groups(): readonly (readonly string[])[] {
    for (const file of this.#imports.keys()) if (!this.#order.has(file)) this.#visit(file);
    return this.#groups.map((group) => group.toSorted()).toSorted((a, b) => ((a[0] ?? '') < (b[0] ?? '') ? -1 : 1));
  }

  /** The lowest index reachable from this file among open components. */
  #visit(file: string): number {
    const at = this.#order.size;
    this.#order.set(file, at);
    this.#open.push(file);
    let earliest = at;
    for (const next of this.#imports.get(file) ?? []) {
      const seen = this.#order.get(next);
      if (seen === undefined) earliest = Math.min(earliest, this.#visit(next));
      else if (this.#open.includes(next)) earliest = Math.min(earliest, seen);
    }
    if (earliest === at) this.#groups.push(this.#open.splice(this.#open.indexOf(file)));
    return earliest;
  }
}
