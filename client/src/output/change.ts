// How a model's output changed when heads were switched off.
import type { Output, Score } from '../wire'

export interface Row extends Score {
  change: number | null
}

/** The rows of an output; with heads off the largest change first. */
export function changed(output: Output): Row[] {
  const rows = output.rows.map((row) => ({ ...row, change: row.after === null ? null : row.after - row.before }))
  return rows.sort((one, other) => Math.abs(other.change ?? 0) - Math.abs(one.change ?? 0))
}

/** Small ones keep two digits, since among thousands of pieces all are small. */
function hundredths(share: number): string {
  const value = 100 * share
  return value > 0 && value < 0.1 ? String(Number(value.toPrecision(2))) : value.toFixed(1)
}

/** A number of an output in its unit. */
export function inUnit(value: number, unit: Output['unit']): string {
  return unit === 'probability' ? `${hundredths(value)} %` : value.toFixed(3)
}

/** A change with its sign; points are hundredths of a probability. */
export function changeInUnit(change: number, unit: Output['unit']): string {
  const sign = change > 0 ? '+' : change < 0 ? '−' : '±'
  const size = Math.abs(change)
  return `${sign}${unit === 'probability' ? `${hundredths(size)} points` : size.toFixed(3)}`
}
