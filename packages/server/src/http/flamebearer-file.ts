import { type CallTree, toFlamebearer } from '@pilotlight/profile';

const METADATA_UNITS = new Map([
  ['nanoseconds', 'samples'],
  ['bytes', 'bytes'],
  ['count', 'objects'],
]);

/** A call tree as the JSON file that clients of the Pyroscope API draw and keep. */
export function flamebearerFile(tree: CallTree, profileType: string) {
  const { names, levels, total, maxSelf } = toFlamebearer(tree);
  return {
    version: 1,
    flamebearer: { names, levels, numTicks: total, maxSelf },
    metadata: { format: 'single', ...metadataOf(profileType) },
  };
}

/** What such a file says of its values, besides its format. */
export function metadataOf(profileType: string) {
  const [name = '', , unit = ''] = profileType.split(':');
  return {
    spyName: '',
    sampleRate: name === 'process_cpu' ? 1_000_000_000 : 100,
    units: METADATA_UNITS.get(unit) ?? unit,
    name,
  };
}
