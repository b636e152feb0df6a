// Which tokens are pointed at or pinned, and the weights to show beside the tokens they look at.
import type { HeadMap } from '../data/maps'
import type { Token } from '../data/tokens'
import type { Filter, Pair } from './links'

export type SideName = 'query' | 'key'

export interface Pointed {
  side: SideName
  at: number
}

/** A pinned token, by its letters, so that it stays when the view or the model changes. */
export function pinOf(side: SideName, token: Token): string {
  return `${side} ${token.id}`
}

/** The pins after one was put or taken away. */
export function togglePin(pins: string[], pin: string): string[] {
  return pins.includes(pin) ? pins.filter((one) => one !== pin) : [...pins, pin]
}

/** The places of pinned tokens among those shown. */
export function pinned(pins: string[], side: SideName, tokens: Token[]): Set<number> {
  const wanted = new Set(pins)
  const places = new Set<number>()
  if (wanted.size > 0) tokens.forEach((token, at) => wanted.has(pinOf(side, token)) && places.add(at))
  return places
}

/** Whether two texts lie along both sides. */
export function isPair({ query, key }: HeadMap): boolean {
  return [query, key].every((tokens) => tokens.some((token) => token.second))
}

/** Lines to draw: of pinned tokens and of the one pointed at; of all where there is none. */
export function filterOf(map: HeadMap, pins: string[], pointed: Pointed | null, pair: Pair): Filter {
  const queries = pinned(pins, 'query', map.query)
  const keys = pinned(pins, 'key', map.key)
  if (pointed) (pointed.side === 'query' ? queries : keys).add(pointed.at)
  return { queries, keys, pair: isPair(map) ? pair : 'all' }
}

/** Weights to write beside the tokens of each side; null where none are to be written. */
export interface Values {
  query: Float32Array | null
  key: Float32Array | null
}

/** Beside keys: the mean over the queries in focus; beside queries: the sum over the keys in focus.
 *
 * So a group of words counts as one split word does. Several heads are averaged.
 */
export function valuesOf(maps: HeadMap[], filter: Filter): Values {
  const [first] = maps
  if (!first) return { query: null, key: null }
  const { queries, keys } = filter
  return {
    key: queries.size > 0 ? summed(maps, first.key.length, queries, 1 / queries.size, false) : null,
    query: keys.size > 0 ? summed(maps, first.query.length, keys, 1, true) : null,
  }
}

function summed(maps: HeadMap[], length: number, focus: Set<number>, share: number, columns: boolean): Float32Array {
  const values = new Float32Array(length)
  for (const { weights, key } of maps) {
    for (const at of focus) {
      for (let other = 0; other < length; other++) {
        values[other]! += (weights[columns ? other * key.length + at : at * key.length + other]! * share) / maps.length
      }
    }
  }
  return values
}
