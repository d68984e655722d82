import type { View } from '../view/view.js';
import { Segments } from './segments.js';

/** Graph, table, or both. */
export function PaneChoice({ view }: { view: View }) {
  return (
    <Segments
      legend="Show"
      options={[
        { value: 'graph', text: 'Graph' },
        { value: 'both', text: 'Both' },
        { value: 'table', text: 'Table' },
      ]}
      chosen={view.get('panes')}
      onChoose={(panes) => view.change({ panes }, 'replace')}
    />
  );
}
