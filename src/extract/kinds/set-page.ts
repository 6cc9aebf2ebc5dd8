/** A body set as an HTML page. */
export type SetPage = {
  readonly html: string;
  /** What of it was too much to set; null when all is there. */
  readonly cut: string | null;
};
