import type { ComponentChildren } from 'preact';
import type { View } from '../view/view.js';
import type { SortColumn, TableSort } from '../view/view-state.js';

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
  const sort = view.get('sort');
  const onSort = (changed: TableSort) => view.change({ sort: changed }, 'replace');
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
          <Heading id="name" title={TITLES.name} sort={sort} onSort={onSort} />
          {VALUE_COLUMNS.map((id) => (
            // Above the shares too: "Mean total, MiB" needs the room, and a share is of the same.
            <Heading key={id} id={id} title={valueTitle(TITLES[id])} sort={sort} onSort={onSort} columns={2} />
          ))}
        </tr>
      </thead>
    </>
  );
}

interface Sort<Column extends string> {
  readonly column: Column;
  readonly descending: boolean;
}

interface HeadingProps<Column extends string> {
  readonly id: Column;
  readonly title: ComponentChildren;
  readonly sort: Sort<Column>;
  readonly onSort: (sort: Sort<Column>) => void;
  readonly columns?: number;
  readonly rows?: number;
}

/** A heading that sorts: first the largest or the first name, then the other way round. */
export function Heading<Column extends string>({
  id,
  title,
  sort,
  onSort,
  columns = 1,
  rows = 1,
}: HeadingProps<Column>) {
  const isSorted = sort.column === id;
  const toggle = () => onSort({ column: id, descending: isSorted ? !sort.descending : id !== 'name' });
  return (
    <th
      scope={columns === 1 ? 'col' : 'colgroup'}
      colSpan={columns}
      rowSpan={rows}
      aria-sort={!isSorted ? 'none' : sort.descending ? 'descending' : 'ascending'}
    >
      <button type="button" class="sort" onClick={toggle}>
        {title}
        {isSorted && <span aria-hidden="true">{sort.descending ? ' ↓' : ' ↑'}</span>}
      </button>
    </th>
  );
}
