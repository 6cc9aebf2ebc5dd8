/** Numbers of the site's search filter, a protobuf message: field 1 is the order, field 2 the filters. Its codes are those that the filter menu of a result page links to. */
const ORDERS = { popularity: 3 } as const;
const DATES = { today: 2, week: 3, month: 4, year: 5 } as const;
const TYPES = { video: 1, channel: 2, playlist: 3, short: 9 } as const;
const DURATIONS = { short: 4, medium: 5, long: 2 } as const;

/** Features of videos with the field of the filter that asks for each. */
export const VIDEO_FEATURES = {
  hd: 4,
  subtitles: 5,
  creative_commons: 6,
  '3d': 7,
  live: 8,
  purchased: 9,
  '4k': 14,
  '360': 15,
  location: 23,
  hdr: 25,
  vr180: 26,
} as const;

export type VideoFeature = keyof typeof VIDEO_FEATURES;

export type SearchFilter = {
  readonly popular: boolean;
  readonly upload_date?: keyof typeof DATES | undefined;
  readonly type: keyof typeof TYPES | 'all';
  readonly duration?: keyof typeof DURATIONS | undefined;
  readonly features: readonly VideoFeature[];
};

/** The `sp` parameter of a result page: the filter as base64, null for none. */
export function toSearchParams(filter: SearchFilter): string | null {
  const { popular, upload_date: date, type, duration, features } = filter;
  const filters = [
    ...(date === undefined ? [] : field(1, DATES[date])),
    ...(type === 'all' ? [] : field(2, TYPES[type])),
    ...(duration === undefined ? [] : field(3, DURATIONS[duration])),
    ...features
      .map((name) => VIDEO_FEATURES[name])
      .toSorted((one, other) => one - other)
      .flatMap((number) => field(number, 1)),
  ];
  const order = popular ? field(1, ORDERS.popularity) : [];
  const bytes = filters.length === 0 ? order : [...order, (2 << 3) | 2, filters.length, ...filters];
  return bytes.length === 0 ? null : Buffer.from(bytes).toString('base64');
}

/** A field with a small number: its tag as a varint of one or two bytes, then the value. */
function field(number: number, value: number): readonly number[] {
  const tag = number << 3;
  return tag < 0x80 ? [tag, value] : [(tag & 0x7f) | 0x80, tag >> 7, value];
}
