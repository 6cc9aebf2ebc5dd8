import { createServer } from 'node:http';

/** Returns 200 bytes of JSON with a changing price, and accepts events by POST. */
let visits = 0;

const server = createServer((request, response) => {
  if (request.method === 'POST') {
    request.resume().on('end', () => response.writeHead(204).end());
    return;
  }
  visits += 1;
  const body = JSON.stringify({ name: 'Whole rye flour', price: visits, text: '' });
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(body.replace('""', `"${'x'.repeat(200 - body.length)}"`));
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address !== null && typeof address === 'object') process.stdout.write(`http://127.0.0.1:${address.port}\n`);
});
process.once('SIGTERM', () => {
  server.close();
  server.closeAllConnections();
});
