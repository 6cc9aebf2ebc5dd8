/** Spider, a crawler in Rust: it follows links by itself and returns each page as HTML with its links. */
import { Website } from '@spider-rs/spider-rs';
import { openStanding } from './standing.mjs';

const standing = openStanding();
const kept = { links: 0, chars: 0 };
const website = new Website(standing.start)
  .withBudget({ '*': 1_000_000 })
  .withRespectRobotsTxt(true)
  .withReturnPageLinks(true)
  .withDelay(0)
  .build();
await standing.untilToldToBegin();
await website.crawl((error, page) => {
  if (error !== null || page.statusCode !== 200) return;
  kept.links += page.links?.length ?? 0;
  kept.chars += page.content.length;
  standing.count(page.url);
});
standing.end();
