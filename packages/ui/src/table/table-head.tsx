import type { View } from '../view/view.js';
import type { SortColumn } from '../view/view-state.js';

/** Columns of the table that hold values; each has its share of the total beside it. */
export const VALUE_COLUMNS = ['self', 'total'] as const;

const TITLES: Readonly<Record<SortColumn, string>> = { name: 'Function', self: 'Self', total: 'Total' };

interface TableHeadProps {
  readonly view: View;
  /** Of the value columns: the cells go without. */
  readonly unit: string;
}

/** The headings, by which the table is sorted. */
export function TableHead({ view, unit }: TableHeadProps) {
  const heading = (id: SortColumn) => <Heading view={view} id={id} unit={id === 'name' ? '' : unit.trim()} />;
  return (
    <>
      <colgroup>
        <col />
        {VALUE_COLUMNS.flatMap((id) => [
          <col key={id} class="table-value-column" />,
          <col key={`${id} share`} class="table-share-column" />,
        ])}
      </colgroup>
      <thead>
        <tr aria-rowindex={1}>
          {heading('name')}
          {VALUE_COLUMNS.flatMap((id) => [
            heading(id),
            <th key={`${id} share`} scope="col" class="table-share">
              <span class="visually-hidden">{TITLES[id]}, share of total</span>
            </th>,
          ])}
        </tr>
      </thead>
    </>
  );
}

function Heading({ view, id, unit }: { view: View; id: SortColumn; unit: string }) {
  const sort = view.get('sort');
  const isSorted = sort.column === id;
  const toggle = () => {
    const descending = isSorted ? !sort.descending : id !== 'name';
    view.change({ sort: { column: id, descending } }, 'replace');
  };
  return (
    <th scope="col" aria-sort={!isSorted ? 'none' : sort.descending ? 'descending' : 'ascending'}>
      <button type="button" class="sort" onClick={toggle}>
        {TITLES[id]}
        {unit && `, ${unit}`}
        {isSorted && <span aria-hidden="true">{sort.descending ? ' ↓' : ' ↑'}</span>}
      </button>
    </th>
  );
}
