import type { SetScore } from './scores.ts';

/** What each set must reach; figures of a set that differ are in {@link OTHERWISE}. */
type Floors = {
  readonly recall: number;
  readonly precision: number;
  readonly kept: number;
  /** Shares of pages that may lose over a tenth of their words, or be dated although none is. */
  readonly lossy: number;
  readonly dated: number;
  /** Pages that may hold tags for which Markdown has signs. */
  readonly stray: number;
};

const FLOORS: Floors = { recall: 0.99, precision: 0.97, kept: 0.99, lossy: 0.005, dated: 0.005, stray: 0 };

/** Sets that the rules were not made on. */
const OTHERWISE: Readonly<Record<string, Partial<Floors>>> = {
  haddock: { recall: 0.96, precision: 0.94, kept: 0.965, lossy: 0.06 },
  erlang: { lossy: 0.015 },
  qt: { lossy: 0.01 },
  postgresql: { kept: 0.98 },
  libreoffice: { kept: 0.975, lossy: 0.01 },
  freepascal: { precision: 0.955, kept: 0.945 },
  aptitude: { lossy: 0.016 },
};

/** What is left to differ where a set has few pages of a kind. */
const ROUNDING = 0.0005;

/** A line for each figure of a set that is worse than it must be. */
export function faultsOf(name: string, score: SetScore): readonly string[] {
  const floors = { ...FLOORS, ...OTHERWISE[name] };
  const least = [
    ['recall', score.recall, floors.recall],
    ['precision', score.precision, floors.precision],
    ...Object.entries(score.kept).map(([part, share]) => [part, share ?? 1, floors.kept] as const),
  ] as const;
  const most = [
    ['lose over a tenth', score.lossy, floors.lossy],
    ['dated', score.dated, floors.dated],
    ['stray HTML', score.stray, floors.stray],
  ] as const;
  return [
    ...least.flatMap(([of, figure, floor]) =>
      figure >= floor - ROUNDING ? [] : [lineOf(name, of, { figure, floor })],
    ),
    ...most.flatMap(([of, figure, floor]) => (figure <= floor + ROUNDING ? [] : [lineOf(name, of, { figure, floor })])),
  ];
}

function lineOf(
  name: string,
  of: string,
  { figure, floor }: { readonly figure: number; readonly floor: number },
): string {
  return `${name}: ${of} is ${figure.toFixed(3)}, worse than ${floor}`;
}
