/** Runs a benchmark, which is a file in this folder: `npm run bench -- NAME [options]`. Without a name it lists them. */
import { closest } from 'fastest-levenshtein';

const SUMMARIES = new Map([
  ['api', 'rates, start, memory and credits of a service'],
  ['browser', 'rendered pages against another crawler'],
  ['chunks', 'whole documentation cut into chunks'],
  ['compat', 'CPU of translating calls of other services'],
  ['console', 'bytes and time of the first view of the console, scrolling'],
  ['crawl', 'whole sites against other crawlers, growth, kills'],
  ['docs', 'quality of reading whole documentation'],
  ['exports', 'memory and CPU of exporting a hundred thousand pages'],
  ['extraction', 'quality of reading labelled pages'],
  ['extraction-speed', 'time of each step of reading a page'],
  ['grown', 'latency of a service over a year of stored rows'],
  ['interact', 'time of a step in a browser session'],
  ['jobs', 'jobs a second against other queues, restarts'],
  ['monitors', 'lateness of ten thousand monitors'],
  ['real', 'crawls of sites that real generators and wikis make'],
  ['security', 'time and memory of hostile input'],
  ['search-chain', 'time of a search while one of four engines hangs or is dead'],
  ['search-growth', 'time of queries while the full-text index grows'],
  ['search-index', 'known pages found again in the full-text index'],
  ['sites', 'CPU of reading a page for each site endpoint'],
  ['start', 'starts of the service, also with a hundred further site endpoints'],
  ['visit', 'CPU of one visit against a bare loop'],
  ['webhooks', 'events a second, and next to a thousand dead receivers'],
]);

const [name, ...options] = process.argv.slice(2);
if (name === undefined) {
  const lines = [...SUMMARIES].map(([known, summary]) => `  ${known.padEnd(18)}${summary}\n`);
  process.stdout.write(`npm run bench -- NAME [options]\n\n${lines.join('')}`);
} else if (SUMMARIES.has(name)) {
  process.argv.splice(2, Infinity, ...options);
  await import(`./${name}.ts`);
} else {
  process.stderr.write(`unknown benchmark: ${name}; did you mean ${closest(name, [...SUMMARIES.keys()])}?\n`);
  process.exitCode = 2;
}
