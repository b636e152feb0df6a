// Which lines to draw between tokens: the strongest, at most so many.
import { isScant, scantRows, type HeadMap } from '../data/maps'
import type { Token } from '../data/tokens'
import { strength, strongestOf, weightAt, type Scale } from './scale'

/** Lines one after another, weakest kinds and strongest alike; head: the place among the maps, or behind them for
 * a line from a row of which little is left. */
export interface Links {
  query: Int32Array
  key: Int32Array
  head: Uint8Array
  strength: Float32Array
  /** How many could be seen, of which the strongest are here. */
  visible: number
  /** The strongest weight of the maps, of rows of which enough is left: strength 1. */
  top: number
}

/** What is drawn: lines from a chosen query or to a chosen key, all where none is chosen; and which texts. */
export interface Filter {
  queries: Set<number>
  keys: Set<number>
  pair: Pair
}

/** From which text of a pair to which. */
export type Pair = 'all' | 'AA' | 'AB' | 'BA' | 'BB'

/** Whether a query, or a key, belongs to the text that is asked for. */
export function isFrom(pair: Pair, query: Token): boolean {
  return pair === 'all' || (pair[0] === 'B') === query.second
}

export function isTo(pair: Pair, key: Token): boolean {
  return pair === 'all' || (pair[1] === 'B') === key.second
}

export const MOST_LINES = 20_000
const FAINTEST: Record<Scale, number> = { linear: 0.02, log: 0.1 }
const BINS = 4096

/** The strongest lines of some heads between the same tokens. */
export function strongestLinks(maps: HeadMap[], scale: Scale, filter: Filter, most = MOST_LINES): Links {
  const top = topOf(maps)
  const least = Math.max(weightAt(FAINTEST[scale], top, scale), Number.MIN_VALUE)
  // Equal steps of the root, so that weak weights do not all share one bin.
  const binOf = (weight: number): number => Math.floor(Math.min(Math.sqrt(weight / top), 1) * (BINS - 1))
  const counts = new Int32Array(BINS)
  visit(maps, filter, least, (weight) => counts[binOf(weight)]!++)
  const visible = counts.reduce((sum, count) => sum + count, 0)
  const taken = Math.min(visible, most)
  const cut = cutOf(counts, most)
  const links: Links = {
    query: new Int32Array(taken),
    key: new Int32Array(taken),
    head: new Uint8Array(taken),
    strength: new Float32Array(taken),
    visible,
    top,
  }
  let at = 0
  let atCut = 0
  visit(maps, filter, least, (weight, query, key, head) => {
    const bin = binOf(weight)
    if (bin < cut.bin) return
    // Of equals, some all over the picture rather than the first ones.
    if (bin === cut.bin && !isTaken(atCut++, cut.room, counts[bin]!)) return
    links.query[at] = query
    links.key[at] = key
    links.head[at] = isScant(maps[head]!, query) ? maps.length : head
    links.strength[at++] = strength(weight, top, scale)
  })
  return links
}

/** The strongest weight of rows of which enough is left, of any map; of all, where there are none. */
function topOf(maps: HeadMap[]): number {
  const telling = maps.filter((map) => !scantRows(map).every((is) => is))
  return (telling.length > 0 ? telling : maps).reduce((top, map) => Math.max(top, strongestOf(map.weights, scantRows(map))), 0)
}

/** The weakest bin that is drawn, and how many of it. */
function cutOf(counts: Int32Array, most: number): { bin: number; room: number } {
  let room = most
  for (let bin = BINS - 1; bin > 0; bin--) {
    if (counts[bin]! >= room) return { bin, room }
    room -= counts[bin]!
  }
  return { bin: 0, room }
}

/** Whether the n-th of a count is taken, if room of them are, evenly. */
function isTaken(nth: number, room: number, count: number): boolean {
  return Math.floor(((nth + 1) * room) / count) > Math.floor((nth * room) / count) || room >= count
}

type See = (weight: number, query: number, key: number, head: number) => void

/** Every weight that may be drawn. */
function visit(maps: HeadMap[], { queries, keys, pair }: Filter, least: number, see: See): void {
  const everything = queries.size === 0 && keys.size === 0
  maps.forEach((map, head) => {
    const columns = map.key.length
    const wantedKeys = map.key.map((token) => isTo(pair, token))
    for (let query = 0; query < map.query.length; query++) {
      if (!isFrom(pair, map.query[query]!)) continue
      const all = everything || queries.has(query)
      if (!all && keys.size === 0) continue
      for (let key = 0; key < columns; key++) {
        const weight = map.weights[query * columns + key]!
        if (weight >= least && wantedKeys[key] && (all || keys.has(key))) see(weight, query, key, head)
      }
    }
  })
}
