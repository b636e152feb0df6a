// A head's share of attention by distance, as a drawing.
import type { Mark, Scene } from '../scene/marks'
import type { Theme } from '../theme.svelte'
import type { Bar } from '../wire'
import { tick, ticks } from './numbers'

const LEFT = 50
const TOP = 10
const HEIGHT = 190
const BOTTOM = HEIGHT - 40

/** Bars with their intervals; a line across each bar is what even attention would give. */
export function profileScene(name: string, bars: Bar[], theme: Theme, width: number): Scene {
  const most = Math.max(...bars.map((bar) => Math.max(bar.value + (bar.error ?? 0), bar.baseline ?? 0)), 1e-9)
  const top = Math.min(1, most * 1.05)
  const toY = (share: number): number => BOTTOM - (Math.min(share, top) / top) * (BOTTOM - TOP)
  const step = (width - LEFT - 8) / bars.length
  const number = { kind: 'text', size: 11, fill: theme.faint } as const
  const right = width - 8
  const marks: Mark[] = ticks(0, top, 4).flatMap((value): Mark[] => [
    { kind: 'line', x1: LEFT, y1: toY(value), x2: right, y2: toY(value), stroke: theme.line, strokeWidth: 1 },
    { ...number, x: LEFT - 6, y: toY(value) + 4, text: tick(value, true), anchor: 'end' },
  ])
  const every = Math.ceil(30 / step)
  for (const [place, bar] of bars.entries()) {
    const x = LEFT + place * step
    marks.push(...drawn(bar, x, step, toY, theme))
    if (bar.at % every === 0) marks.push({ ...number, x: x + step / 2, y: BOTTOM + 15, text: signed(bar.at), anchor: 'middle' })
  }
  const axis = 'tokens before (−) or after (+)'
  marks.push({ kind: 'text', x: (LEFT + right) / 2, y: HEIGHT - 6, text: axis, size: 12, fill: theme.ink, anchor: 'middle' })
  return { width, height: HEIGHT, paper: theme.paper, title: `${name}: share of attention by distance in tokens`, marks }
}

function drawn(bar: Bar, x: number, step: number, toY: (share: number) => number, theme: Theme): Mark[] {
  const middle = x + step / 2
  const y = toY(bar.value)
  const marks: Mark[] = [
    { kind: 'rect', x: x + step * 0.14, y, width: step * 0.72, height: Math.max(toY(0) - y, 0), fill: theme.accent, radius: 1.5 },
  ]
  if (bar.error !== null) {
    const [low, high] = [toY(Math.max(bar.value - bar.error, 0)), toY(bar.value + bar.error)]
    marks.push({ kind: 'line', x1: middle, y1: low, x2: middle, y2: high, stroke: theme.ink, strokeWidth: 1.25 })
  }
  if (bar.baseline !== null) {
    const level = toY(bar.baseline)
    marks.push({ kind: 'line', x1: x + 1, y1: level, x2: x + step - 1, y2: level, stroke: theme.faint, strokeWidth: 1.5 })
  }
  return marks
}

function signed(value: number): string {
  return value > 0 ? `+${value}` : tick(value)
}
