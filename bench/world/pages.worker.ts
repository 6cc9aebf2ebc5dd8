import { parentPort, workerData } from 'node:worker_threads';
import { WriteOrder, writePages } from './write.ts';

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- the port of a thread is no window
parentPort?.postMessage(writePages(WriteOrder.parse(workerData)));
