// What the measures of the atlas say about a head.
import { ordinal, told } from './numbers'
import type { Atlas, Categories, Numbers } from '../wire'

/** Numbers of heads; signed: zero has no colour, whatever they are. span: what the colours reach over, if more than these. */
export type HeadNumbers = Numbers & { signed?: boolean; span?: Range | null }
export type Measure = HeadNumbers | Categories

export interface Group {
  name: string
  measures: Measure[]
}

export interface Range {
  low: number
  high: number
}

export interface Rank {
  place: number
  of: number
}

/** The measures under the names of their groups, in the order in which these come first. */
export function grouped(measures: Measure[]): Group[] {
  const names = [...new Set(measures.map((measure) => measure.group))]
  return names.map((name) => ({ name, measures: measures.filter((measure) => measure.group === name) }))
}

/** The measures whose label, name or group holds the text. */
export function matching(measures: Measure[], text: string): Measure[] {
  const sought = text.trim().toLowerCase()
  return measures.filter((measure) => [measure.label, measure.name, measure.group].some((part) => part.toLowerCase().includes(sought)))
}

/** A measure's name where its group is not in sight, such as 'attention to: previous'. */
export function fullLabel({ about, label }: Measure): string {
  return about === '' ? label : `${about}: ${label}`
}

/** The roles of the heads, if the run gave them any. */
export function rolesOf(atlas: Atlas): Categories | undefined {
  return atlas.measures.find((measure): measure is Categories => measure.kind === 'category' && measure.role)
}

/** Smallest and largest; null if nothing was measured. */
export function range(values: (number | null)[]): Range | null {
  let [low, high] = [Infinity, -Infinity]
  for (const value of values) {
    if (value === null) continue
    low = Math.min(low, value)
    high = Math.max(high, value)
  }
  return low > high ? null : { low, high }
}

/** What the colours of a measure reach over; null if nothing was measured. Around zero, at least as far as its usual interval. */
export function spanOf(measure: HeadNumbers): Range | null {
  if (measure.span !== undefined) return measure.span
  const span = range(measure.values)
  if (!span || !(measure.signed || span.low < 0)) return span
  const most = Math.max(-span.low, span.high, byChance(measure)) || 1
  return { low: -most, high: most }
}

/** The measures that a measure is one step of, in their order; none where it stands alone. */
export function stepsOf(measure: Measure, measures: Measure[]): Measure[] {
  return measure.along === '' ? [] : measures.filter((one) => one.along === measure.along)
}

/** A measure whose colours mean the same at all its steps. */
export function amongSteps(measure: Measure, steps: Measure[]): Measure {
  const all = steps.filter((one): one is Numbers => one.kind === 'number')
  if (measure.kind === 'category' || all.length === 0) return measure
  const known = (side: 'low' | 'high') => all.flatMap((one) => one[side] ?? one.values.map(() => null))
  return { ...measure, span: spanOf({ ...measure, values: all.flatMap((one) => one.values), low: known('low'), high: known('high') }) }
}

/** Half of the median interval: so far from zero numbers come by chance; 0 where there are no intervals. */
function byChance({ low, high }: Numbers): number {
  const widths = (low ?? []).flatMap((from, head) => (from === null ? [] : [(high?.[head] ?? from) - from])).sort((one, other) => one - other)
  const middle = (widths.length - 1) / 2
  return widths.length === 0 ? 0 : (widths[Math.floor(middle)]! + widths[Math.ceil(middle)]!) / 4
}

/** Which heads' intervals hold zero, of a measure that goes below it: neither loss nor gain is sure. */
export function openHeads(measure: HeadNumbers): boolean[] {
  const isSigned = (spanOf(measure)?.low ?? 0) < 0
  return measure.values.map((value, head) => {
    const [low, high] = [measure.low?.[head] ?? null, measure.high?.[head] ?? null]
    return isSigned && value !== null && low !== null && high !== null && low <= 0 && high >= 0
  })
}

/** The head's place among all heads that were measured, the largest first; equals share the better place. */
export function rank(measure: Numbers, head: number): Rank | null {
  const own = measure.values[head] ?? null
  if (own === null) return null
  const measured = measure.values.filter((value) => value !== null)
  return { place: 1 + measured.filter((value) => value > own).length, of: measured.length }
}

export function toldRank({ place, of }: Rank): string {
  return `${ordinal(place)} of ${of}`
}

/** The interval of a head's value in words; empty where there is none. */
export function toldInterval(measure: Numbers, head: number): string {
  const low = measure.low?.[head] ?? null
  const high = measure.high?.[head] ?? null
  if (low === null || high === null) return ''
  return `${told(low, measure.percent)} to ${told(high, measure.percent)}`
}

/** A head's value in words, without its interval. */
export function toldValue(measure: Measure, head: number): string {
  const value = measure.values[head] ?? null
  if (value === null) return 'not measured'
  return measure.kind === 'number' ? told(value as number, measure.percent) : (value as string)
}

/** A head's value in words, with its interval and its place among all. */
export function toldFully(measure: Measure, head: number): string {
  const value = toldValue(measure, head)
  if (measure.kind === 'category') return value
  const place = rank(measure, head)
  if (place === null) return value
  const interval = toldInterval(measure, head)
  return `${value}${interval && ` (${interval})`}, ${toldRank(place)}`
}

/** The measures in which the head is among the three largest, and above what a head without the property would have. */
export function highest(measures: Measure[], head: number): Numbers[] {
  return measures.filter((measure): measure is Numbers => {
    if (measure.kind === 'category') return false
    const own = measure.values[head] ?? null
    const baseline = measure.baseline?.[head] ?? null
    if (own === null || baseline === null || own <= baseline) return false
    const measured = measure.values.filter((value) => value !== null)
    // Among a handful of heads everyone is among the first.
    return measured.length >= 20 && measured.filter((value) => value >= own).length <= 3
  })
}

/** The head whose card is open at first: the first with the foremost role, since it has something to tell. */
export function telling(atlas: Atlas): string {
  const roles = rolesOf(atlas)
  const foremost = roles?.levels.find((level) => roles.values.includes(level.word))
  const place = foremost === undefined ? 0 : roles!.values.indexOf(foremost.word)
  return atlas.heads[place]!.name
}
