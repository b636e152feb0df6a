// What heads did for a token, as a measure of the grid of heads, and who did most.
import type { HeadNumbers } from '../report/measures'
import type { HeadName, MadeWire } from '../wire'

/** What a head adds to the logit directly, or what the loss is more without it. */
export type Effect = 'direct' | 'removed'

export const EFFECTS: Record<Effect, string> = {
  direct: 'added to the logit',
  removed: 'more loss without it (nats)',
}

/** Whether the server was asked for it. */
export function isTold(made: MadeWire, effect: Effect): boolean {
  return made[effect].some((value) => value !== null)
}

export function measureOf(made: MadeWire, effect: Effect): HeadNumbers {
  return {
    name: effect, label: EFFECTS[effect], group: '', about: '', values: made[effect], low: null, high: null,
    baseline: null, percent: false, along: '', kind: 'number', signed: true,
  }
}

export interface Doing {
  head: HeadName
  value: number
}

/** The heads that did most for or against the token; those that did nothing are none of them. */
export function strongest(made: MadeWire, effect: Effect, most: number): Doing[] {
  const all = made.heads.map((head, at) => ({ head, value: made[effect][at] ?? 0 }))
  const sorted = all.filter(({ value }) => value !== 0).sort((one, other) => Math.abs(other.value) - Math.abs(one.value))
  return sorted.slice(0, most)
}

/** A number with its sign. */
export function signed(value: number): string {
  return `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(2)}`
}
