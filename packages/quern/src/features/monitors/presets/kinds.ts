/** The kinds of monitors; `generic` runs any operation, the others are presets of it. */
export const MONITOR_KINDS = ['generic', 'hotel', 'hotel_channels', 'launch'] as const;

export type MonitorKind = (typeof MONITOR_KINDS)[number];
