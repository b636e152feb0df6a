// What of a look is shown, and what of it a look can show.
import { layerOf, partOf, type Special, type Stack } from '../data/maps'
import type { LookWire } from '../wire'
import type { Scale } from './scale'

export type ViewKind = 'lines' | 'matrix' | 'all'

export interface Choice {
  stack: Stack
  layer: number
  heads: number[]
  view: ViewKind
  words: boolean
  special: Special
  scale: Scale
}

/** What is shown first. */
export function firstChoice(look: LookWire): Choice {
  const wish: Choice = {
    stack: look.parts[0]!.stack,
    layer: -1,
    heads: [],
    view: 'lines',
    words: true,
    special: 'shown',
    scale: 'linear',
  }
  return fitted(wish, look)
}

/** The wish as far as the look can show it: its own stack, layer and heads, or the first there are. */
export function fitted(wish: Choice, look: LookWire): Choice {
  const part = look.parts.find((one) => one.stack === wish.stack) ?? look.parts[0]!
  const layer = part.layers.find((one) => one.layer === wish.layer) ?? part.layers[0]!
  const heads = wish.heads.filter((head) => layer.heads.includes(head))
  return {
    ...wish,
    stack: part.stack,
    layer: layer.layer,
    heads: heads.length > 0 ? heads : layer.heads.slice(0, 1),
  }
}

/** The layers of a stack and the heads of a layer that can be chosen. */
export function layersOf(look: LookWire, stack: Stack): number[] {
  return partOf(look, stack).layers.map((one) => one.layer)
}

export function headsOf(look: LookWire, stack: Stack, layer: number): number[] {
  return layerOf(partOf(look, stack), layer).heads
}

/** The heads after one more was picked: alone, or (several) added or taken away; the last one stays. */
export function picked(heads: number[], head: number, several: boolean): number[] {
  if (!several) return [head]
  if (!heads.includes(head)) return [...heads, head].sort((one, other) => one - other)
  return heads.length > 1 ? heads.filter((one) => one !== head) : heads
}

/** What was done to the weights, in words. */
export function told(special: Special, words: boolean): string {
  const joined = words ? 'Pieces joined to words. ' : ''
  if (special === 'hidden') return `${joined}Special tokens hidden; rows no longer sum to 100 %.`
  if (special === 'renormalised') return `${joined}Special tokens hidden; rows rescaled to 100 %.`
  return joined.trim()
}
