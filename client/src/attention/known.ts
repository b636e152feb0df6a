// Links between words that are known, over a matrix: frames around cells, and arcs above its columns.
import type { HeadMap } from '../data/maps'
import type { KnownLink, LinkedWire } from '../wire'
import type { Box } from '../scene/geometry'
import type { Layout } from './matrix'

/** Of the widest arc, and of one from a word to the next. */
const HIGHEST = 64
const STEP = 12
/** Above the widest arc, and below all. */
const AROUND = 4

/** From the word at x1 to that at x2, where the dot is. */
export interface Arc {
  link: KnownLink
  x1: number
  x2: number
  /** Of both ends, and of the highest point. */
  base: number
  top: number
}

export interface Frame extends Box {
  link: KnownLink
}

/** How far apart the words of a link are. */
function span({ query, key }: KnownLink): number {
  return Math.abs(query - key)
}

function stepOf(links: KnownLink[]): number {
  return Math.min(STEP, HIGHEST / Math.max(1, ...links.map(span)))
}

/** The room that arcs take above a matrix. */
export function arcRoom(links: KnownLink[]): number {
  return Math.max(0, ...links.map(span)) * stepOf(links) + 2 * AROUND
}

/** An arc for each link of a word to another, higher the farther they are apart. */
export function arcsOf(links: KnownLink[], layout: Layout): Arc[] {
  const base = arcRoom(links) - AROUND
  const middle = (at: number): number => layout.left + (at + 0.5) * layout.cell
  return links
    .filter((link) => span(link) > 0)
    .map((link) => {
      // Arcs that end at a word stand beside the one that begins there.
      const aside = Math.sign(link.query - link.key) * 0.2 * layout.cell
      return { link, x1: middle(link.query), x2: middle(link.key) + aside, base, top: base - span(link) * stepOf(links) }
    })
}

/** The path of an arc, which reaches its top half way. */
export function arcPath({ x1, x2, base, top }: Arc): string {
  const bent = base - (4 / 3) * (base - top)
  return `M${x1} ${base}C${x1} ${bent} ${x2} ${bent} ${x2} ${base}`
}

/** A frame just inside the cell of each link. */
export function framesOf(links: KnownLink[], { left, top, cell }: Layout): Frame[] {
  return links.map((link) => ({ link, x: left + link.key * cell + 1, y: top + link.query * cell + 1, width: cell - 2, height: cell - 2 }))
}

/** The map that a matrix draws; nothing is hidden of its rows. */
export function linkedMap({ query, key, weights }: LinkedWire): HeadMap {
  const tokens = (words: string[]) =>
    words.map((text, at) => ({ text, special: false, second: false, written: false, id: `${at} ${text}` }))
  const numbers = weights.flat().map((weight) => weight ?? 0)
  return { head: 0, query: tokens(query), key: tokens(key), weights: Float32Array.from(numbers), left: new Float32Array(query.length).fill(1) }
}
