import { listAt, numberAt, recordAt, textAt, valueAt } from '#console/app/json.ts';
import { describeInput } from '#console/views/jobs/describe-job.ts';

/** What a monitor watches, in a line; empty for one that is not known yet. */
export function targetOfMonitor(monitor: unknown): string {
  const inside = describeInput(recordAt(monitor, 'target', 'input'));
  const channels = listAt(monitor, 'channels').map((one) => `${textAt(one, 'provider')} ${textAt(one, 'property_id')}`);
  return (
    textAt(monitor, 'url') ||
    channels.join(', ') ||
    textAt(monitor, 'property_id') ||
    textAt(monitor, 'slug') ||
    textAt(monitor, 'product_id') ||
    `${textAt(monitor, 'target', 'operation')} ${inside}`.trim()
  );
}

/** The state of a monitor in a word. */
export function stateOfMonitor(monitor: unknown): string {
  if (valueAt(monitor, 'active') !== true) return textAt(monitor, 'inactive_reason') || 'paused';
  return textAt(monitor, 'health').replaceAll('_', ' ');
}

/** By how much of itself a number rose or fell, such as `−10 %`: the service answers the size alone. */
export function shareOfChange(change: unknown): string {
  const pct = numberAt(change, 'diff', 'pct');
  const [before, after] = [amountOf(valueAt(change, 'previous_value')), amountOf(valueAt(change, 'new_value'))];
  if (pct === null || before === null || after === null) return '';
  return `${after < before ? '−' : '+'}${Math.abs(pct).toLocaleString('en', { maximumFractionDigits: 1 })} %`;
}

/** A value of a field as a number: money by its amount; null for what is none. */
function amountOf(value: unknown): number | null {
  return typeof value === 'number' ? value : numberAt(value, 'amount');
}

/** A value of a field in a line: a number with its unit, money with its currency, lists and objects as JSON. */
export function toValueText(value: unknown, unit = ''): string {
  if (value === null || value === undefined) return '–';
  if (typeof value === 'string') return value;
  const amount = numberAt(value, 'amount');
  if (amount !== null) return `${amount.toLocaleString('en')} ${textAt(value, 'currency')}`.trim();
  if (typeof value === 'number') return `${value.toLocaleString('en')} ${unit}`.trim();
  return JSON.stringify(value) ?? '–';
}
