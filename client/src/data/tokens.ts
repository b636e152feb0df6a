// The tokens along one side of a map, as they are shown: pieces or words, with or without special ones.
import type { Axis } from '../wire'

export interface Token {
  text: string
  special: boolean
  /** Whether it belongs to the second text of a pair. */
  second: boolean
  /** Whether the model wrote it itself. */
  written: boolean
  /** Which token of the text this is, whatever else is shown: its letters and how often they came before. */
  id: string
}

/** Where each piece goes: place -1 is hidden; sizes: how many pieces each token has. */
export interface Side {
  tokens: Token[]
  place: Int32Array
  sizes: Int32Array
}

const LONGEST_SHOWN = 24

/** The side of a map between words or pieces; a word is special if any of its pieces is. */
export function side(axis: Axis, words: boolean, hideSpecial: boolean): Side {
  const names = words ? axis.names : axis.pieces
  const special = names.map(() => false)
  axis.special.forEach((is, piece) => {
    if (is) special[words ? axis.words[piece]! : piece] = true
  })
  const second = axis.second === null ? Infinity : words ? axis.words[axis.second]! : axis.second
  const given = new Set(axis.words.slice(0, axis.written ?? undefined))
  const isWritten = (at: number): boolean => axis.written !== null && (words ? !given.has(at) : at >= axis.written)
  const shownAt = new Int32Array(names.length).fill(-1)
  const seen = new Map<string, number>()
  const tokens: Token[] = []
  names.forEach((text, at) => {
    const letters = text.toLowerCase()
    const before = seen.get(letters) ?? 0
    seen.set(letters, before + 1)
    if (hideSpecial && special[at]) return
    shownAt[at] = tokens.length
    tokens.push({ text, special: special[at]!, second: at >= second, written: isWritten(at), id: `${before} ${letters}` })
  })
  const place = Int32Array.from(axis.pieces, (_, piece) => shownAt[words ? axis.words[piece]! : piece]!)
  const sizes = new Int32Array(tokens.length)
  for (const at of place) if (at >= 0) sizes[at]!++
  return { tokens, place, sizes }
}

/** A token as it is shown: white space visible, long ones cut. */
export function shown(text: string, longest = LONGEST_SHOWN): string {
  // Twice as many units as letters, since some letters take two; so that a huge text is not split up.
  const letters = Array.from(text.slice(0, 2 * longest + 2))
  const cut = letters.length > longest ? `${letters.slice(0, longest).join('')}…` : text
  if (cut === '') return '∅'
  return cut.trim() === '' ? cut.replace(/\n/g, '↵').replace(/\s/g, '␣') : cut.replace(/\s/g, ' ')
}
