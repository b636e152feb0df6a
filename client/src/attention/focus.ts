// Which tokens are pointed at or pinned, and the weights to show beside the tokens they look at.
import type { HeadMap } from '../data/maps'
import type { Token } from '../data/tokens'
import { isFrom, isTo, type Filter, type Pair } from './links'

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
export type Beside = (number | null)[] | null

export interface Values {
  query: Beside
  key: Beside
}

/** Beside keys: the mean over the queries in focus; beside queries: the sum over the keys in focus.
 *
 * So a group of words counts as one split word does. Several heads are averaged. Of a pair only the texts
 * that are asked for count, as for the lines.
 */
export function valuesOf(maps: HeadMap[], { queries, keys, pair }: Filter): Values {
  const [first] = maps
  if (!first) return { query: null, key: null }
  const from = first.query.map((token) => isFrom(pair, token))
  const to = first.key.map((token) => isTo(pair, token))
  const inFocus = { query: [...queries].filter((at) => from[at]), key: [...keys].filter((at) => to[at]) }
  return {
    key: inFocus.query.length > 0 ? summed(maps, to, inFocus.query, 1 / inFocus.query.length, false) : null,
    query: inFocus.key.length > 0 ? summed(maps, from, inFocus.key, 1, true) : null,
  }
}

function summed(maps: HeadMap[], wanted: boolean[], focus: number[], share: number, columns: boolean): Beside {
  return wanted.map((is, other) => {
    if (!is) return null
    let sum = 0
    for (const { weights, key } of maps) {
      for (const at of focus) sum += weights[columns ? other * key.length + at : at * key.length + other]!
    }
    return (sum * share) / maps.length
  })
}
