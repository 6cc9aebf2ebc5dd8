/** A port of the environment; ends the demo with a sentence where it is none. */
export function readPort(name: string, usual: string): number {
  const text = process.env[name] || usual;
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  return end(`${name}: must be a port number from 0 to 65535`);
}

/** Ends the demo with the setting to change where a port is taken; any other error is thrown. */
export function refusePort(name: string): (error: unknown) => never {
  return (error) => {
    if (!/EADDRINUSE|is in use|QUERN_PORT/.test(String(error))) throw error;
    const usual = name === 'DEMO_PORT' ? '7700' : '7710';
    return end(
      `port ${process.env[name] || usual} is in use: set ${name} to another, such as ${name}=0 for a free one`,
    );
  };
}

function end(sentence: string): never {
  process.stderr.write(`demo: ${sentence}\n`);
  process.exit(1);
}
