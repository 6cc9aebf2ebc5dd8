/** A body set as an HTML page. */
export type SetPage = {
  readonly html: string;
  /** A sentence about the part that was too large to convert; null when all is there. */
  readonly cut: string | null;
};
