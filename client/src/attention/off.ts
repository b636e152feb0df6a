// Heads that are switched off.
import type { Stack } from '../data/maps'
import type { HeadOff } from '../wire'

export function isOff(off: HeadOff[], stack: Stack, layer: number, index: number): boolean {
  return off.some((head) => head.stack === stack && head.layer === layer && head.index === index)
}

/** The list after some heads of a layer were switched: all off, or, if they all were off, on again. */
export function switched(off: HeadOff[], stack: Stack, layer: number, heads: number[]): HeadOff[] {
  return withHeads(off, stack, layer, heads, !heads.every((index) => isOff(off, stack, layer, index)))
}

/** The list with some heads of a layer off, or on. */
export function withHeads(off: HeadOff[], stack: Stack, layer: number, heads: number[], areOff: boolean): HeadOff[] {
  const others = off.filter((head) => head.stack !== stack || head.layer !== layer || !heads.includes(head.index))
  return areOff ? [...others, ...heads.map((index) => ({ stack, layer, index }))] : others
}
