/** Addresses of rows of tables, as they stand behind the # of the page. */

export interface RowPlace {
  verb: string
  table: string
  row: number
}

/** Where a row is found. */
export function rowAddress({ verb, table, row }: RowPlace): string {
  return `row=${[verb, table, String(row)].map(encodeURIComponent).join('/')}`
}

/** The row that an address names, or null where it names none. */
export function readRow(hash: string): RowPlace | null {
  const [, verb, table, row] = /^#row=([^/]+)\/([^/]+)\/(\d+)$/.exec(hash) ?? []
  if (verb === undefined || table === undefined || row === undefined) return null
  try {
    return { verb: decodeURIComponent(verb), table: decodeURIComponent(table), row: Number(row) }
  } catch {
    return null
  }
}
