// Colour scales of numbers that the colour-blind can read; colours of kinds come with their words.
import type { Theme } from './theme.svelte'

type Rgb = [number, number, number]

const LOW_LIGHT: Rgb = [246, 248, 250]
const LOW_DARK: Rgb = [27, 31, 37]
const STOPS_LIGHT: Rgb[] = [LOW_LIGHT, [189, 215, 236], [107, 168, 212], [38, 112, 172], [10, 52, 98]]
const STOPS_DARK: Rgb[] = [LOW_DARK, [24, 66, 104], [33, 113, 172], [97, 171, 219], [222, 238, 250]]
const LOSS_LIGHT: Rgb[] = [LOW_LIGHT, [246, 190, 140], [213, 94, 0], [120, 50, 0]]
const LOSS_DARK: Rgb[] = [LOW_DARK, [122, 60, 10], [213, 110, 30], [252, 214, 180]]

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

/** The colour of a number from 0 to 1 that says little. */
export function grey(at: number, theme: Theme): string {
  return between(theme.dark ? [LOW_DARK, [112, 118, 126]] : [LOW_LIGHT, [158, 164, 172]], at)
}

/** The colour of a loss from 0 (none) to 1 (most). */
export function loss(at: number, theme: Theme): string {
  return between(theme.dark ? LOSS_DARK : LOSS_LIGHT, at)
}

/** The colour of a number from -1 (loss, orange) through 0 (none) to 1 (gain, blue). */
export function diverging(at: number, theme: Theme): string {
  return at >= 0 ? sequential(at, theme) : loss(-at, theme)
}

/** Dark or light ink, whichever is readable on a colour. */
export function inkOn(colour: string): string {
  const [red, green, blue] = [1, 3, 5].map((start) => {
    const part = parseInt(colour.slice(start, start + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  }) as Rgb
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.18 ? '#1b1f24' : '#ffffff'
}
