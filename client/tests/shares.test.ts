import { expect, test } from 'vitest'
import { percent } from '../src/attention/scale'
import { told, weighed } from '../src/explanation/shares'
import type { ExplanationWire } from '../src/wire'

// "[CLS] a light house" of which an earlier answer has read two pieces.
const explanation: ExplanationWire = {
  title: 't',
  model: 'm',
  axes: [{ pieces: ['[CLS]', 'a', 'light', 'house'], words: [0, 1, 2, 2], names: ['[CLS]', 'a', 'lighthouse'], special: [true, false, false, false], second: null, written: null }],
  answers: [
    { label: 'good', probability: 0.75 },
    { label: 'house', probability: 0.5 },
  ],
  ways: [{ name: 'occlusion', title: 'a blank for the piece', signed: true }],
  importance: [
    [
      [9, -1, 4, -1],
      [null, null, 2, 0],
    ],
  ],
  seen: [
    [true, true, true, true],
    [true, true, true, false],
  ],
  offered: [],
  notes: [],
  answers_left: 0,
}

test('shares are of what is not special, their sign left out', () => {
  const [tokens] = weighed(explanation, 0, 0, false)
  expect(tokens!.map(({ share }) => share)).toEqual([null, 1 / 6, 4 / 6, 1 / 6])
  expect(tokens!.map(({ strength }) => strength)).toEqual([0, -0.25, 1, -0.25])
})

test('pieces are summed to words', () => {
  const [tokens] = weighed(explanation, 0, 0, true)
  expect(tokens!.map(({ token }) => token.text)).toEqual(['[CLS]', 'a', 'lighthouse'])
  expect(tokens!.map(({ value }) => value)).toEqual([9, -1, 3])
  expect(tokens!.map(({ share }) => share)).toEqual([null, 0.25, 0.75])
})

test('an answer has what was read before it, and of a word that is being written its beginning', () => {
  const [tokens] = weighed(explanation, 0, 1, true)
  expect(tokens!.map(({ token }) => token.text)).toEqual(['[CLS]', 'a', 'light'])
  expect(tokens!.map(({ share }) => share)).toEqual([null, null, 1])
  expect(weighed(explanation, 0, 1, false)[0]!.map(({ token }) => token.text)).toEqual(['[CLS]', 'a', 'light'])
})

test('the meaning of a colour is told in words', () => {
  const words = weighed(explanation, 0, 0, false)[0]!.map((one) => told(one, percent))
  expect(words).toEqual([
    'importance 9, left out of shares',
    '16.7 %, importance -1, against the answer',
    '66.7 %, importance 4',
    '16.7 %, importance -1, against the answer',
  ])
  expect(told(weighed(explanation, 0, 1, false)[0]![1]!, percent)).toBe('not judged')
})
