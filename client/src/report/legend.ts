// What the colours of the atlas mean, as marks of a drawing.
import { inkOn } from '../colour'
import { shown } from '../data/tokens'
import { encode } from '../scene/fonts'
import type { Mark } from '../scene/marks'
import type { Theme } from '../theme.svelte'
import type { Categories } from '../wire'
import { fullLabel, openHeads, spanOf, type HeadNumbers, type Measure } from './measures'
import { told } from './numbers'
import { levelColour, scaleColour, signs } from './palette'

export interface Legend {
  marks: Mark[]
  height: number
}

const SIZE = 12
const SWATCH = 18
const LINE = 24
const BAR_STEPS = 64
// A page may be shown in a wider font than the Helvetica that texts are measured in, such as DejaVu Sans.
const WIDER = 1.18

/** How wide a text is; guessed where it has letters that Helvetica has not. */
export function widthOf(text: string, size: number): number {
  return (encode(text, false)?.width ?? text.length * 0.6) * size
}

/** The legend of a measure between left and right, from top downwards. */
export function legend(measure: Measure, theme: Theme, left: number, right: number, top: number): Legend {
  const name: Mark = { kind: 'text', x: left, y: top + 10, text: shown(fullLabel(measure), 48), size: SIZE, fill: theme.ink }
  const below = top + 18
  if (measure.kind === 'number') {
    const marks = [name, ...colourBar(measure, theme, left, right, below)]
    if (!openHeads(measure).includes(true)) return { marks, height: 48 }
    const open: Mark = { kind: 'text', x: left, y: below + 42, text: 'paler: the interval holds 0', size: SIZE, fill: theme.faint }
    return { marks: [...marks, open], height: 66 }
  }
  const { marks, height } = levelList(measure, theme, left, right, below)
  return { marks: [name, ...marks], height: height + 18 }
}

function colourBar(measure: HeadNumbers, theme: Theme, left: number, right: number, top: number): Mark[] {
  const span = spanOf(measure)
  if (span === null) return []
  const { low, high } = span
  const width = Math.min(right - left, 260)
  const bar: Mark = { kind: 'pixels', x: left, y: top, width, height: 10, columns: BAR_STEPS, rows: 1, rgb: new Uint8Array(BAR_STEPS * 3) }
  for (let place = 0; place < BAR_STEPS; place++) {
    const colour = scaleColour(low + ((place + 0.5) / BAR_STEPS) * (high - low), span, theme)
    bar.rgb.set([1, 3, 5].map((start) => parseInt(colour.slice(start, start + 2), 16)), place * 3)
  }
  const label = (value: number, x: number, anchor: 'start' | 'middle' | 'end'): Mark => ({
    kind: 'text', x, y: top + 24, text: told(value, measure.percent), size: SIZE, fill: theme.faint, anchor,
  })
  return [bar, label(low, left, 'start'), label((low + high) / 2, left + width / 2, 'middle'), label(high, left + width, 'end')]
}

function levelList(measure: Categories, theme: Theme, left: number, right: number, top: number): Legend {
  const marks: Mark[] = []
  const short = signs(measure.levels)
  const counts = new Map<string, number>()
  for (const value of measure.values) if (value !== null) counts.set(value, (counts.get(value) ?? 0) + 1)
  let [x, y] = [left, top]
  for (const { word } of measure.levels) {
    if (!counts.has(word)) continue
    const text = `${shown(word)} · ${counts.get(word)}`
    const width = SWATCH + 6 + WIDER * widthOf(text, SIZE) + 16
    if (x > left && x + width > right) [x, y] = [left, y + LINE]
    const fill = levelColour(measure, word, theme)
    marks.push({ kind: 'rect', x, y, width: SWATCH, height: SWATCH, radius: 3, fill })
    marks.push({ kind: 'text', x: x + SWATCH / 2, y: y + 13, text: short.get(word)!, size: 10, fill: inkOn(fill), anchor: 'middle' })
    marks.push({ kind: 'text', x: x + SWATCH + 6, y: y + 13, text, size: SIZE, fill: theme.ink })
    x += width
  }
  return { marks, height: marks.length > 0 ? y - top + LINE : 0 }
}
