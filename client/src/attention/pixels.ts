// Weights as coloured pixels.
import { grey, loss, sequential } from '../colour'
import { scantRows, type HeadMap } from '../data/maps'
import type { Theme } from '../theme.svelte'
import { strength, strongestOf, type Scale } from './scale'

const SHADES = 256
const tables = new Map([sequential, loss, grey].map((ramp) => [ramp, new Map<boolean, Uint8Array>()]))

/** Red, green, blue of 256 shades. */
function shades(theme: Theme, ramp: typeof sequential): Uint8Array {
  let table = tables.get(ramp)!.get(theme.dark)
  if (!table) {
    table = new Uint8Array(3 * SHADES)
    for (let shade = 0; shade < SHADES; shade++) {
      const colour = parseInt(ramp(shade / (SHADES - 1), theme).slice(1), 16)
      table.set([colour >> 16, (colour >> 8) & 255, colour & 255], 3 * shade)
    }
    tables.get(ramp)!.set(theme.dark, table)
  }
  return table
}

export interface Picture {
  columns: number
  rows: number
  rgb: Uint8Array
}

/** A map in at most so many pixels a side; each shows the strongest of the weights it stands for, of rows of
 * which little is left only where it stands for no others. */
export function thumbnail(map: HeadMap, size: number, scale: Scale, theme: Theme): Picture {
  const rows = Math.min(map.query.length, size)
  const columns = Math.min(map.key.length, size)
  const strongest = new Float32Array(rows * columns)
  const columnOf = map.key.map((_, key) => Math.floor((key * columns) / map.key.length))
  const rowOf = map.query.map((_, query) => Math.floor((query * rows) / map.query.length))
  const scant = scantRows(map)
  const greyed = new Array<boolean>(rows).fill(true)
  scant.forEach((is, query) => (greyed[rowOf[query]!] &&= is))
  for (let query = 0; query < map.query.length; query++) {
    if (scant[query] && !greyed[rowOf[query]!]) continue
    const start = rowOf[query]! * columns
    for (let key = 0; key < map.key.length; key++) {
      const weight = map.weights[query * map.key.length + key]!
      const at = start + columnOf[key]!
      if (weight > strongest[at]!) strongest[at] = weight
    }
  }
  return coloured(strongest, rows, columns, scale, theme, greyed)
}

/** Weights (row, column) as pixels, the strongest darkest, those below zero in the colours of a loss; some rows may be grey. */
export function coloured(weights: Float32Array, rows: number, columns: number, scale: Scale, theme: Theme, greyed: boolean[] = []): Picture {
  const [own, below, pale] = [shades(theme, sequential), shades(theme, loss), shades(theme, grey)]
  const top = strongestOf(weights, greyed)
  const rgb = new Uint8Array(3 * weights.length)
  for (let at = 0; at < weights.length; at++) {
    const table = greyed[Math.floor(at / columns)] ? pale : weights[at]! < 0 ? below : own
    const shade = 3 * Math.round(strength(Math.abs(weights[at]!), top, scale) * (SHADES - 1))
    rgb[3 * at] = table[shade]!
    rgb[3 * at + 1] = table[shade + 1]!
    rgb[3 * at + 2] = table[shade + 2]!
  }
  return { columns, rows, rgb }
}
