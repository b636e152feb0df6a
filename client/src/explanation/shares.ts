// How much the tokens of an explained text mattered for one answer, by one way.
import { side, type Token } from '../data/tokens'
import type { ExplanationWire } from '../wire'

export interface Weighed {
  token: Token
  /** As the explainer gives it, summed to words; null where it cannot be judged. */
  value: number | null
  /** Part of all that is not special, the sign left out; null for what is. */
  share: number | null
  /** From -1 (most, against the answer) through 0 to 1 (most). */
  strength: number
}

/** The tokens of each side that the model had read when it answered, with pieces or words as tokens. */
export function weighed(explanation: ExplanationWire, way: number, answer: number, words: boolean): Weighed[][] {
  const importance = explanation.importance[way]![answer]!
  const seen = explanation.seen[answer]!
  let start = 0
  const sides = explanation.axes.map((axis) => {
    const { tokens, place, sizes } = side(axis, words, false)
    const values = tokens.map((): number | null => null)
    const read = tokens.map((): string[] => [])
    place.forEach((at, piece) => {
      const value = importance[start + piece] ?? null
      if (value !== null) values[at] = (values[at] ?? 0) + value
      if (seen[start + piece]) read[at]!.push(axis.pieces[piece]!)
    })
    start += axis.pieces.length
    // Of a word that is being written, only what the model had read.
    const texts = tokens.map(({ text }, at) => (read[at]!.length < sizes[at]! ? read[at]!.join('') : text))
    return tokens
      .map((token, at) => ({ token: { ...token, text: texts[at]! }, value: values[at]! }))
      .filter((_, at) => read[at]!.length > 0)
  })
  const all = sides.flat().map(sizeOf)
  const [total, most] = [all.reduce((sum, size) => sum + size, 0), Math.max(0, ...all)]
  return sides.map((tokens) =>
    tokens.map((one) => {
      const judged = !one.token.special && one.value !== null && total > 0
      return {
        ...one,
        share: judged ? sizeOf(one) / total : null,
        strength: judged ? (Math.sign(one.value!) * sizeOf(one)) / most : 0,
      }
    }),
  )
}

function sizeOf({ token, value }: { token: Token; value: number | null }): number {
  return token.special || value === null ? 0 : Math.abs(value)
}

/** What the colour of a token means, in words. */
export function told({ value, share }: Weighed, percent: (share: number) => string): string {
  if (value === null) return 'not judged'
  const number = Number(value.toPrecision(3))
  if (share === null) return `importance ${number}, left out of shares`
  return `${percent(share)}, importance ${number}${value < 0 ? ', against the answer' : ''}`
}
