// Tables as CSV files that spreadsheets read and do not run.

export type Cell = string | number | boolean | null

/** Rows under a heading, as RFC 4180 has it. */
export function csv(heading: string[], rows: Iterable<Cell[]>): string {
  const lines = [heading.map(field).join(',')]
  for (const row of rows) lines.push(row.map(field).join(','))
  return `${lines.join('\r\n')}\r\n`
}

function field(cell: Cell): string {
  if (cell === null) return ''
  if (typeof cell !== 'string') return String(cell)
  // A spreadsheet would take such a text for a formula.
  const safe = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
