type Given = Readonly<Record<string, string | boolean | undefined>>;

export type Bounds = { readonly least: number; readonly most: number };

/** The whole number of an option of a command; null when it is not given. */
export function readNumber(values: Given, name: string, { least, most }: Bounds): number | null {
  const text = values[name];
  if (text === undefined) return null;
  const number = Number(text);
  if (Number.isInteger(number) && number >= least && number <= most) return number;
  throw new Error(`--${name} takes a whole number from ${least} to ${most}`);
}

/** Those of the contenders that `--only` names, in their own order; all when it is not given. */
export function readOnly<T extends string>(only: string | undefined, contenders: readonly T[]): readonly T[] {
  const names = only?.split(',') ?? contenders;
  const stranger = names.find((name) => !contenders.some((one) => one === name));
  if (stranger !== undefined) throw new Error(`--only ${stranger}: there are ${contenders.join(', ')}`);
  return contenders.filter((name) => names.includes(name));
}
