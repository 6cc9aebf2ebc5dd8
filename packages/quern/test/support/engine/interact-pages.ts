import type { Pages } from '../rendered.ts';

/** A site to click and type in. */
export const PAGES: Pages = {
  '/form': `<form action="/sent"><label>Name <input name="name"></label><label>Word <input name="word" type="password"></label>
    <select name="grain"><option value="rye">Rye<option value="oat">Oats</select><input type="checkbox" name="fine" id="fine">
    <input type="file" id="sack"><div id="sacks"></div><button>Send</button></form>
    <p id="more" onclick="this.dataset.n = +(this.dataset.n ?? 0) + 1; if (this.dataset.n >= 3) this.hidden = true">more</p>
    <i class="grain" onclick="this.textContent += '!'">rye</i><i class="grain">oats</i>
    <button id="ask" onclick="said.textContent = prompt('who')">ask</button><b id="said"></b><button disabled id="off">off</button>
    <a href="/inn" target="_blank" id="tab">tab</a><iframe src="/inn" id="inn"></iframe>
    <script>sack.onchange = async () => { sacks.textContent = sack.files[0].name + ' ' + await sack.files[0].text(); };</script>`,
  '/sent': (request, response) =>
    void response
      .setHeader('content-type', 'text/html')
      .end(`<h1>Sent</h1><p class="q">${request.url?.replaceAll('&', ' ')}</p>`),
  '/inn': '<h1>The inn</h1><button onclick="this.textContent = \'poured\'">pour</button>',
  '/tools': `<input type="checkbox" checked id="fine"><input placeholder="Which grain" id="grain"><b data-testid="stone" onclick="this.textContent += '!'">stone</b>
    <select id="kind"><option>rye<option>oat<option>spelt</select><i id="post" onmouseover="this.textContent = 'seen'">post</i>
    <p id="sack" draggable="true" ondragstart="event.dataTransfer.setData('text/plain', 'flour')">sack</p>
    <p id="cart" ondragover="event.preventDefault()" ondrop="this.textContent = event.dataTransfer.getData('text/plain')">cart</p>
    <p id="wheel" style="position: absolute; left: 300px; top: 10px; width: 40px" onmousedown="document.onmousemove = (move) => { this.style.left = move.clientX + 'px'; }; document.onmouseup = () => { document.onmousemove = null; };">wheel</p>
    <p id="end" style="margin-left: 500px">end</p>`,
  '/late':
    '<p id="late"></p><script>setTimeout(async () => { late.textContent = await (await fetch("/inn")).text(); }, 200)</script>',
  '/empty':
    '<div id="root"></div><script>setTimeout(() => { root.innerHTML = "<h1>Grain</h1><button>Order</button>"; }, 1200)</script>',
  '/blocked': (_, response) =>
    void response.writeHead(403, { 'cf-mitigated': 'block', 'content-type': 'text/html' }).end('no'),
  '/challenge': (_, response) =>
    void response
      .writeHead(403, { 'cf-mitigated': 'challenge', 'content-type': 'text/html' })
      .end('<title>Just a moment...</title>'),
  '/clears': (request, response) => {
    const isCleared = request.headers.cookie?.includes('clear=1') === true;
    const status = isCleared ? 200 : 403;
    response.writeHead(status, { 'content-type': 'text/html', ...(isCleared ? {} : { 'cf-mitigated': 'challenge' }) });
    response.end(
      isCleared
        ? '<h1>Rye</h1>'
        : '<title>Just a moment...</title><script>document.cookie = "clear=1"; setTimeout(() => location.reload(), 1500)</script>',
    );
  },
  '/leads-off':
    '<a id="off" href="http://inn.test/">off</a><img src="http://inn.test/img"><b onclick="setTimeout(() => { location.href = \'http://inn.test/late\'; })">late</b>',
};

type Raw = Readonly<Record<string, unknown>>;

/** Actions on `/tools` in one session, each with a script and its expected value; `LATE` is the URL of `/late`. */
export const DEEDS: readonly (readonly [Raw | readonly Raw[], string, unknown])[] = [
  [{ type: 'uncheck', target: { xpath: '//input[@type="checkbox"]' } }, 'fine.checked', false],
  [{ type: 'check', target: { xpath: '//*[@id="fine"]' } }, 'fine.checked', true],
  [{ type: 'type', target: { placeholder: 'Which grain' }, text: 'rye' }, 'grain.value', 'rye'],
  [
    [
      { type: 'press', target: '#grain', key: 'Control+A' },
      { type: 'press', key: 'Delete' },
    ],
    'grain.value',
    '',
  ],
  [{ type: 'click', target: { test_id: 'stone' }, count: 2 }, 'document.querySelector("b").textContent', 'stone!!'],
  [{ type: 'select', target: '#kind', label: 'oat' }, 'kind.value', 'oat'],
  [{ type: 'select', target: '#kind', index: 2 }, 'kind.value', 'spelt'],
  [{ type: 'hover', target: { text: 'post' } }, 'post.textContent', 'seen'],
  [{ type: 'drag', from: '#sack', to: { text: 'cart' } }, 'cart.textContent', 'flour'],
  [{ type: 'drag', from: '#wheel', to: '#end' }, 'parseInt(wheel.style.left) > 400', true],
  [
    [
      { type: 'goto', url: 'LATE' },
      { type: 'wait', for: 'idle' },
    ],
    'late.textContent.includes("The inn")',
    true,
  ],
  [[{ type: 'back' }, { type: 'wait', url: '/tools' }], 'location.pathname', '/tools'],
];
