/** Letters that two forms of a word share at least, and the most that one may add. */
const STEM = 4;
const ENDING = 3;

/** The asked words that a word of a text is a form of. */
export type FormsOf = (word: string) => readonly string[];

/** How often each asked word is in a list of words, in any form. */
export function countForms(list: readonly string[], formsOf: FormsOf): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const word of list) {
    for (const asked of formsOf(word)) counts.set(asked, (counts.get(asked) ?? 0) + 1);
  }
  return counts;
}

/** Looks words up by their beginning: a prompt may ask for a thousand, and pages have hundreds of thousands. */
export function toForms(asked: readonly string[]): FormsOf {
  const byStem = Map.groupBy(asked, (word) => word.slice(0, STEM));
  const known = new Map<string, readonly string[]>();
  return (word) => {
    const before = known.get(word);
    if (before !== undefined) return before;
    const forms = (byStem.get(word.slice(0, STEM)) ?? []).filter((one) => isForm(one, word));
    known.set(word, forms);
    return forms;
  };
}

/** Words of a prompt whose beginnings are looked for one by one. */
const FEW = 64;

/** Gives whether a folded text may hold a form of a word at all, which costs less than to part it into words. */
export function toPrefilter(asked: readonly string[]): (folded: string) => boolean {
  if (asked.length > FEW) return () => true;
  const beginnings = [...new Set(asked.map((word) => word.slice(0, STEM)))];
  return (folded) => beginnings.some((one) => folded.includes(one));
}

/** Whether two words are forms of one: "stop" and "stopped", "Mühle" and "Mühlen". */
function isForm(word: string, other: string): boolean {
  const [short, long] = word.length < other.length ? [word, other] : [other, word];
  return long === short || (short.length >= STEM && long.length - short.length <= ENDING && long.startsWith(short));
}
