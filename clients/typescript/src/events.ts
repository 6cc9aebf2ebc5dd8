/** One server-sent event. */
export type ServerEvent = { readonly id: string | null; readonly event: string; readonly data: string };

/** The events of a stream, as they come. */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent, void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let open = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      open += decoder.decode(value, { stream: true });
      const blocks = open.split(/\r?\n\r?\n/);
      open = blocks.pop() ?? '';
      for (const block of blocks) {
        const event = toEvent(block);
        if (event.data !== '') yield event;
      }
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

function toEvent(block: string): ServerEvent {
  let id: string | null = null;
  let event = 'message';
  const data: string[] = [];
  for (const line of block.split(/\r?\n/)) {
    const [, field = '', value = ''] = /^(\w+):\s?(.*)$/.exec(line) ?? [];
    if (field === 'id') id = value;
    if (field === 'event') event = value;
    if (field === 'data') data.push(value);
  }
  return { id, event, data: data.join('\n') };
}
