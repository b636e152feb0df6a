// The order of a table's rows.
import type { Cell } from '../data/csv'
import type { Rows } from './filter'

export interface Order {
  column: number
  direction: 'ascending' | 'descending'
}

// Numbers inside names count as numbers: L2H8 stands before L10H1.
const collator = new Intl.Collator('en', { numeric: true })

/** The rows in order; rows without a value come last in both directions, equal ones stay as they were. */
export function sorted(rows: Rows, places: number[], order: Order | null): number[] {
  if (order === null) return places
  const values = rows.data[order.column]!
  const sign = order.direction === 'ascending' ? 1 : -1
  return places.toSorted((one, other) => {
    const [left, right] = [values[one]!, values[other]!]
    if (left === null || right === null) return Number(left === null) - Number(right === null)
    return sign * compare(left, right)
  })
}

/** What a click on a column's name asks for: up, then down, then as it was. */
export function next(order: Order | null, column: number): Order | null {
  if (order?.column !== column) return { column, direction: 'ascending' }
  return order.direction === 'ascending' ? { column, direction: 'descending' } : null
}

function compare(left: NonNullable<Cell>, right: NonNullable<Cell>): number {
  return typeof left === 'string' ? collator.compare(left, right as string) : Number(left) - Number(right)
}
