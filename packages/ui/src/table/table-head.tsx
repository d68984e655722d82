import type { View } from '../view/view.js';
import type { SortColumn } from '../view/view-state.js';

/** Columns of the table that hold values; each has its share of the total beside it. */
export const VALUE_COLUMNS = ['self', 'total'] as const;

const TITLES: Readonly<Record<SortColumn, string>> = { name: 'Function', self: 'Self', total: 'Total' };

interface TableHeadProps {
  readonly view: View;
  /** Of the value columns: the cells go without. */
  readonly unit: string;
  /** Put before their titles. */
  readonly prefix: string;
}

/** The headings, by which the table is sorted. */
export function TableHead({ view, unit, prefix }: TableHeadProps) {
  const valueTitle = (title: string) =>
    `${prefix}${prefix === '' ? title : title.toLowerCase()}${unit === '' ? '' : `, ${unit.trim()}`}`;
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
          <Heading view={view} id="name" title={TITLES.name} columns={1} />
          {VALUE_COLUMNS.map((id) => (
            // Above the shares too: "Mean total, MiB" needs the room, and a share is of the same.
            <Heading key={id} view={view} id={id} title={valueTitle(TITLES[id])} columns={2} />
          ))}
        </tr>
      </thead>
    </>
  );
}

interface HeadingProps {
  readonly view: View;
  readonly id: SortColumn;
  readonly title: string;
  readonly columns: number;
}

function Heading({ view, id, title, columns }: HeadingProps) {
  const sort = view.get('sort');
  const isSorted = sort.column === id;
  const toggle = () => {
    const descending = isSorted ? !sort.descending : id !== 'name';
    view.change({ sort: { column: id, descending } }, 'replace');
  };
  return (
    <th
      scope={columns === 1 ? 'col' : 'colgroup'}
      colSpan={columns}
      aria-sort={!isSorted ? 'none' : sort.descending ? 'descending' : 'ascending'}
    >
      <button type="button" class="sort" onClick={toggle}>
        {title}
        {isSorted && <span aria-hidden="true">{sort.descending ? ' ↓' : ' ↑'}</span>}
      </button>
    </th>
  );
}
