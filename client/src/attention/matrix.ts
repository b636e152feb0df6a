// A head's map as a matrix: a drawing, and which cell of it lies where.
import { scantRows, type HeadMap } from '../data/maps'
import { shown, type Token } from '../data/tokens'
import type { Mark, Scene } from '../scene/marks'
import type { Theme } from '../theme.svelte'
import { coloured } from './pixels'
import { percent, strongestOf, weightAt, type Scale } from './scale'
import { heading, tokenInk, widest } from './scenes'

const LARGEST_CELL = 22
const SMALLEST_CELL = 2
const LABEL = 11
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

/** Where everything goes in so much width; a matrix that does not fit is wider. */
export function matrixLayout(map: HeadMap, room: number, above = 0): Layout {
  const left = Math.ceil(widest(map.query, LABEL)) + 12
  const top = above + Math.ceil(widest(map.key, LABEL)) + 12
  const [rows, columns] = [map.query.length, map.key.length]
  const cell = Math.max(SMALLEST_CELL, Math.min(LARGEST_CELL, Math.floor((room - left - 8) / columns)))
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
    ...colourBar(strongestOf(map.weights, scant), layout, scale, theme),
  ]
  return { width: layout.width, height: layout.height, paper: theme.paper, title, marks }
}

/** The same with a heading, to be saved. */
export function savedMatrix(map: HeadMap, scale: Scale, theme: Theme, title: string, note: string): Scene {
  const scene = matrixScene(map, matrixLayout(map, 720, 52), scale, theme, title)
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

function colourBar(weight: number, { left, top, cell, rows }: Layout, scale: Scale, theme: Theme): Mark[] {
  const ramp = Float32Array.from({ length: BAR.width }, (_, at) => weightAt(at / (BAR.width - 1), weight, scale))
  const y = top + rows * cell + BAR.below - 20
  const text = { kind: 'text', size: 10, fill: theme.faint, y: y + 9 } as const
  return [
    { ...text, x: left - 5, anchor: 'end', text: scale === 'linear' ? '0 %' : percent(weightAt(0, weight, scale)) },
    { kind: 'pixels', x: left, y, width: BAR.width, height: BAR.height, ...coloured(ramp, 1, BAR.width, scale, theme) },
    { ...text, x: left + BAR.width + 5, text: `${percent(weight)}${scale === 'log' ? ' (log)' : ''}` },
  ]
}
