/** Counts the texts that were heard. */
export class Echoes {
  #heard = 0;

  /** A text as it comes back, with its number. */
  hear(text: string): { readonly text: string; readonly heard: number } {
    this.#heard += 1;
    return { text, heard: this.#heard };
  }
}
