/**
 * The agent's voice in somebody else's process: single lines on stderr, few of them.
 *
 * They are written straight to the file descriptor. A worker's `process.stderr` goes through the main thread's event loop, which
 * may be blocked, and through whatever the application has made of its stream.
 */
import { writeSync } from 'node:fs';
import type { LogLevel } from './configuration.js';

const LEVELS: readonly LogLevel[] = ['debug', 'info', 'warn', 'error'];

export class Log {
  private readonly said = new Set<string>();

  constructor(private readonly level: LogLevel) {}

  debug(text: string): void {
    this.write('debug', text);
  }

  /** At most one line for each `topic`, as long as the process lives: what goes wrong here tends to do so again. */
  warnOnce(topic: string, text: string): void {
    if (this.said.has(topic)) return;
    this.said.add(topic);
    this.write('warn', text);
  }

  private write(level: LogLevel, text: string): void {
    if (LEVELS.indexOf(level) >= LEVELS.indexOf(this.level)) writeLine(text);
  }
}

/** One line on stderr; what is not printable in it becomes a space. */
export function writeLine(text: string): void {
  try {
    writeSync(2, `pilotlight agent: ${text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')}\n`);
  } catch {
    // A closed or full stderr must not become the application's problem.
  }
}
