// A colour and, for kinds, a few letters for each head, so that colour is never the only sign.
import { diverging, sequential } from '../colour'
import type { Theme } from '../theme.svelte'
import type { Categories, Level } from '../wire'
import { openHeads, spanOf, type Measure, type Range } from './measures'

const PALE = 0.65

/** Where a number stands on the scale: from -1 to 1 if the measure goes below zero, else from 0 to 1. */
export function onScale(value: number, { low, high }: Range): number {
  if (low < 0) return value / Math.max(-low, high)
  return high > low ? (value - low) / (high - low) : 0.5
}

/** The colour of each head, null where nothing was measured; paler where it is open whether a number is above or below zero. */
export function colours(measure: Measure, theme: Theme): (string | null)[] {
  if (measure.kind === 'category') {
    return measure.values.map((value) => (value === null ? null : levelColour(measure, value, theme)))
  }
  const span = spanOf(measure)
  const open = openHeads(measure)
  return measure.values.map((value, head) => {
    if (value === null || span === null) return null
    const colour = scaleColour(value, span, theme)
    return open[head] ? blend(colour, diverging(0, theme), PALE) : colour
  })
}

/** The colour of a number of a measure with this range. */
export function scaleColour(value: number, span: Range, theme: Theme): string {
  return span.low < 0 ? diverging(onScale(value, span), theme) : sequential(onScale(value, span), theme)
}

/** The colour of a word; what holds partly is paler, and a word that the measure has not is grey. */
export function levelColour(measure: Categories, word: string, theme: Theme): string {
  const level = measure.levels.find((one) => one.word === word)
  if (level === undefined) return theme.faint
  return level.whole === null ? level.colour : blend(level.colour, theme.paper, 0.5)
}

/** A short sign for each level, no two alike: its own letters if it is short, else its first ones; ~ for partly. */
export function signs(levels: Level[]): Map<string, string> {
  const found = new Map<string, string>()
  const taken = new Set<string>()
  for (const level of levels) {
    const sign = candidates(level).find((one) => !taken.has(one)) ?? String(taken.size)
    found.set(level.word, sign)
    taken.add(sign)
  }
  return found
}

function candidates({ word, whole }: Level): string[] {
  if (word.length <= 2) return [word]
  const letters = [...(whole ?? word)].filter((letter) => /[\p{L}\p{N}]/u.test(letter))
  const first = letters[0] ?? ''
  return letters.map((letter, place) => {
    const sign = place === 0 ? first.toUpperCase() : first.toUpperCase() + letter.toLowerCase()
    return whole === null ? sign : `~${sign}`
  })
}

/** A mix of two colours; part: how much of the second. */
function blend(one: string, other: string, part: number): string {
  const mixed = [1, 3, 5].map((start) => {
    const [from, to] = [one, other].map((colour) => parseInt(colour.slice(start, start + 2), 16)) as [number, number]
    return Math.round(from + (to - from) * part)
  })
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`
}
