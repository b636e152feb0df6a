// One head's map, made from the bytes of its layer just as the library makes it.
import type { Axis, LayerWire, LookWire, PartWire } from '../wire'
import { WEIGHTS } from './packed'
import { side, type Side, type Token } from './tokens'

export type Stack = PartWire['stack']
export type Special = 'shown' | 'hidden' | 'renormalised'

/** A row of which less is left when tokens are hidden says nothing of where its token looks. */
export const SCANT = 0.05

export interface Shown {
  words: boolean
  special: Special
  /** Whether the first token is one of the special ones. */
  first: boolean
}

/** Weights (query, key), one row after another; left: the share of each row that lies on keys that are shown.
 *
 * signed: they are differences, which may lie below zero. pieces: how many each key is joined of; one, if not told.
 */
export interface HeadMap {
  head: number
  query: Token[]
  key: Token[]
  weights: Float32Array
  left: Float32Array
  signed?: boolean
  pieces?: Int32Array
}

/** Whether so little is left of a row that what it shows is noise. */
export function isScant(map: HeadMap, query: number): boolean {
  return map.left[query]! < SCANT
}

/** Of which rows that is so. */
export function scantRows(map: HeadMap): boolean[] {
  return map.query.map((_, query) => isScant(map, query))
}

/** Whether that is so in every one of some maps. */
export function isScantIn(maps: HeadMap[], query: number): boolean {
  return maps.length > 0 && maps.every((map) => isScant(map, query))
}

/** The part of a look with this stack. */
export function partOf(look: LookWire, stack: Stack): PartWire {
  const found = look.parts.find((part) => part.stack === stack)
  if (!found) throw new Error(`The look has no ${stack}; it has ${look.parts.map((part) => part.stack).join(', ')}.`)
  return found
}

export function layerOf(part: PartWire, layer: number): LayerWire {
  const found = part.layers.find((one) => one.layer === layer)
  if (!found) throw new Error(`The look has no layer ${layer} of the ${part.stack}.`)
  return found
}

/** The tokens of a part's queries and keys; first: of one text, the first token is special, of two the first key. */
export function axesOf(look: LookWire, stack: Stack, first = false): { query: Axis; key: Axis } {
  const part = partOf(look, stack)
  const [query, key] = [look.axes[part.query]!, look.axes[part.key]!]
  if (!first) return { query, key }
  const marked = { ...key, special: key.special.map((is, piece) => is || piece === 0) }
  return { query: part.query === part.key ? marked : query, key: marked }
}

/** The map of one head between words or pieces.
 *
 * Pieces are joined to words first (attention to a split word is summed, from it averaged), then special
 * tokens are hidden, then rows are rescaled to sum to 1; a row without any weight stays 0.
 */
export function headMap(
  look: LookWire,
  bytes: Uint8Array,
  stack: Stack,
  layer: number,
  head: number,
  { words, special, first }: Shown,
): HeadMap {
  const axes = axesOf(look, stack, first)
  const place = layerOf(partOf(look, stack), layer).heads.indexOf(head)
  if (place < 0) throw new Error(`The look has no head L${layer}H${head} of the ${stack}.`)
  const query = side(axes.query, words, special !== 'shown')
  const key = side(axes.key, words, special !== 'shown')
  const size = query.place.length * key.place.length
  const { weights, left } = joined(bytes.subarray(place * size, (place + 1) * size), query, key)
  if (special === 'renormalised') renormalise(weights, key.tokens.length)
  return { head, query: query.tokens, key: key.tokens, weights, left, pieces: key.sizes }
}

/** The bytes of one head as weights between shown tokens, and what is left of each row, in one pass. */
function joined(bytes: Uint8Array, query: Side, key: Side): { weights: Float32Array; left: Float32Array } {
  const columns = key.tokens.length
  const weights = new Float32Array(query.tokens.length * columns)
  const left = new Float32Array(query.tokens.length)
  const whole = new Float32Array(query.tokens.length)
  let at = 0
  for (const row of query.place) {
    if (row < 0) {
      at += key.place.length
      continue
    }
    const share = 1 / query.sizes[row]!
    const start = row * columns
    for (let piece = 0; piece < key.place.length; piece++, at++) {
      const column = key.place[piece]!
      const weight = WEIGHTS[bytes[at]!]! * share
      whole[row]! += weight
      if (column < 0) continue
      weights[start + column]! += weight
      left[row]! += weight
    }
  }
  // Of a row without any weight nothing is hidden.
  return { weights, left: left.map((sum, row) => (whole[row]! > 0 ? sum / whole[row]! : 1)) }
}

function renormalise(weights: Float32Array, columns: number): void {
  for (let start = 0; start < weights.length; start += columns) {
    let sum = 0
    for (let at = start; at < start + columns; at++) sum += weights[at]!
    if (sum > 0) for (let at = start; at < start + columns; at++) weights[at]! /= sum
  }
}
