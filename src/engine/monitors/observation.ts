/** What the reading of one field gave besides its value. */
export type FieldMeta = {
  readonly source: 'extract' | 'record';
  /** What the page has, where that cannot be read as the field's type. */
  readonly raw?: string;
  /** ISO 4217 code of a price; null where the source names none. */
  readonly currency?: string | null;
  readonly missing?: true;
};

/** The text that a content monitor watches. */
export type Content = {
  /** SHA-256, hex, of the text in its normal form. */
  readonly hash: string;
  /** The normal form, one line of the page a line; null above 2 MiB. */
  readonly text: string | null;
};

/** What one completed run has seen. `values` holds JSON; null is a field that the page does not have. */
export type Observation = {
  readonly values: Readonly<Record<string, unknown>>;
  readonly field_meta: Readonly<Record<string, FieldMeta>>;
  /** Null unless the watch is of the mode `content`. A page without text has a hash of null. */
  readonly content: Content | { readonly hash: null; readonly text: null } | null;
};
