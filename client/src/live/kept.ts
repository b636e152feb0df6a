// Texts too long for an address: the browser keeps them beside it, for Back, forward and reload.
import type { Asked } from './ask'

/** Longer texts are not written into addresses, which mail and chat would cut. */
export const LONGEST = 4000

export const TEXTS = ['text', 'second', 'target'] as const
export type TextName = (typeof TEXTS)[number]
export type Kept = Partial<Record<TextName, string>>

export function isLong(text: string | null): boolean {
  return text !== null && text.length > LONGEST
}

/** The texts that an address does not tell; without those that are refused anyway, which may be larger than a browser keeps. */
export function keptOf(asked: Asked, longestAsked: number): Kept {
  return Object.fromEntries(TEXTS.flatMap((name) => (isLong(asked[name]) && asked[name]!.length <= longestAsked ? [[name, asked[name]!]] : [])))
}

/** What the browser kept beside an address, as far as it is ours. */
export function keptIn(state: unknown): Kept {
  const found = (state as { kept?: Record<string, unknown> } | null)?.kept ?? {}
  return Object.fromEntries(TEXTS.flatMap((name) => (typeof found[name] === 'string' ? [[name, found[name]]] : [])))
}

export function isSameKept(one: Kept, other: Kept): boolean {
  return TEXTS.every((name) => one[name] === other[name])
}

const NAMES: Record<TextName, string> = { text: 'text', second: 'second text', target: 'target text' }

/** Some texts by name, such as 'text and second text'. */
export function named(texts: TextName[]): string {
  return texts.map((name) => NAMES[name]).join(' and ')
}
