import { randomUUID } from 'node:crypto';
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { PilotlightError } from '@pilotlight/profile';
import { SCHEMA_VERSION } from './schema.js';

export interface DataFolder {
  readonly engine: string;
  readonly log: string;
  readonly snapshots: string;
  readonly storeId: string;
  /** Version of the tables as found; 0 for a new folder. */
  readonly schemaVersion: number;
  /** Notes that the tables are of this version now. */
  stamp(schemaVersion: number): void;
}

interface Marker {
  readonly storeId: string;
  readonly schemaVersion: number;
}

const REASONS = new Map([
  ['EACCES', 'this user may not write there'],
  ['EROFS', 'it is on a file system that can only be read'],
  ['EEXIST', 'it is a file'],
  ['ENOTDIR', 'a part of its path is a file'],
]);

/**
 * @throws PilotlightError `data_folder_newer`: written by a later version; `configuration`: no folder, or not one that can be written; `store_unavailable`:
 *   its marker is damaged. Nothing was touched.
 */
export function openDataFolder(path: string): DataFolder {
  try {
    // Only where it is needed: below /proc, Node's recursive mkdir never comes back.
    mkdirSync(path, { recursive: !existsSync(dirname(path)), mode: 0o700 });
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== 'EEXIST') throw unusable(path, thrown);
  }
  try {
    if (!statSync(path).isDirectory()) throw Object.assign(new Error(), { code: 'EEXIST' });
    accessSync(path, constants.W_OK | constants.X_OK);
  } catch (thrown) {
    throw unusable(path, thrown);
  }
  const markerPath = join(path, 'pilotlight.json');
  const marker = existsSync(markerPath) ? readMarker(markerPath) : { storeId: randomUUID(), schemaVersion: 0 };
  if (marker.schemaVersion > SCHEMA_VERSION) {
    throw new PilotlightError(
      'data_folder_newer',
      `the data folder ${path} was written by a later version of Pilotlight (tables of version ${marker.schemaVersion}, this program knows ${SCHEMA_VERSION}); nothing was changed`,
    );
  }
  return {
    engine: join(path, 'engine'),
    log: join(path, 'log'),
    snapshots: join(path, 'snapshots'),
    storeId: marker.storeId,
    schemaVersion: marker.schemaVersion,
    stamp(schemaVersion) {
      writeFileSync(`${markerPath}.new`, `${JSON.stringify({ storeId: marker.storeId, schemaVersion })}\n`, {
        flush: true,
      });
      renameSync(`${markerPath}.new`, markerPath);
    },
  };
}

function unusable(path: string, thrown: unknown): PilotlightError {
  const reason = (thrown as NodeJS.ErrnoException).code ?? 'unknown';
  return new PilotlightError(
    'configuration',
    `the data folder ${path} can't be used: ${REASONS.get(reason) ?? reason}`,
  );
}

function readMarker(path: string): Marker {
  let marker: Partial<Marker> | null = null;
  try {
    marker = JSON.parse(readFileSync(path, 'utf8')) as Partial<Marker> | null;
  } catch {
    // Said below: what is no JSON is as damaged as what is the wrong JSON.
  }
  const { storeId, schemaVersion } = marker ?? {};
  if (typeof storeId === 'string' && Number.isInteger(schemaVersion)) return marker as Marker;
  throw new PilotlightError(
    'store_unavailable',
    `${path} is damaged: it should hold {"storeId": …, "schemaVersion": …}; nothing was changed`,
  );
}
