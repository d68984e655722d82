import type { Pushed } from './push.js';

/** Of those that were not stored, so many are named once more: above them may stand a thousand others. */
const NAMED_MAX = 20;

/** The last word; empty when one file was sent, of which all is said. */
export function summaryOf({ files, stored, failed, leftOut, notTried }: Pushed, interrupted: boolean): string {
  if (files === 1 && leftOut === 0 && !interrupted) return '';
  if (files === 0 && failed.length === 0 && !interrupted) {
    return `There is no profile${leftOut > 0 ? `; ${count(leftOut, 'other file')} left out` : ''}.`;
  }
  const parts = [`${stored} of ${count(files, 'file')} stored`];
  if (failed.length > 0) parts.push(`${failed.length} not, or not whole`);
  if (notTried > 0) parts.push(`${notTried} not sent`);
  if (leftOut > 0) parts.push(`${count(leftOut, 'other file')} left out: no profile`);
  const named = failed.slice(0, NAMED_MAX).map((path) => `\n  ${path}`);
  if (failed.length > NAMED_MAX) named.push(`\n  and ${failed.length - NAMED_MAX} more`);
  const again = interrupted ? '\nInterrupted: what was under way was given up, the rest was not begun.' : '';
  return `${parts.join('; ')}${files > 1 ? named.join('') : ''}${again}`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
