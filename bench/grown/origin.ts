import { createServer } from 'node:http';

/** A small page, and the price that monitors read. */
const PAGE = `<!doctype html><title>Rye</title><h1>Rye</h1><p>${'Whole rye flour, milled slowly. '.repeat(60)}</p>`;
const PRICE = JSON.stringify({ name: 'Whole rye flour', price: 3 });

const server = createServer((request, response) => {
  const isPrice = request.url === '/price';
  response.writeHead(200, { 'content-type': isPrice ? 'application/json' : 'text/html' });
  response.end(isPrice ? PRICE : PAGE);
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address !== null && typeof address === 'object') process.stdout.write(`http://127.0.0.1:${address.port}\n`);
});
process.once('SIGTERM', () => {
  server.close();
  server.closeAllConnections();
});
