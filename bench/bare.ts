import { fastify } from 'fastify';

const PARAGRAPH = 'You hear a mill when it stops. ';

const answer = { title: 'A year at the mill', paragraphs: Array.from({ length: 32 }, () => PARAGRAPH.repeat(5)) };

const server = fastify();
server.get('/', () => answer);
process.stdout.write(`${await server.listen({ host: '127.0.0.1', port: 0 })}\n`);
