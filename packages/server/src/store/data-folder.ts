import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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

/** @throws PilotlightError `data_folder_newer`: written by a later version; nothing was touched. */
export function openDataFolder(path: string): DataFolder {
  const markerPath = join(path, 'pilotlight.json');
  let marker: Marker = { storeId: randomUUID(), schemaVersion: 0 };
  if (existsSync(markerPath)) marker = JSON.parse(readFileSync(markerPath, 'utf8')) as Marker;
  if (marker.schemaVersion > SCHEMA_VERSION) {
    throw new PilotlightError(
      'data_folder_newer',
      `the data folder ${path} was written by a later version of Pilotlight (tables of version ${marker.schemaVersion}, this program knows ${SCHEMA_VERSION}); nothing was changed`,
    );
  }
  mkdirSync(path, { recursive: true, mode: 0o700 });
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
