import { crc32, deflateSync } from 'node:zlib';
import { drawBelow, type RandomSource, createRandom, buildArray, NOUNS } from './prose.ts';

const WIDTH = 400;
const HEIGHT = 300;
const FONT_BYTES = 40_000;
const ICON_BYTES = 318;
const SIGNATURE = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);

/** Fills an app shell, and marks other pages so that tests see that the script ran. */
const SCRIPT_END = `var s=0;for(var k in T)s+=T[k](1,2).length;var root=document.getElementById("root");if(root){var id=+root.dataset.id;fetch("/api/"+id+".json").then(function(r){return r.json()}).then(function(d){var h="<h1>"+d.title+"</h1>";d.items.forEach(function(t){h+="<section><h2>"+t.t+"</h2><p>"+t.p+"</p><a href=\\""+t.u+"\\">"+t.t+"</a></section>"});root.innerHTML=h;root.setAttribute("data-ready","1")})}else{document.querySelectorAll(".comment").forEach(function(c,i){c.setAttribute("data-i",i);var b=document.createElement("span");b.className="badge";b.textContent=i%3?"reader":"staff";c.appendChild(b)});document.documentElement.className="js";document.body.setAttribute("data-ready",String(s))}})();`;

/** The images, style sheet, script and font of the site. */
export function listAssets(): readonly (readonly [path: string, body: Buffer])[] {
  const images = buildArray(64, (at) => [`/static/img/${at}.png`, makePng(at)] as const);
  // The order matters, because they share a random source.
  const random = createRandom(5);
  const css = Buffer.from(makeStyleSheet(random));
  const script = Buffer.from(makeScript(random));
  const font = Buffer.from(buildArray(FONT_BYTES, () => drawBelow(random, 256)));
  return [
    ...images,
    ['/static/app.css', css],
    ['/static/app.js', script],
    ['/static/font.woff2', font],
    ['/favicon.ico', Buffer.alloc(ICON_BYTES)],
  ];
}

function makeStyleSheet(random: RandomSource): string {
  const face =
    '@font-face{font-family:Local;src:url(/static/font.woff2) format("woff2");font-display:swap}body{font-family:Local,system-ui,sans-serif}';
  const rules = buildArray(700, (at) => {
    const margin = `margin:${drawBelow(random, 40)}px`;
    const color = `color:#${drawBelow(random, 0xffffff).toString(16).padStart(6, '0')}`;
    const padding = `padding:${drawBelow(random, 9)}px ${drawBelow(random, 9)}px`;
    const hover = `.page--${at % 7} .u-${at}>a:hover{opacity:.${10 + drawBelow(random, 80)}}`;
    return `.u-${at}{${margin};${color};${padding}}${hover}`;
  });
  return face + rules.join('');
}

function makeScript(random: RandomSource): string {
  const functions = buildArray(900, (at) => {
    const start = `var c=a*${drawBelow(random, 99)}+b`;
    const loop = `for(var i=0;i<3;i++){c^=i*${drawBelow(random, 9)}}`;
    return `T.f${at}=function(a,b){${start};${loop}return c+"${NOUNS[at % NOUNS.length] ?? ''}"};`;
  });
  return `/* bundle */(function(){"use strict";var T={};${functions.join('')}${SCRIPT_END}`;
}

/** A gradient with noise, which compresses badly. */
function makePng(at: number): Buffer {
  const random = createRandom(at + 500);
  const raw = Buffer.alloc((WIDTH * 3 + 1) * HEIGHT);
  for (let y = 0; y < HEIGHT; y += 1) {
    for (let x = 0; x < WIDTH; x += 1) {
      const noise = drawBelow(random, 40);
      raw.set([(x + at * 3 + noise) & 255, (y + noise) & 255, (x + y) & 255], y * (WIDTH * 3 + 1) + 1 + x * 3);
    }
  }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(WIDTH);
  head.writeUInt32BE(HEIGHT, 4);
  // Eight bits a channel, red, green and blue.
  head[8] = 8;
  head[9] = 2;
  const data = deflateSync(raw, { level: 6 });
  return Buffer.concat([SIGNATURE, toChunk('IHDR', head), toChunk('IDAT', data), toChunk('IEND', Buffer.alloc(0))]);
}

function toChunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length);
  frame.writeUInt32BE(crc32(named), 4);
  return Buffer.concat([frame.subarray(0, 4), named, frame.subarray(4)]);
}
