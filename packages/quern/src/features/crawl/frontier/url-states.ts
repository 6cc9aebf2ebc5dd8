/** Values of the column `crawl_urls.state`. */
export const URL_STATES = { waiting: 0, claimed: 1, stored: 2, failed: 3, skipped: 4, parked: 5 } as const;
