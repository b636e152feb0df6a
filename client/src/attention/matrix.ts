// A head's map as a matrix: a drawing, and which cell of it lies where.
import { scantRows, type HeadMap } from '../data/maps'
import { shown, type Token } from '../data/tokens'
import type { Mark, Scene } from '../scene/marks'
import type { Theme } from '../theme.svelte'
import { coloured } from './pixels'
import { percent, points, strongestOf, weightAt, type Scale } from './scale'
import { heading, tokenInk, widest } from './scenes'

const LARGEST_CELL = 48
const SAVED_CELL = 22
/** A matrix that is higher than its room is made smaller no further than this. */
const READABLE_CELL = 14
const SMALLEST_CELL = 2
const LABEL = 11
/** Room for a number before the bar of colours. */
const NUMBER = 84
const BAR = { width: 120, height: 10, below: 34 }

export interface Layout {
  /** Where the first cell begins. */
  left: number
  top: number
  cell: number
  rows: number
  columns: number
  width: number
  height: number
}

/** Where everything goes in so much width and, if given, height; a matrix that does not fit is larger. */
export function matrixLayout(map: HeadMap, room: number, height = Infinity, above = 0, largest = LARGEST_CELL): Layout {
  const left = Math.max(Math.ceil(widest(map.query, LABEL)) + 12, NUMBER)
  const top = above + Math.ceil(widest(map.key, LABEL)) + 12
  const [rows, columns] = [map.query.length, map.key.length]
  const across = Math.floor((room - left - 8) / columns)
  const down = Math.max(READABLE_CELL, Math.floor((height - top - BAR.below) / rows))
  const cell = Math.max(SMALLEST_CELL, Math.min(largest, across, down))
  const width = Math.max(left + columns * cell + 8, left + BAR.width + 70)
  return { left, top, cell, rows, columns, width, height: top + rows * cell + BAR.below }
}

/** The cell under a point, null beside the matrix. */
export function cellAt(layout: Layout, x: number, y: number): { query: number; key: number } | null {
  const key = Math.floor((x - layout.left) / layout.cell)
  const query = Math.floor((y - layout.top) / layout.cell)
  const inside = key >= 0 && key < layout.columns && query >= 0 && query < layout.rows
  return inside ? { query, key } : null
}

/** The matrix with the names of its tokens and its colours. */
export function matrixScene(map: HeadMap, layout: Layout, scale: Scale, theme: Theme, title: string): Scene {
  const { left, top, cell, rows, columns } = layout
  const scant = scantRows(map)
  const marks: Mark[] = [
    { kind: 'pixels', x: left, y: top, width: columns * cell, height: rows * cell, ...coloured(map.weights, rows, columns, scale, theme, scant) },
    ...labels(map.query, layout, theme, false, scant),
    ...labels(map.key, layout, theme, true),
    ...colourBar(strongestOf(map.weights, scant), map.signed ?? false, layout, scale, theme),
  ]
  return { width: layout.width, height: layout.height, paper: theme.paper, title, marks }
}

/** The same with a heading, to be saved. */
export function savedMatrix(map: HeadMap, scale: Scale, theme: Theme, title: string, note: string): Scene {
  const scene = matrixScene(map, matrixLayout(map, 720, Infinity, 52, SAVED_CELL), scale, theme, title)
  return { ...scene, width: Math.max(scene.width, 320), marks: [...heading(title, note, theme), ...scene.marks] }
}

/** The names along one side, as many as there is room for. */
function labels(tokens: Token[], { left, top, cell }: Layout, theme: Theme, upright: boolean, scant: boolean[] = []): Mark[] {
  const step = Math.ceil((LABEL + 1) / cell)
  const marks: Mark[] = []
  for (let at = 0; at < tokens.length; at += step) {
    const token = tokens[at]!
    const middle = (at + 0.5) * cell + LABEL / 3
    const place = upright ? { x: left + middle, y: top - 5, turn: -90 } : { x: left - 5, y: top + middle, anchor: 'end' as const }
    marks.push({ kind: 'text', ...place, text: shown(token.text), size: LABEL, fill: scant[at] ? theme.faint : tokenInk(token, theme) })
  }
  return marks
}

function colourBar(weight: number, isSigned: boolean, { left, top, cell, rows }: Layout, scale: Scale, theme: Theme): Mark[] {
  const half = (at: number) => (at < 0 ? -1 : 1) * weightAt(Math.abs(at), weight, scale)
  const ramp = Float32Array.from({ length: BAR.width }, (_, at) => (isSigned ? half((2 * at) / (BAR.width - 1) - 1) : half(at / (BAR.width - 1))))
  const y = top + rows * cell + BAR.below - 20
  const text = { kind: 'text', size: 10, fill: theme.faint, y: y + 9 } as const
  const least = scale === 'linear' ? '0 %' : percent(weightAt(0, weight, scale))
  return [
    { ...text, x: left - 5, anchor: 'end', text: isSigned ? points(-weight) : least },
    { kind: 'pixels', x: left, y, width: BAR.width, height: BAR.height, ...coloured(ramp, 1, BAR.width, scale, theme) },
    { ...text, x: left + BAR.width + 5, text: `${isSigned ? points(weight) : percent(weight)}${scale === 'log' ? ' (log)' : ''}` },
  ]
}
