import { openRendered } from './rendered.ts';

// A process to be killed: it renders a page that never ends, and prints the process id of its browser.
const begun = Promise.withResolvers<void>();
const rendered = await openRendered({
  '/loop': (_, response) => {
    begun.resolve();
    response.writeHead(200, { 'content-type': 'text/html' }).end('<script>while (true);</script>');
  },
});
const visit = rendered.visit('/loop');
await begun.promise;
process.stdout.write(`${rendered.pids()[0]}\n`);
await visit;
