import { clearLine, cursorTo } from 'node:readline';
import type { Output } from './push.js';

const REDRAW_MILLIS = 100;
const BAR_CELLS = 24;
const MEBIBYTE = 1_048_576;

/**
 * Prints lines on standard output and, below them on a terminal, how far all files are: on standard error, so that a pipe gets the
 * lines alone. `end` takes the bar away.
 */
export function terminalOutput(stdout: NodeJS.WriteStream, stderr: NodeJS.WriteStream): Output & { end: () => void } {
  const hasBar = stderr.isTTY === true;
  let total = { files: 0, bytes: 0 };
  let done = { files: 0, bytes: 0 };
  let drawnMillis = 0;

  const clear = () => {
    if (drawnMillis === 0) return;
    cursorTo(stderr, 0);
    clearLine(stderr, 0);
    drawnMillis = 0;
  };
  const draw = () => {
    if (!hasBar || performance.now() - drawnMillis < REDRAW_MILLIS) return;
    clear();
    stderr.write(barOf(done, total).slice(0, stderr.columns - 1));
    drawnMillis = performance.now();
  };
  const print = (stream: NodeJS.WriteStream) => (line: string) => {
    clear();
    stream.write(`${line}\n`);
    draw();
  };
  return {
    out: print(stdout),
    err: print(stderr),
    begin: (files, bytes) => {
      total = { files, bytes };
      draw();
    },
    read: (bytes) => {
      done = { ...done, bytes: done.bytes + bytes };
      draw();
    },
    fileDone: () => {
      done = { ...done, files: done.files + 1 };
      draw();
    },
    end: clear,
  };
}

interface Amount {
  readonly files: number;
  readonly bytes: number;
}

/** `[######------] 12 of 40 files, 340 of 1024 MiB`. */
export function barOf(done: Amount, total: Amount): string {
  const share = Math.min(1, total.bytes === 0 ? done.files / Math.max(1, total.files) : done.bytes / total.bytes);
  const cells = Math.round(share * BAR_CELLS);
  const mebibytes = (bytes: number) => (bytes / MEBIBYTE).toFixed(bytes < 10 * MEBIBYTE ? 1 : 0);
  return `[${'#'.repeat(cells)}${'-'.repeat(BAR_CELLS - cells)}] ${done.files} of ${total.files} file${total.files === 1 ? '' : 's'}, ${mebibytes(done.bytes)} of ${mebibytes(total.bytes)} MiB`;
}
