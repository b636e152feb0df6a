// The filter box of a table: texts to find in any cell, and conditions on columns, separated by commas or 'and'.
import type { Cell } from '../data/csv'
import type { Column } from '../wire'

export interface Rows {
  columns: Column[]
  /** The values of each column. */
  data: Cell[][]
  count: number
}

export interface Filter {
  /** Whether to keep a row. */
  keep: (rows: Rows, row: number) => boolean
  /** What is wrong with the query, in a sentence; such a part is left out. */
  problem: string | null
}

type Test = (value: Cell) => boolean
type Read = { keep: Filter['keep'] } | { problem: string } | null

const OPERATORS = ['>=', '<=', '!=', '==', '=', '>', '<'] as const
type Operator = (typeof OPERATORS)[number]

/** Read a query such as `entropy > 2, role = broad, bridge`. */
export function readFilter(query: string, columns: Column[]): Filter {
  const read = terms(query).map((term) => readTerm(term, columns))
  const kept = read.flatMap((one) => (one !== null && 'keep' in one ? [one.keep] : []))
  const problem = read.find((one) => one !== null && 'problem' in one) as { problem: string } | undefined
  return { keep: (rows, row) => kept.every((keep) => keep(rows, row)), problem: problem?.problem ?? null }
}

/** The places of the rows that a filter keeps. */
export function filtered(rows: Rows, filter: Filter): number[] {
  return Array.from({ length: rows.count }, (_, row) => row).filter((row) => filter.keep(rows, row))
}

/** Part a query at commas and at the word 'and', except in quotes. */
function terms(query: string): string[] {
  const found: string[] = ['']
  for (const [part] of query.matchAll(/"[^"]*"|,|\sand\s|[^]/gi)) {
    if (part === ',' || /^\sand\s$/i.test(part)) found.push('')
    else found[found.length - 1] += part
  }
  return found.map((term) => term.trim()).filter((term) => term !== '')
}

function readTerm(term: string, columns: Column[]): Read {
  const found = /^("[^"]*"|[^"<>=!]+?)\s*(>=|<=|!=|==|=|>|<)\s*(.*)$/.exec(term)
  if (!found) return anywhere(unquoted(term))
  const name = unquoted(found[1]!.trim())
  const place = columns.findIndex((column) => column.name.toLowerCase() === name.toLowerCase())
  if (place < 0) return { problem: `There is no column “${name}”; put a text with = < or > in quotes to find it.` }
  const value = unquoted(found[3]!)
  if (value === '') return null
  const test = condition(columns[place]!, found[2] as Operator, value)
  return typeof test === 'string' ? { problem: test } : { keep: (rows, row) => test(rows.data[place]![row]!) }
}

function anywhere(text: string): Read {
  const sought = text.toLowerCase()
  return { keep: (rows, row) => rows.data.some((values) => values[row] !== null && String(values[row]).toLowerCase().includes(sought)) }
}

/** The test of a column's values, or what is wrong with it; what is missing is unlike everything. */
function condition(column: Column, operator: Operator, value: string): Test | string {
  if (column.kind === 'number') {
    const number = Number(value.replace('−', '-'))
    if (Number.isNaN(number)) return `“${column.name}” holds numbers; “${value}” is none.`
    return (own) => (own === null ? operator === '!=' : compare(own as number, operator, number))
  }
  if (operator !== '=' && operator !== '==' && operator !== '!=') {
    return `“${column.name}” holds no numbers; compare it with = or !=.`
  }
  const sought = value.toLowerCase()
  return (own) => (own !== null && String(own).toLowerCase() === sought) === (operator !== '!=')
}

function compare(own: number, operator: Operator, other: number): boolean {
  switch (operator) {
    case '>=': return own >= other
    case '<=': return own <= other
    case '>': return own > other
    case '<': return own < other
    case '!=': return own !== other
    default: return own === other
  }
}

function unquoted(text: string): string {
  return /^("[^]*"|'[^]+')$/.test(text) ? text.slice(1, -1) : text
}
