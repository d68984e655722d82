import { DEFAULT_READ_LIMITS, type ReadLimits } from '../limits.js';
import type { Reading } from '../model.js';
import { readPprof } from '../pprof/decode.js';
import { type PprofDrawing, pprofFromDrawing } from './pprof-drawing.js';

export const CPU = ['cpu/nanoseconds'];
/** Locations 1, 2, 3 are the functions main, a, b. */
export const NAMED = {
  types: CPU,
  locations: [
    { id: 1, lines: [[1]] },
    { id: 2, lines: [[2]] },
    { id: 3, lines: [[3]] },
  ],
  functions: [
    { id: 1, name: 'main' },
    { id: 2, name: 'a' },
    { id: 3, name: 'b' },
  ],
} as const;

export function readDrawing(drawing: PprofDrawing, limits: Partial<ReadLimits> = {}): Reading {
  return readPprof(pprofFromDrawing(drawing), { limits: { ...DEFAULT_READ_LIMITS, ...limits } });
}
