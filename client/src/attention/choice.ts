// What of a look is shown, and what of it a look can show.
import { axesOf, layerOf, partOf, SCANT, scantRows, type HeadMap, type Shown, type Stack } from '../data/maps'
import type { LookWire } from '../wire'
import type { Scale } from './scale'

/** Pictures of heads; and, of a model that runs: two models' difference, what mattered, which heads made a token. */
export type ViewKind = 'lines' | 'matrix' | 'all' | 'difference' | 'why' | 'made'

export interface Choice extends Shown {
  stack: Stack
  layer: number
  heads: number[]
  view: ViewKind
  scale: Scale
}

/** What is wished for first: the first heads there are. */
export const FIRST: Choice = { stack: 'encoder', layer: -1, heads: [], view: 'lines', words: true, special: 'shown', first: false, scale: 'linear' }

/** What is shown first. */
export function firstChoice(look: LookWire): Choice {
  return fitted(FIRST, look)
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

/** The stack of a look that goes by a name beside other looks; where each has one alone, its name does not matter. */
function stackIn(look: LookWire, stack: Stack, looks: LookWire[]): Stack | null {
  if (look.parts.some((part) => part.stack === stack)) return stack
  return looks.every((one) => one.parts.length === 1) ? look.parts[0]!.stack : null
}

/** Which of some heads a look has in a layer of a stack that goes by that name beside other looks. */
export function ownHeads(look: LookWire, { stack, layer, heads }: Choice, looks: LookWire[]): { stack: Stack; heads: number[] } {
  const own = stackIn(look, stack, looks)
  if (own === null || !layersOf(look, own).includes(layer)) return { stack: own ?? stack, heads: [] }
  const known = headsOf(look, own, layer)
  return { stack: own, heads: heads.filter((head) => known.includes(head)) }
}

/** The first of some looks that has the layer that is wished for, and a head of it; else the first that has the layer, or the stack. */
export function lookWith(wish: Choice, looks: LookWire[]): LookWire {
  const ofStack = looks.filter((look) => stackIn(look, wish.stack, looks) !== null)
  const ofLayer = ofStack.filter((look) => layersOf(look, stackIn(look, wish.stack, looks)!).includes(wish.layer))
  return ofLayer.find((look) => ownHeads(look, wish, looks).heads.length > 0) ?? ofLayer[0] ?? ofStack[0] ?? looks[0]!
}

/** The wish as far as any of some looks can show it. */
export function fittedIn(wish: Choice, looks: LookWire[]): Choice {
  const now = fitted(wish, lookWith(wish, looks))
  const known = headsIn(looks, now)
  const heads = wish.heads.filter((head) => known.includes(head))
  return { ...now, heads: heads.length > 0 ? heads : now.heads }
}

/** The layers of a stack and the heads of a layer that can be chosen. */
export function layersOf(look: LookWire, stack: Stack): number[] {
  return partOf(look, stack).layers.map((one) => one.layer)
}

export function headsOf(look: LookWire, stack: Stack, layer: number): number[] {
  return layerOf(partOf(look, stack), layer).heads
}

/** The same in any of some looks; the stack is one that any has. */
export function layersIn(looks: LookWire[], wish: Choice): number[] {
  return merged(
    looks.map((look) => {
      const stack = stackIn(look, wish.stack, looks)
      return stack === null ? [] : layersOf(look, stack)
    }),
  )
}

export function headsIn(looks: LookWire[], wish: Choice): number[] {
  return merged(
    looks.map((look) => {
      const stack = stackIn(look, wish.stack, looks)
      return stack !== null && layersOf(look, stack).includes(wish.layer) ? headsOf(look, stack, wish.layer) : []
    }),
  )
}

function merged(lists: number[][]): number[] {
  return [...new Set(lists.flat())].sort((one, other) => one - other)
}

/** A head's name: with its stack where the look has several. */
export function nameOf(look: LookWire, { stack, layer }: Pick<Choice, 'stack' | 'layer'>, heads: number[]): string {
  return `${look.parts.length > 1 ? `${stack}:` : ''}L${layer}H${heads.join(', H')}`
}

/** The heads after one more was picked: alone, or (several) added or taken away; the last one stays. */
export function picked(heads: number[], head: number, several: boolean): number[] {
  if (!several) return [head]
  if (!heads.includes(head)) return [...heads, head].sort((one, other) => one - other)
  return heads.length > 1 ? heads.filter((one) => one !== head) : heads
}

/** Whether the first token that is looked at can be made a special one: it is none already. */
export function canHideFirst(look: LookWire, stack: Stack): boolean {
  return !axesOf(look, stack).key.special[0]
}

/** What was done to the weights, in words; what is not there is not called hidden. */
export function told(look: LookWire, stack: Stack, { words, special, first }: Shown): string {
  const joined = words ? 'Pieces joined to words. ' : ''
  if (special === 'shown') return joined.trim()
  const axes = axesOf(look, stack)
  const hidden = [axes.query, axes.key].some((axis) => axis.special.includes(true)) ? ['special tokens'] : []
  if (first && canHideFirst(look, stack)) hidden.push('the first token')
  if (hidden.length === 0) return `${joined}There are no special tokens here, so nothing is hidden.`
  return `${joined}Hidden: ${hidden.join(' and ')}; rows ${special === 'hidden' ? 'no longer sum' : 'rescaled'} to 100 %.`
}

/** Of how many rows little is left, in words; nothing where there are none. */
export function scantTold(maps: HeadMap[]): string {
  const rows = maps.flatMap(scantRows)
  const scant = rows.filter((is) => is).length
  return scant > 0 ? `Grey: ${scant} of ${rows.length} rows, of which under ${100 * SCANT} % is left.` : ''
}
