// Cells and columns of a table as they are read.
import type { Cell } from '../data/csv'
import { shown } from '../data/tokens'
import type { Column } from '../wire'
import { significant } from './numbers'

const LONGEST = 60

/** A value as its cell shows it. */
export function written(value: Cell): string {
  if (value === null || value === '') return ''
  if (typeof value === 'number') return significant(value)
  return typeof value === 'boolean' ? (value ? 'yes' : 'no') : shown(value, LONGEST)
}

/** What a cell does not show of its value. */
export function inFull(value: Cell): string | undefined {
  return value === null || written(value) === value ? undefined : String(value).slice(0, 2000)
}

/** What a column holds, in words. */
export function columnSays(column: Column): string {
  const unit = column.unit ? ` (${column.unit})` : ''
  return `${column.says}${unit}${column.better ? `; ${column.better} is better` : ''}`
}

/** A condition that a table could be filtered by: on a number that is no count, where there is one. */
export function exampleFilter(columns: Column[], data: Cell[][]): string {
  const numbers = columns.filter((column) => column.kind === 'number')
  const valuesOf = (column: Column): Cell[] => data[columns.indexOf(column)]!
  const isCount = (column: Column): boolean => valuesOf(column).every((value) => value === null || Number.isInteger(value))
  const number = numbers.find((column) => !isCount(column)) ?? numbers[0]
  return number ? `${number.name} > 0.5` : `${columns[0]?.name ?? 'column'} = value`
}
