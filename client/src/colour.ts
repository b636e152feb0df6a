// Colour scales that the colour-blind can read: one hue for numbers, Okabe and Ito's for kinds.
import type { Theme } from './theme.svelte'

type Rgb = [number, number, number]

const LOW_LIGHT: Rgb = [246, 248, 250]
const LOW_DARK: Rgb = [27, 31, 37]
const STOPS_LIGHT: Rgb[] = [LOW_LIGHT, [189, 215, 236], [107, 168, 212], [38, 112, 172], [10, 52, 98]]
const STOPS_DARK: Rgb[] = [LOW_DARK, [24, 66, 104], [33, 113, 172], [97, 171, 219], [222, 238, 250]]
const LOSS_LIGHT: Rgb[] = [LOW_LIGHT, [246, 190, 140], [213, 94, 0], [120, 50, 0]]
const LOSS_DARK: Rgb[] = [LOW_DARK, [122, 60, 10], [213, 110, 30], [252, 214, 180]]

export const KINDS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#f0e442', '#4b3b8f', '#882255', '#117733', '#7a4419', '#44aa99']

const ROLES: Record<string, string> = {
  syntax: '#117733',
  coreference: '#882255',
  'previous token': '#0072b2',
  'next token': '#56b4e9',
  'same token': '#009e73',
  'first-token sink': '#d55e00',
  separator: '#e69f00',
  punctuation: '#cc79a7',
  broad: '#f0e442',
  local: '#4b3b8f',
  mixed: '#b8b8b8',
}

function between(stops: Rgb[], at: number): string {
  const place = Math.min(Math.max(at, 0), 1) * (stops.length - 1)
  const first = Math.min(Math.floor(place), stops.length - 2)
  const part = place - first
  const from = stops[first]!
  const to = stops[first + 1]!
  const mixed = from.map((value, channel) => Math.round(value + (to[channel]! - value) * part))
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`
}

/** The colour of a number from 0 (nothing) to 1 (most). */
export function sequential(at: number, theme: Theme): string {
  return between(theme.dark ? STOPS_DARK : STOPS_LIGHT, at)
}

/** The colour of a number from -1 (loss, orange) through 0 (none) to 1 (gain, blue). */
export function diverging(at: number, theme: Theme): string {
  if (at >= 0) return sequential(at, theme)
  return between(theme.dark ? LOSS_DARK : LOSS_LIGHT, -at)
}

/** The colour of a kind: roles have colours of their own, as in the figures; others by their place. */
export function kindColour(level: string, place: number): string {
  return ROLES[level.replace(/^partly /, '')] ?? KINDS[place % KINDS.length]!
}

/** Dark or light ink, whichever is readable on a colour. */
export function inkOn(colour: string): string {
  const [red, green, blue] = [1, 3, 5].map((start) => {
    const part = parseInt(colour.slice(start, start + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  }) as Rgb
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.18 ? '#1b1f24' : '#ffffff'
}
