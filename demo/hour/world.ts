/** What all four people share: a folder, a small newspaper, sites that are rehearsed, and the first key. */
export type HourWorld = {
  /** Each person has a folder of their own in it. */
  readonly folder: string;
  /** The origin of the newspaper. */
  readonly site: string;
  /** What `QUERN_ALLOW_TARGETS` must hold. */
  readonly allow: string;
  /** What `QUERN_SITES_FILE` names. */
  readonly sitesFile: string;
  readonly key: string;
};
