// What the views show as drawings that can be saved: lines between tokens, and all heads small.
import { isScantIn, type HeadMap } from '../data/maps'
import { shown, type Token } from '../data/tokens'
import type { Mark, Scene, Text } from '../scene/marks'
import type { Theme } from '../theme.svelte'
import type { Beside, Values } from './focus'
import type { Links } from './links'
import { lineColours, lineStyle } from './paint'
import { thumbnail } from './pixels'
import { percent, type Scale } from './scale'

export const ROW = 22
const EDGE = 16
const SIZE = 12
const BETWEEN = 240
const HEADING = 44

/** About how wide a text is; letters of East Asia are as wide as high. */
export function textWidth(text: string, size: number): number {
  let width = 0
  for (const letter of text) width += letter.codePointAt(0)! >= 0x1100 ? 1 : 0.58
  return width * size
}

/** The room that the longest of some tokens needs. */
export function widest(tokens: Token[], size: number): number {
  return tokens.reduce((most, token) => Math.max(most, textWidth(shown(token.text), size)), 0)
}

/** The colour of a token's letters. */
export function tokenInk(token: Token, theme: Theme): string {
  if (token.special) return theme.faint
  return token.written ? theme.accent : theme.ink
}

/** A heading of two lines: what this is, and what was done to it. */
export function heading(title: string, note: string, theme: Theme): Text[] {
  return [
    { kind: 'text', x: EDGE, y: EDGE + 6, text: title, size: 13, fill: theme.ink, bold: true },
    { kind: 'text', x: EDGE, y: EDGE + 22, text: note, size: 10, fill: theme.faint },
  ]
}

/** Two columns of tokens with lines between them, as on the page. */
export function linesScene(maps: HeadMap[], links: Links, values: Values, title: string, note: string, theme: Theme): Scene {
  const { query, key } = maps[0]!
  const valueRoom = 52
  const left = EDGE + (values.query ? valueRoom : 0) + widest(query, SIZE) + 8
  const right = left + BETWEEN
  const width = right + 8 + widest(key, SIZE) + (values.key ? valueRoom : 0) + EDGE
  const middle = (at: number): number => HEADING + EDGE + (at + 0.5) * ROW
  const colours = lineColours(
    maps.map((map) => map.head),
    theme,
  )
  const marks: Mark[] = heading(title, note, theme)
  for (const at of links.strength.keys()) {
    const { opacity, width: strokeWidth } = lineStyle(links.strength[at]!)
    const [y1, y2] = [middle(links.query[at]!), middle(links.key[at]!)]
    marks.push({ kind: 'curve', x1: left, y1, x2: right, y2, stroke: colours[links.head[at]!]!, strokeWidth, opacity })
  }
  const column = (tokens: Token[], x: number, anchor: 'start' | 'end', weights: Beside, valueX: number) =>
    tokens.forEach((token, at) => {
      const y = middle(at) + SIZE / 3
      const fill = anchor === 'end' && isScantIn(maps, at) ? theme.faint : tokenInk(token, theme)
      marks.push({ kind: 'text', x, y, text: shown(token.text), size: SIZE, fill, anchor })
      const weight = weights?.[at] ?? null
      if (weight !== null) marks.push({ kind: 'text', x: valueX, y, text: percent(weight), size: 10, fill: theme.faint, anchor: anchor === 'end' ? 'start' : 'end' })
    })
  column(query, left - 6, 'end', values.query, EDGE)
  column(key, right + 6, 'start', values.key, width - EDGE)
  const height = middle(Math.max(query.length, key.length) - 0.5) + EDGE
  return { width: Math.max(width, 320), height, paper: theme.paper, title, marks }
}

/** All heads as small matrices: rows of layers, columns of heads. */
export function multiplesScene(
  rows: { layer: number; maps: HeadMap[] }[],
  scale: Scale,
  title: string,
  note: string,
  theme: Theme,
): Scene {
  const [cell, gap, left] = [64, 8, EDGE + 36]
  const top = HEADING + EDGE + 14
  const heads = [...new Set(rows.flatMap((row) => row.maps.map((map) => map.head)))].sort((one, other) => one - other)
  const x = (head: number): number => left + heads.indexOf(head) * (cell + gap)
  const y = (row: number): number => top + row * (cell + gap)
  const marks: Mark[] = heading(title, note, theme)
  for (const head of heads) {
    marks.push({ kind: 'text', x: x(head) + cell / 2, y: top - 6, text: `H${head}`, size: 10, fill: theme.faint, anchor: 'middle' })
  }
  rows.forEach(({ layer, maps }, row) => {
    marks.push({ kind: 'text', x: left - 8, y: y(row) + cell / 2 + 4, text: `L${layer}`, size: 10, fill: theme.faint, anchor: 'end' })
    for (const map of maps) {
      marks.push({ kind: 'pixels', x: x(map.head), y: y(row), width: cell, height: cell, ...thumbnail(map, 2 * cell, scale, theme) })
    }
  })
  const width = Math.max(left + heads.length * (cell + gap) + EDGE, 320)
  return { width, height: y(rows.length) + EDGE, paper: theme.paper, title, marks }
}
