// Lines and small pictures on a canvas.
import { grey } from '../colour'
import type { Theme } from '../theme.svelte'
import { KINDS } from '../wire'
import type { Links } from './links'

/** Lines of one opacity are stroked together. */
const LEVELS = 12
/** Many crossing lines in one path are slow to fill. */
const TOGETHER = 64

export interface Frame {
  width: number
  height: number
  /** Of one token. */
  row: number
  /** How far the text is scrolled. */
  top: number
}

/** One head in the accent colour, several in colours by their numbers. */
export function headColours(heads: number[], theme: Theme): string[] {
  return heads.length === 1 ? [theme.accent] : heads.map((head) => KINDS[head % KINDS.length]!)
}

/** The colours of heads, and behind them that of lines which say little. */
export function lineColours(heads: number[], theme: Theme): string[] {
  return [...headColours(heads, theme), grey(1, theme)]
}

/** Make a canvas as large as its box in the dots of the screen; its pen draws in pixels of the page. */
export function fit(canvas: HTMLCanvasElement, width: number, height: number): CanvasRenderingContext2D {
  const dots = window.devicePixelRatio || 1
  const [columns, rows] = [Math.max(1, Math.round(width * dots)), Math.max(1, Math.round(height * dots))]
  if (canvas.width !== columns) canvas.width = columns
  if (canvas.height !== rows) canvas.height = rows
  const pen = canvas.getContext('2d')!
  pen.setTransform(dots, 0, 0, dots, 0, 0)
  pen.clearRect(0, 0, width, height)
  return pen
}

/** From 1 to LEVELS. */
function levelOf(strength: number): number {
  return Math.min(LEVELS, Math.max(1, Math.ceil(strength * LEVELS)))
}

/** How opaque and how wide a line is. */
export function lineStyle(strength: number): { opacity: number; width: number } {
  const share = levelOf(strength) / LEVELS
  return { opacity: 0.85 * share, width: 0.75 + 1.5 * share }
}

/** Draw the links of tokens that can be seen in the frame, weak ones first. */
export function paintLinks(pen: CanvasRenderingContext2D, links: Links, colours: string[], frame: Frame): void {
  for (const [level, members] of byLevel(links, frame).entries()) {
    const { opacity, width } = lineStyle((level + 1) / LEVELS)
    pen.globalAlpha = opacity
    pen.lineWidth = width
    colours.forEach((colour, head) => {
      pen.strokeStyle = colour
      stroke(pen, links, members, head, frame)
    })
  }
  pen.globalAlpha = 1
}

/** The links of each level of opacity with an end in the frame; of others a reader sees no token. */
function byLevel(links: Links, { height, row, top }: Frame): number[][] {
  const levels: number[][] = Array.from({ length: LEVELS }, () => [])
  const [first, last] = [top / row - 1, (top + height) / row]
  for (let at = 0; at < links.query.length; at++) {
    const [query, key] = [links.query[at]!, links.key[at]!]
    if ((query < first || query > last) && (key < first || key > last)) continue
    levels[levelOf(links.strength[at]!) - 1]!.push(at)
  }
  return levels
}

function stroke(pen: CanvasRenderingContext2D, links: Links, members: number[], head: number, frame: Frame): void {
  const { width, row, top } = frame
  let drawn = 0
  pen.beginPath()
  for (const at of members) {
    if (links.head[at] !== head) continue
    const from = (links.query[at]! + 0.5) * row - top
    const to = (links.key[at]! + 0.5) * row - top
    pen.moveTo(0, from)
    pen.bezierCurveTo(width / 2, from, width / 2, to, width, to)
    if (++drawn % TOGETHER === 0) {
      pen.stroke()
      pen.beginPath()
    }
  }
  pen.stroke()
}
