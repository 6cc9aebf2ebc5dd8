/** A body converted to an HTML page. */
export type ConvertedPage = {
  readonly html: string;
  /** A sentence about the part that was too large to convert; null if it is complete. */
  readonly cut: string | null;
};
