/** The rarest of what is asked for that are in enough pages together: pages that hold but common words come after theirs. */
export function rarest<T extends { readonly pages: number }>(asked: readonly T[], enough: number): readonly T[] {
  const taken: T[] = [];
  let pages = 0;
  for (const one of asked.toSorted((a, b) => a.pages - b.pages)) {
    if (pages >= enough) break;
    taken.push(one);
    pages += one.pages;
  }
  return taken;
}
