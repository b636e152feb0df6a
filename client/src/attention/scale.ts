// How strongly a weight shows, and how it is written.

export type Scale = 'linear' | 'log'

/** The log scale shows a thousandth of the strongest weight as nothing. */
const DECADES = 3

/** From 0 (not to be seen) to 1 for the strongest weight. */
export function strength(weight: number, top: number, scale: Scale): number {
  if (!(weight > 0) || !(top > 0)) return 0
  const share = weight / top
  return scale === 'linear' ? Math.min(share, 1) : Math.min(Math.max(1 + Math.log10(share) / DECADES, 0), 1)
}

/** The weight that shows this strongly. */
export function weightAt(strong: number, top: number, scale: Scale): number {
  return scale === 'linear' ? strong * top : top * 10 ** (DECADES * (strong - 1))
}

/** The strongest of weights (row, column), whatever its sign, in rows that are not passed over; of all, where all are. */
export function strongestOf(weights: Float32Array, passed: boolean[] = []): number {
  const columns = weights.length / (passed.length || 1)
  const none = passed.every((is) => is)
  let top = 0
  for (let at = 0; at < weights.length; at++) {
    const size = Math.abs(weights[at]!)
    if (size > top && (none || !passed[Math.floor(at / columns)])) top = size
  }
  return top
}

/** A weight as a share of the whole: 12.3 %. */
export function percent(weight: number): string {
  return `${(100 * weight).toFixed(1)} %`
}

/** A difference of weights with its sign: +3.2 points. */
export function points(difference: number): string {
  const size = (100 * Math.abs(difference)).toFixed(1)
  return `${size === '0.0' ? '' : difference > 0 ? '+' : '−'}${size} points`
}
