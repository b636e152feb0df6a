// How two models differ in one head: by tokens that both have.
import type { HeadMap } from '../data/maps'
import type { Token } from '../data/tokens'

/** A weight travels as a byte, its square root in so many steps. */
const STEPS = 255

/** Weights of the second map less those of the first; one, other: the same of each, in the same order. */
export interface Difference extends HeadMap {
  signed: true
  one: Float32Array
  other: Float32Array
  /** How many tokens only one of them has. */
  alone: number
}

/** The difference between the tokens that both maps have, in the order of the first. */
export function differenceOf(one: HeadMap, other: HeadMap): Difference {
  const query = shared(one.query, other.query)
  const key = shared(one.key, other.key)
  const size = query.length * key.length
  const [first, second, weights] = [new Float32Array(size), new Float32Array(size), new Float32Array(size)]
  let at = 0
  for (const row of query) {
    for (const column of key) {
      first[at] = one.weights[row.one * one.key.length + column.one]!
      second[at] = other.weights[row.other * other.key.length + column.other]!
      const steps = (stepsOf(one, column.one) + stepsOf(other, column.other)) / 2
      weights[at] = canTell(first[at]!, second[at]!, steps) ? second[at]! - first[at]! : 0
      at++
    }
  }
  const alone = one.key.length + other.key.length - 2 * key.length
  const left = Float32Array.from(query, (row) => Math.min(one.left[row.one]!, other.left[row.other]!))
  return { head: one.head, query: query.map(({ token }) => token), key: key.map(({ token }) => token), weights, left, signed: true, one: first, other: second, alone }
}

/** How many steps wide the rounding of a weight is: that of a sum grows as the root of how many it is of, at the most. */
function stepsOf(map: HeadMap, key: number): number {
  return Math.sqrt(map.pieces?.[key] ?? 1)
}

/** Whether two weights are further apart than their rounding alone can bring them. */
function canTell(one: number, other: number, steps: number): boolean {
  return Math.abs(Math.sqrt(one) - Math.sqrt(other)) * STEPS > steps + 0.001
}

interface Shared {
  token: Token
  one: number
  other: number
}

/** Tokens that stand on both sides, by their letters and how often these came before. */
function shared(one: Token[], other: Token[]): Shared[] {
  const places = new Map(other.map((token, at) => [token.id, at]))
  return one.flatMap((token, at) => {
    const place = places.get(token.id)
    return place === undefined ? [] : [{ token, one: at, other: place }]
  })
}
