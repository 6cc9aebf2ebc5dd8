import { readFileSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import type { Scores } from './suites.ts';

/** Figures by suite, then by column, then by name. */
type Measured = Readonly<Record<string, Readonly<Record<string, Scores>>>>;

const FILE = new URL('./floors.json', import.meta.url);
const Floors = z.record(z.string(), z.record(z.string(), z.record(z.string(), z.number())));
/** What another order of additions may change. */
const ROUNDING = 0.0005;

/** A line for each figure that fell below its floor. */
export function belowFloors(measured: Measured): readonly string[] {
  const floors = readFloors();
  return entriesOf(measured).flatMap(({ path, figure }) => {
    const floor = floors[path[0]]?.[path[1]]?.[path[2]] ?? 0;
    return figure >= floor - ROUNDING ? [] : [`${path.join(' ')} is ${figure.toFixed(3)}, below its floor ${floor}`];
  });
}

/** Raises each floor that a figure exceeds; none falls. */
export function raiseFloors(measured: Measured): void {
  const floors = readFloors();
  for (const { path, figure } of entriesOf(measured)) {
    const [suite, column, name] = path;
    const columns = (floors[suite] ??= {});
    const figures = (columns[column] ??= {});
    figures[name] = Math.max(figures[name] ?? 0, Math.floor(figure * 1000) / 1000);
  }
  writeFileSync(FILE, `${JSON.stringify(floors, null, 2)}\n`);
}

function readFloors(): z.infer<typeof Floors> {
  return Floors.parse(JSON.parse(readFileSync(FILE, 'utf8')));
}

function entriesOf(measured: Measured): readonly { path: readonly [string, string, string]; figure: number }[] {
  return Object.entries(measured).flatMap(([suite, columns]) =>
    Object.entries(columns).flatMap(([column, figures]) =>
      Object.entries(figures).map(([name, figure]) => ({ path: [suite, column, name] as const, figure })),
    ),
  );
}
