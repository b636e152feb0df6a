import { expect, test } from 'vitest'
import { shown, side } from '../src/data/tokens'
import { smallLook } from './looks'

const axis = smallLook(3).axes[0]!

test('a side of pieces and of words', () => {
  expect(side(axis, false, false).tokens.map((token) => token.text)).toEqual(['[CLS]', 'play', 'ing', 'well'])
  const words = side(axis, true, true)
  expect(words.tokens.map((token) => token.text)).toEqual(['playing', 'well'])
  expect(Array.from(words.place)).toEqual([-1, 0, 0, 1])
  expect(Array.from(words.sizes)).toEqual([2, 1])
})

test('the second text begins at its first piece', () => {
  expect(side(axis, false, false).tokens.map((token) => token.second)).toEqual([false, false, false, true])
  expect(side(axis, true, false).tokens.map((token) => token.second)).toEqual([false, false, true])
})

test('what the model wrote begins at its first piece; a word that was begun for it is not its own', () => {
  expect(side({ ...axis, written: 2 }, false, false).tokens.map((token) => token.written)).toEqual([false, false, true, true])
  expect(side({ ...axis, written: 2 }, true, false).tokens.map((token) => token.written)).toEqual([false, false, true])
  expect(side(axis, true, false).tokens.some((token) => token.written)).toBe(false)
})

test('the same words have ids of their own, whatever is hidden', () => {
  const twice = { pieces: ['The', 'x', 'the'], words: [0, 1, 2], names: ['The', 'x', 'the'], special: [false, true, false], second: null, written: null }
  const all = side(twice, true, false).tokens.map((token) => token.id)
  const ordinary = side(twice, true, true).tokens.map((token) => token.id)
  expect(new Set(all).size).toBe(3)
  expect(ordinary).toEqual([all[0], all[2]])
})

test('long tokens are cut between letters, white space is seen', () => {
  expect(shown('a'.repeat(24))).toBe('a'.repeat(24))
  expect(shown('a'.repeat(10_000))).toBe(`${'a'.repeat(24)}…`)
  expect(shown('😀'.repeat(30))).toBe(`${'😀'.repeat(24)}…`)
  expect(shown('😀'.repeat(24))).toBe('😀'.repeat(24))
  expect(shown(' \n')).toBe('␣↵')
  expect(shown('')).toBe('∅')
  expect(shown('a\nb')).toBe('a b')
})
