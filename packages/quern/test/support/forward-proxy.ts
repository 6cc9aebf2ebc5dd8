import { createServer, request as send } from 'node:http';
import { connect } from 'node:net';
import { startTcpServer } from '#testkit/servers.ts';

/** A request to a proxy: `GET http://host/path` or `CONNECT host:port`. */
export type ProxyRequests = readonly string[];

/** A plain HTTP proxy on loopback that requires credentials and records its requests. */
export async function openForwardProxy() {
  const asked: string[] = [];
  const [username, password] = ['visitor', 'a secret'];
  const expected = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  const refusal = { 'proxy-authenticate': 'Basic realm="proxy"' };

  const server = createServer((incoming, outgoing) => {
    const { 'proxy-authorization': given, ...headers } = incoming.headers;
    if (given !== expected) return outgoing.writeHead(407, refusal).end();
    asked.push(`${incoming.method} ${incoming.url}`);
    const onward = send(incoming.url ?? '', { method: incoming.method, headers, agent: false }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      answer.pipe(outgoing);
      answer.on('error', () => outgoing.destroy());
    });
    onward.on('error', () => outgoing.destroy());
    outgoing.on('close', () => onward.destroy());
    return incoming.pipe(onward);
  });
  server.on('connect', (incoming, socket, head) => {
    if (incoming.headers['proxy-authorization'] !== expected) {
      return socket.end('HTTP/1.1 407 Who\r\nProxy-Authenticate: Basic realm="proxy"\r\nContent-Length: 0\r\n\r\n');
    }
    asked.push(`CONNECT ${incoming.url}`);
    const { hostname, port } = new URL(`http://${incoming.url}`);
    const onward = connect(Number(port), hostname, () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      onward.write(head);
      socket.pipe(onward).pipe(socket);
    });
    onward.on('error', () => socket.destroy());
    return socket.on('error', () => onward.destroy());
  });

  const opened = await startTcpServer(server);
  return {
    egress: { url: opened.origin, admit: async () => ({ username, password, failureOf: () => null, revoke() {} }) },
    asked: (): ProxyRequests => asked,
    async [Symbol.asyncDispose](): Promise<void> {
      await opened[Symbol.asyncDispose]();
    },
  };
}
