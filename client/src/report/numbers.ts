// Numbers as people read them.

const MINUS = '\u2212'
const SPACE = '\u202f'

/** A number to so many significant digits; whole numbers in full. */
export function significant(value: number, digits = 4): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return String(value)
  const size = Math.abs(value)
  if (size < 1e-4 || size >= 1e15) return value.toExponential(digits - 1)
  if (size >= 10 ** digits) return value.toFixed(0)
  const text = value.toPrecision(digits)
  // 9999.6 rounds up to a number that would be written with an exponent.
  return text.includes('e') ? value.toFixed(0) : text
}

/** A number for reading in a text: with a real minus, as a share if it is one. */
export function told(value: number, percent = false): string {
  const text = percent ? `${(value * 100).toFixed(1)}${SPACE}%` : significant(value, 3)
  // What rounds to nothing has no sign.
  return text.replace(/^-(?=0\.0\D)/, '').replace('-', MINUS)
}

/** A round number beside an axis, without zeros that say nothing. */
export function tick(value: number, percent = false): string {
  const number = String(Number((percent ? value * 100 : value).toPrecision(6)))
  return number.replace('-', MINUS) + (percent ? `${SPACE}%` : '')
}

/** A number in at most four letters, for a small cell: shares in whole percent; null if it needs more. */
export function brief(value: number, percent = false): string | null {
  if (percent) return told(Math.round(value * 100))
  const text = Math.abs(value) < 0.005 ? '0' : Math.abs(value) < 10 ? value.toFixed(Math.abs(value) < 1 ? 2 : 1) : value.toFixed(0)
  const short = text.replace(/^(-?)0\./, '$1.').replace('-', MINUS)
  return short.length <= 4 ? short : null
}

/** A sentence in which no line ends between a number and its sign, nor after "p =". */
export function unbroken(text: string): string {
  return text.replace(/(?<=\d) (?=%)/g, '\u00a0').replace(/\bp = (?=\d)/g, 'p\u00a0=\u00a0')
}

/** First, second, third, ... in digits. */
export function ordinal(place: number): string {
  const teens = place % 100 >= 11 && place % 100 <= 13
  const ending = teens ? 'th' : (['th', 'st', 'nd', 'rd'][place % 10] ?? 'th')
  return `${place}${ending}`
}

/** How long something took. */
export function duration(seconds: number): string {
  if (seconds < 10) return `${seconds.toFixed(1)} s`
  if (seconds < 120) return `${Math.round(seconds)} s`
  const minutes = Math.round(seconds / 60)
  return minutes < 120 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** Round numbers within a range, about as many as asked for. */
export function ticks(low: number, high: number, count: number): number[] {
  if (!(high > low)) return [low]
  const rough = (high - low) / count
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((one) => one >= rough)!
  const first = Math.ceil(low / step - 1e-9)
  const last = Math.floor(high / step + 1e-9)
  // From whole numbers, so that 0.1 + 0.2 does not show.
  return Array.from({ length: last - first + 1 }, (_, place) => Number(((first + place) * step).toPrecision(12)))
}
