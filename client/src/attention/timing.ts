// Marks in the browser's timeline: how long a reader waits for a picture.
import type { LookWire } from '../wire'

const ENDS = { 'headscope-answer': 'headscope-picture', 'headscope-switch': 'headscope-painted' } as const

export type Start = keyof typeof ENDS

/** Weak, as a look may be gone before its picture was drawn. */
const waiting = new WeakMap<LookWire, Set<Start>>()

/** A look came, or another of its heads was chosen: its next picture ends the wait. */
export function began(start: Start, look: LookWire): void {
  performance.mark(start)
  waiting.set(look, (waiting.get(look) ?? new Set()).add(start))
}

/** A picture of a look was drawn; it counts once the browser has shown it. */
export function drawn(look: LookWire): void {
  const ended = waiting.get(look)
  if (!ended) return
  waiting.delete(look)
  requestAnimationFrame(() => setTimeout(() => ended.forEach((start) => performance.mark(ENDS[start]))))
}
