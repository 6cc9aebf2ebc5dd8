import { Agent, request } from 'undici';

const EVERY_MS = 20;
const GOAL_MS = 50;
const ANSWER_MS = 60_000;

/** Requests `/healthz` every 20 ms, even while responses are pending; prints the results on SIGTERM. */
const service = process.argv[2] ?? '';
const dispatcher = new Agent({ bodyTimeout: ANSWER_MS, headersTimeout: ANSWER_MS });
const took: number[] = [];
const slow: { at: number; ms: number }[] = [];
const begun = performance.now();
let last = begun;
let ownMs = 0;

const timer = setInterval(() => {
  const now = performance.now();
  ownMs = Math.max(ownMs, now - last - EVERY_MS);
  last = now;
  void probe();
}, EVERY_MS);

process.once('SIGTERM', () => {
  clearInterval(timer);
  const sorted = took.toSorted((a, b) => a - b);
  const at = (part: number): number => sorted[Math.floor(part * (sorted.length - 1))] ?? 0;
  const seen = { count: took.length, mostMs: at(1), p999Ms: at(0.999), p99Ms: at(0.99), p50Ms: at(0.5), slow, ownMs };
  process.stdout.write(`${JSON.stringify(seen)}\n`, () => process.exit(0));
});

async function probe(): Promise<void> {
  const asked = performance.now();
  const answer = await request(`${service}/healthz`, { dispatcher });
  await answer.body.arrayBuffer();
  const ms = performance.now() - asked;
  took.push(ms);
  if (ms > GOAL_MS) slow.push({ at: asked - begun, ms });
}
