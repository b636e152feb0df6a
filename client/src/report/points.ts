// Heads as points: on the map, where near means alike, or between two measures.
import { inkOn } from '../colour'
import { shown } from '../data/tokens'
import type { Circle, Mark, Scene } from '../scene/marks'
import type { Theme } from '../theme.svelte'
import type { Atlas, Numbers } from '../wire'
import { legend, widthOf } from './legend'
import { fullLabel, range, toldValue, type Measure, type Range } from './measures'
import { tick, ticks } from './numbers'
import { colours, signs } from './palette'

export function pointKey(name: string): string {
  return `point-${name}`
}

/** Low enough to leave the grid in sight. */
function heightOf(width: number): number {
  return Math.round(Math.min(width * 0.8, 420))
}

interface Spot {
  head: number
  x: number
  y: number
}

/** The map of heads; both axes have one scale, since only distances mean anything. */
export function mapScene(atlas: Atlas, measure: Measure, theme: Theme, width: number, withLegend: boolean): Scene {
  const height = heightOf(width)
  const edge = 20
  const across = range(atlas.places.map((place) => place.x))!
  const down = range(atlas.places.map((place) => place.y))!
  const scale = Math.min(
    (width - 2 * edge) / (across.high - across.low || 1),
    (height - 2 * edge) / (down.high - down.low || 1),
  )
  const spots = atlas.places.map((place) => ({
    head: place.head,
    x: width / 2 + (place.x - (across.low + across.high) / 2) * scale,
    y: height / 2 - (place.y - (down.low + down.high) / 2) * scale,
  }))
  const inside = { x: 0.5, y: 0.5, width: width - 1, height: height - 1, radius: 6 }
  const frame: Mark = { kind: 'rect', ...inside, fill: theme.paper, stroke: theme.line, strokeWidth: 1 }
  const marks = [frame, ...dots(atlas, measure, theme, spots)]
  return finished(`Map of heads, near means alike, coloured by ${fullLabel(measure)}`, marks, measure, theme, width, height, withLegend)
}

/** Heads between two measures. */
export function scatterScene(
  atlas: Atlas, measure: Measure, across: Numbers, down: Numbers, theme: Theme, width: number, withLegend: boolean,
): Scene {
  const height = heightOf(width)
  const [left, right, top, bottom] = [58, width - 14, 14, height - 44]
  const [spanX, spanY] = [padded(across), padded(down)]
  const toX = (value: number): number => left + ((value - spanX.low) / (spanX.high - spanX.low)) * (right - left)
  const toY = (value: number): number => bottom - ((value - spanY.low) / (spanY.high - spanY.low)) * (bottom - top)
  const spots = atlas.heads.flatMap((_, head): Spot[] => {
    const [x, y] = [across.values[head] ?? null, down.values[head] ?? null]
    return x === null || y === null ? [] : [{ head, x: toX(x), y: toY(y) }]
  })
  const rule = { kind: 'line', stroke: theme.line, strokeWidth: 1 } as const
  const number = { kind: 'text', size: 11, fill: theme.faint } as const
  const name = { kind: 'text', size: 12, fill: theme.ink, anchor: 'middle' } as const
  const marks: Mark[] = [
    ...ticks(spanX.low, spanX.high, Math.max(3, width / 120)).flatMap((value): Mark[] => [
      { ...rule, x1: toX(value), y1: top, x2: toX(value), y2: bottom },
      { ...number, x: toX(value), y: bottom + 16, text: tick(value, across.percent), anchor: 'middle' },
    ]),
    ...ticks(spanY.low, spanY.high, 5).flatMap((value): Mark[] => [
      { ...rule, x1: left, y1: toY(value), x2: right, y2: toY(value) },
      { ...number, x: left - 6, y: toY(value) + 4, text: tick(value, down.percent), anchor: 'end' },
    ]),
    { ...name, x: (left + right) / 2, y: height - 8, text: shown(fullLabel(across), 48) },
    { ...name, x: 12, y: (top + bottom) / 2, text: shown(fullLabel(down), 48), turn: -90 },
    ...dots(atlas, measure, theme, spots),
  ]
  const title = `Heads by ${fullLabel(across)} and ${fullLabel(down)}, coloured by ${fullLabel(measure)}`
  return finished(title, marks, measure, theme, width, height, withLegend)
}

/** The scene with the names of some heads written beside their points. */
export function named(scene: Scene, names: string[], theme: Theme): Scene {
  const tags = scene.marks.filter((mark): mark is Circle => mark.kind === 'circle' && names.some((name) => mark.key === pointKey(name)))
  return { ...scene, marks: [...scene.marks, ...tags.flatMap((circle) => tag(circle, scene.width, theme))] }
}

function tag(circle: Circle, right: number, theme: Theme): Mark[] {
  const text = circle.key!.slice(pointKey('').length)
  const width = widthOf(text, 12) + 8
  const before = circle.x + circle.radius + 6 + width > right
  const x = before ? circle.x - circle.radius - 6 - width : circle.x + circle.radius + 6
  return [
    { kind: 'rect', x, y: circle.y - 9, width, height: 18, radius: 3, fill: theme.paper, opacity: 0.88 },
    { kind: 'text', x: x + 4, y: circle.y + 4, text, size: 12, fill: theme.ink, bold: true },
  ]
}

function dots(atlas: Atlas, measure: Measure, theme: Theme, spots: Spot[]): Mark[] {
  const fills = colours(measure, theme)
  const short = measure.kind === 'category' ? signs(measure.levels) : null
  const radius = spots.length > 200 ? 5 : short === null ? 7 : 9
  return spots.flatMap(({ head, x, y }): Mark[] => {
    const name = atlas.heads[head]!.name
    const fill = fills[head] ?? theme.empty
    const label = `${name}: ${fullLabel(measure)} ${toldValue(measure, head)}`
    const point: Mark = { kind: 'circle', x, y, radius, fill, stroke: theme.faint, strokeWidth: 0.75, key: pointKey(name), label }
    const sign = short?.get((measure.values[head] as string | null) ?? '')
    if (sign === undefined || radius < 9) return [point]
    return [point, { kind: 'text', x, y: y + 3.2, text: sign, size: 9, fill: inkOn(fill), anchor: 'middle' }]
  })
}

function padded(measure: Numbers): Range {
  const span = range(measure.values) ?? { low: 0, high: 1 }
  const room = (span.high - span.low) * 0.05 || Math.abs(span.high) * 0.05 || 1
  return { low: span.low - room, high: span.high + room }
}

function finished(
  title: string, marks: Mark[], measure: Measure, theme: Theme, width: number, height: number, withLegend: boolean,
): Scene {
  const key = withLegend ? legend(measure, theme, 4, width - 4, height + 12) : { marks: [], height: 0 }
  return { width, height: withLegend ? height + 12 + key.height : height, paper: theme.paper, title, marks: [...marks, ...key.marks] }
}
