import { EXPORT_FORMATS, type ExportFormat } from '@pilotlight/protocol';
import { useState } from 'preact/hooks';
import { downloadName, saveFile } from './download.js';
import { faultText } from './fault-text.js';
import type { PageStore } from './page-store.js';
import { useFirstFocus } from './popover.js';

interface FormatText {
  readonly title: string;
  readonly ending: string;
  readonly use: string;
}

const FORMATS: Readonly<Record<ExportFormat, FormatText>> = {
  pprof: { title: 'pprof', ending: 'pb.gz', use: 'go tool pprof, and pilotlight push' },
  collapsed: { title: 'Collapsed stacks', ending: 'collapsed.txt', use: 'text, a line a stack' },
  speedscope: { title: 'speedscope', ending: 'speedscope.json', use: 'www.speedscope.app' },
  flamebearer: { title: 'Flamebearer', ending: 'flamebearer.json', use: 'JSON, as Pyroscope has it' },
  svg: { title: 'SVG', ending: 'svg', use: 'a picture for a report' },
};

/** The profile of the whole selection as a file, in one of the formats the server writes. Search, zoom and transforms are not in it. */
export function ExportMenu({ store, close }: { store: PageStore; close: () => void }) {
  const [saving, setSaving] = useState<ExportFormat>();
  const root = useFirstFocus<HTMLUListElement>();
  const note = store.profile.data.value?.snapshots.note;
  const download = async (format: ExportFormat) => {
    const selection = store.selection.peek();
    if (selection === undefined) return;
    setSaving(format);
    try {
      const bytes = await store.client.exportProfile(selection, format);
      // Told by the content: a server of before may not pack it.
      const ending = format === 'pprof' && bytes[0] !== 0x1f ? 'pb' : FORMATS[format].ending;
      saveFile(bytes, downloadName(store.service.peek(), selection.profileType, ending));
    } catch (thrown) {
      store.say(`The profile could not be downloaded: ${faultText(thrown)}`);
    }
    close();
  };
  return (
    <>
      <ul class="presets export" ref={root}>
        {EXPORT_FORMATS.map((format) => (
          <li key={format}>
            <button type="button" disabled={saving !== undefined} onClick={() => download(format)}>
              <b>{FORMATS[format].title}</b>{' '}
              <span class="muted">{saving === format ? 'Downloading …' : FORMATS[format].use}</span>
            </button>
          </li>
        ))}
      </ul>
      {note && <p class="muted">The file holds the sum of all snapshots.</p>}
    </>
  );
}
