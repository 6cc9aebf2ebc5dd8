/** The pages with the highest scores, of equal ones those with the lowest ids: a binary heap with the worst of them at its root. */
export class TopPages {
  readonly #most: number;
  readonly #ids: number[] = [];
  readonly #scores: number[] = [];
  #count = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** Number of pages that were added, whether they are among the best or not. */
  get count(): number {
    return this.#count;
  }

  add(id: number, score: number): void {
    this.#count += 1;
    if (this.#ids.length < this.#most) {
      this.#ids.push(id);
      this.#scores.push(score);
      this.#rise(this.#ids.length - 1);
    } else if (score > (this.#scores[0] ?? 0) || (score === this.#scores[0] && id < (this.#ids[0] ?? 0))) {
      this.#ids[0] = id;
      this.#scores[0] = score;
      this.#sink();
    }
  }

  /** Ids of the best pages, best first. */
  list(): readonly number[] {
    return this.#ids
      .map((id, at) => ({ id, score: this.#scores[at] ?? 0 }))
      .toSorted((one, other) => other.score - one.score || one.id - other.id)
      .map(({ id }) => id);
  }

  #rise(from: number): void {
    for (let at = from; at > 0;) {
      const parent = (at - 1) >> 1;
      if (!this.#isWorse(at, parent)) return;
      this.#swap(at, parent);
      at = parent;
    }
  }

  #sink(): void {
    for (let at = 0; ;) {
      let worst = at;
      for (const child of [2 * at + 1, 2 * at + 2]) {
        if (child < this.#ids.length && this.#isWorse(child, worst)) worst = child;
      }
      if (worst === at) return;
      this.#swap(at, worst);
      at = worst;
    }
  }

  #isWorse(at: number, other: number): boolean {
    const score = this.#scores[at] ?? 0;
    const otherScore = this.#scores[other] ?? 0;
    return score < otherScore || (score === otherScore && (this.#ids[at] ?? 0) > (this.#ids[other] ?? 0));
  }

  #swap(at: number, other: number): void {
    [this.#ids[at], this.#ids[other]] = [this.#ids[other] ?? 0, this.#ids[at] ?? 0];
    [this.#scores[at], this.#scores[other]] = [this.#scores[other] ?? 0, this.#scores[at] ?? 0];
  }
}
