// The grid of heads as a drawing: one row a layer, one column a head, one block a stack; very many heads of a layer take several rows.
import { inkOn } from '../colour'
import type { Mark, Scene } from '../scene/marks'
import type { Theme } from '../theme.svelte'
import type { Atlas, Categories, Numbers } from '../wire'
import { layerProfile, PROFILE } from './layerProfile'
import { legend } from './legend'
import { fullLabel, range, toldValue, type Measure } from './measures'
import { brief } from './numbers'
import { colours, signs } from './palette'

const LEFT = 42
const SMALLEST = 15
const LARGEST = 44
const ROOMY = 32
const GAP = 2
const MANY = 64
const ROOM_FOR_PROFILE = 320

export function cellKey(name: string): string {
  return `cell-${name}`
}

/** Whatever has heads. */
export type Heads = Pick<Atlas, 'heads'>

/** The grid coloured by a measure, in a width that it exceeds only where cells would become too small. */
export function gridScene(atlas: Heads, measure: Measure, theme: Theme, width: number, largest = LARGEST): Scene {
  const most = 1 + Math.max(...atlas.heads.map((head) => head.index))
  const columns = most > MANY ? tensIn(width) : most
  // Where there is room, what is measured by numbers has the mean of each layer beside it.
  const profile = measure.kind === 'number' && most <= MANY && width >= ROOM_FOR_PROFILE ? PROFILE : 0
  const side = Math.min(Math.max(Math.floor((width - LEFT - profile) / columns), SMALLEST), largest)
  const right = LEFT + columns * side + 2 + profile
  const marks: Mark[] = []
  const fills = colours(measure, theme)
  const texts = measure.kind === 'category' ? signsIn(measure) : writtenIn(measure, side)
  const stacks = [...new Set(atlas.heads.map((head) => head.stack))]
  let top = 0
  for (const stack of stacks) {
    const heads = [...atlas.heads.entries()].filter(([, head]) => head.stack === stack)
    const title = stacks.length > 1 ? `${stack}, head` : 'head'
    marks.push(...headNumbers(title, columns, side, theme, top))
    top += 34
    const layers = [...new Set(heads.map(([, head]) => head.layer))].sort((one, other) => one - other)
    const rows = Math.ceil((1 + Math.max(...heads.map(([, head]) => head.index))) / columns)
    marks.push(...layerNumbers(layers, rows, columns, side, theme, top))
    if (profile && measure.kind === 'number') {
      const placed = layers.map((layer, at) => ({
        layer,
        y: top + at * rows * side,
        height: rows * side - GAP,
        heads: heads.filter(([, head]) => head.layer === layer).map(([place]) => place),
      }))
      marks.push(...layerProfile(measure, placed, right - profile, top, theme))
    }
    for (const [place, head] of heads) {
      const row = layers.indexOf(head.layer) * rows + Math.floor(head.index / columns)
      const box = { x: LEFT + (head.index % columns) * side, y: top + row * side, side: side - GAP }
      const label = `${head.name}: ${fullLabel(measure)} ${toldValue(measure, place)}`
      marks.push(...cell(box, cellKey(head.name), label, fills[place] ?? null, texts[place] ?? null, theme))
    }
    top += layers.length * rows * side + 14
  }
  const key = legend(measure, theme, LEFT, Math.max(right, Math.min(width, 560)), top)
  return {
    width: Math.max(right, Math.min(width, 560)),
    height: top + key.height + 4,
    paper: theme.paper,
    title: `Heads by layer, coloured by ${fullLabel(measure)}`,
    marks: [...marks, ...key.marks],
  }
}

/** How many of the smallest cells stand beside each other, a multiple of ten. */
function tensIn(width: number): number {
  return Math.max(10, 10 * Math.floor((width - LEFT) / SMALLEST / 10))
}

/** The numbers in the cells: only where there is room, and where two digits tell them apart. */
function writtenIn(measure: Numbers, side: number): (string | null)[] {
  const { low, high } = range(measure.values) ?? { low: 0, high: 0 }
  const plain = side >= ROOMY && high - low >= 0.1
  return measure.values.map((value) => (plain && value !== null ? brief(value, measure.percent) : null))
}

/** The signs of the levels in the cells. */
function signsIn(measure: Categories): (string | null)[] {
  const short = signs(measure.levels)
  return measure.values.map((value) => (value === null ? null : (short.get(value) ?? null)))
}

function headNumbers(title: string, columns: number, side: number, theme: Theme, top: number): Mark[] {
  const every = side < 18 ? 4 : side < 24 ? 2 : 1
  const numbers = Array.from({ length: columns }, (_, column): Mark => ({
    kind: 'text',
    x: LEFT + column * side + (side - GAP) / 2,
    y: top + 28,
    text: String(column),
    size: 11,
    fill: theme.faint,
    anchor: 'middle',
  }))
  const name: Mark = { kind: 'text', x: LEFT, y: top + 12, text: title, size: 12, fill: theme.ink }
  return [name, ...numbers.filter((_, column) => column % every === 0)]
}

/** The number of each layer at its first row; further rows tell how many heads stand before them. */
function layerNumbers(layers: number[], rows: number, columns: number, side: number, theme: Theme, top: number): Mark[] {
  const labels = layers.flatMap((layer) => Array.from({ length: rows }, (_, row) => (row === 0 ? String(layer) : `+${row * columns}`)))
  const numbers = labels.map((text, row): Mark => ({
    kind: 'text',
    x: LEFT - 8,
    y: top + row * side + side / 2 + 3,
    text,
    size: 11,
    fill: theme.faint,
    anchor: 'end',
  }))
  return [{ kind: 'text', x: 3, y: top - 6, text: 'layer', size: 12, fill: theme.ink }, ...numbers]
}

interface Box {
  x: number
  y: number
  side: number
}

function cell({ x, y, side }: Box, key: string, label: string, fill: string | null, sign: string | null, theme: Theme): Mark[] {
  const square: Mark = { kind: 'rect', x, y, width: side, height: side, radius: 3, fill: fill ?? theme.empty, key, label }
  // What was not measured is struck through, so that it does not pass for a small value.
  if (fill === null) {
    const [left, right, top, bottom] = [x + 3, x + side - 3, y + 3, y + side - 3]
    return [square, { kind: 'line', x1: left, y1: bottom, x2: right, y2: top, stroke: theme.faint, strokeWidth: 1 }]
  }
  if (sign === null || side < 18) return [square]
  const size = Math.min(13, side * 0.42)
  const text: Mark = { kind: 'text', x: x + side / 2, y: y + side / 2 + size * 0.36, text: sign, size, fill: inkOn(fill), anchor: 'middle' }
  return [square, text]
}
