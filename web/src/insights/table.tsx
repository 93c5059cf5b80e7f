export interface Cells {
  heads: readonly string[];
  /** The first of a row names it. */
  rows: readonly (readonly (string | number)[])[];
}

/** Numbers as a table that scrolls within its place. */
export function NumberTable({ title, cells }: { title: string; cells: Cells }) {
  return (
    <div tabIndex={0} role="region" aria-label={`${title}, as a table`} className="min-h-0 flex-1 overflow-auto">
      <table className="tabular w-full border-collapse text-sm">
        <caption className="sr-only">{title}</caption>
        <thead className="sticky top-0 bg-surface">
          <tr>
            {cells.heads.map((head, column) => (
              <th
                key={head}
                scope="col"
                className={`border-b border-line px-2 py-1 font-medium text-muted ${column === 0 ? "text-left" : "text-right"}`}
              >
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {cells.rows.map((row, index) => (
            <tr key={index} className="border-b border-line last:border-0">
              {row.map((cell, column) =>
                column === 0 ? (
                  <th key={column} scope="row" className="max-w-48 truncate px-2 py-1 text-left font-normal">
                    {cell}
                  </th>
                ) : (
                  <td key={column} className="px-2 py-1 text-right">
                    {cell}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
