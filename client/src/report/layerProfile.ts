// Beside the grid of heads: the mean of each layer, as a bar.
import type { Mark } from '../scene/marks'
import type { Theme } from '../theme.svelte'
import { spanOf, type HeadNumbers } from './measures'
import { told } from './numbers'

/** The room that the bars take beside the cells. */
export const PROFILE = 70
const [BEFORE, LONGEST] = [14, PROFILE - 18]

/** One layer: where its row stands in the grid, and which heads are in it. */
export interface LayerPlace {
  layer: number
  y: number
  height: number
  heads: number[]
}

/** A bar for each layer, from zero; layers of which nothing was measured have none. */
export function layerProfile(measure: HeadNumbers, layers: LayerPlace[], left: number, top: number, theme: Theme): Mark[] {
  const span = spanOf(measure)
  if (!span) return []
  const most = Math.max(Math.abs(span.low), Math.abs(span.high)) || 1
  const [zero, room] = span.low < 0 ? [left + BEFORE + LONGEST / 2, LONGEST / 2] : [left + BEFORE, LONGEST]
  const bars = layers.flatMap(({ layer, y, height, heads }): Mark[] => {
    const values = heads.flatMap((head) => measure.values[head] ?? [])
    if (values.length === 0) return []
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length
    const width = Math.max(1, (Math.abs(mean) / most) * room)
    const label = `Layer ${layer}: mean ${told(mean, measure.percent)}`
    return [{ kind: 'rect', x: mean < 0 ? zero - width : zero, y: y + height * 0.25, width, height: height * 0.5, fill: theme.faint, label }]
  })
  const end = Math.max(...layers.map(({ y, height }) => y + height))
  const axis: Mark = { kind: 'line', x1: zero, x2: zero, y1: top, y2: end, stroke: theme.line, strokeWidth: 1 }
  return [{ kind: 'text', x: left + BEFORE, y: top - 6, text: 'mean', size: 11, fill: theme.faint }, axis, ...bars]
}
