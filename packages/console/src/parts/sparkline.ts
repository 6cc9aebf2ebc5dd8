import { html } from 'htm/preact';
import type { VNode } from 'preact';

const WIDTH = 96;
const HEIGHT = 24;
const PAD = 2;

type SparklineProps = { readonly values: readonly number[]; readonly label: string };

/** A line of a word's size; it says in words what it shows. */
export function Sparkline({ values, label }: SparklineProps): VNode | null {
  if (values.length < 2) return null;
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const points = values.map((value, at) => {
    const x = PAD + (at / (values.length - 1)) * (WIDTH - 2 * PAD);
    const share = high === low ? 0.5 : (value - low) / (high - low);
    return `${x.toFixed(1)},${(HEIGHT - PAD - share * (HEIGHT - 2 * PAD)).toFixed(1)}`;
  });
  return html`<svg
    class="sparkline"
    role="img"
    aria-label=${`${label}: from ${values[0]} to ${values.at(-1)}, between ${low} and ${high}`}
    width=${WIDTH}
    height=${HEIGHT}
    viewBox=${`0 0 ${WIDTH} ${HEIGHT}`}
  >
    <polyline points=${points.join(' ')} />
  </svg>`;
}
