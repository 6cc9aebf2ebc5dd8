import { getList, getNumber, getRecord, getText, getValue } from '#console/app/json.ts';
import { describeInput } from '#console/views/jobs/describe-job.ts';

/** Describes what a monitor watches in one line; empty if the monitor is not loaded yet. */
export function describeMonitor(monitor: unknown): string {
  const inside = describeInput(getRecord(monitor, 'target', 'input'));
  const channels = getList(monitor, 'channels').map(
    (one) => `${getText(one, 'provider')} ${getText(one, 'property_id')}`,
  );
  return (
    getText(monitor, 'url') ||
    channels.join(', ') ||
    getText(monitor, 'property_id') ||
    getText(monitor, 'slug') ||
    getText(monitor, 'product_id') ||
    `${getText(monitor, 'target', 'operation')} ${inside}`.trim()
  );
}

/** Returns the state of a monitor, such as `ok`, `failing` or `paused`. */
export function getMonitorState(monitor: unknown): string {
  if (getValue(monitor, 'active') !== true) return getText(monitor, 'inactive_reason') || 'paused';
  return getText(monitor, 'health').replaceAll('_', ' ');
}

/** Formats a change in percent with its sign, such as `−10 %`; the service reports the absolute value. Empty for other values. */
export function formatChangeShare(change: unknown): string {
  const pct = getNumber(change, 'diff', 'pct');
  const [before, after] = [getAmount(getValue(change, 'previous_value')), getAmount(getValue(change, 'new_value'))];
  if (pct === null || before === null || after === null) return '';
  return `${after < before ? '−' : '+'}${Math.abs(pct).toLocaleString('en', { maximumFractionDigits: 1 })} %`;
}

/** Returns a value as a number; the amount of money. Null for other values. */
function getAmount(value: unknown): number | null {
  return typeof value === 'number' ? value : getNumber(value, 'amount');
}

/** Formats a value in one line: a number with its unit, money with its currency, lists and objects as JSON. */
export function formatValue(value: unknown, unit = ''): string {
  if (value === null || value === undefined) return '–';
  if (typeof value === 'string') return value;
  const amount = getNumber(value, 'amount');
  if (amount !== null) return `${amount.toLocaleString('en')} ${getText(value, 'currency')}`.trim();
  if (typeof value === 'number') return `${value.toLocaleString('en')} ${unit}`.trim();
  return JSON.stringify(value) ?? '–';
}
