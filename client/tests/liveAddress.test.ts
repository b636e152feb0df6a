import { expect, test } from 'vitest'
import { FIRST } from '../src/attention/choice'
import { addressOf, headAddress, isLive, LONGEST, readAddress, type Place } from '../src/live/address'

const place: Place = {
  models: ['bert', 'my/llama 2'],
  text: 'Öl & "50 %" = 1 + #1?',
  second: 'Two',
  target: null,
  generate: 3,
  window: 1,
  off: [[{ stack: 'encoder', layer: 2, index: 8 }], [{ stack: 'decoder', layer: 0, index: 1 }]],
  choice: { stack: 'decoder', layer: 2, heads: [8, 9], view: 'difference', words: false, special: 'hidden', first: true, scale: 'log' },
  by: ['rollout', 'gradient-input'],
}

test('what is written is read again', () => {
  const { choice, ...rest } = readAddress(addressOf(place, FIRST))
  expect({ ...rest, choice: { ...FIRST, ...choice } }).toEqual(place)
})

test('what is shown first need not be told', () => {
  const plain: Place = { models: ['bert'], text: 'A b', second: null, target: null, generate: 0, window: 0, off: [[]], choice: FIRST, by: [] }
  expect(addressOf(plain, FIRST)).toBe('#live?model=bert&text=A+b')
  const first = { ...FIRST, layer: 2, heads: [8] }
  expect(addressOf({ ...plain, choice: first }, first)).toBe('#live?model=bert&text=A+b')
  expect(readAddress(addressOf({ ...plain, text: 'x'.repeat(LONGEST + 1) }, FIRST)).text).toBeUndefined()
})

test('a head alone leaves everything else as it is', () => {
  const told = readAddress(headAddress({ stack: 'cross', layer: 1, index: 0 }))
  expect(told).toEqual({ choice: { stack: 'cross', layer: 1, heads: [0], view: 'lines' } })
})

test('what cannot be read is left out', () => {
  const told = readAddress('#live?text=a&view=dance&layer=-1&heads=x,2&scale=&off=L2H8&generate=many&part=0')
  expect(told).toMatchObject({ text: 'a', generate: 0, window: 0, off: [[], []], by: [], choice: {} })
  const twice = readAddress('#live?text=a&heads=1+1+2&off=decoder:L0H0+decoder:L0H0')
  expect(twice).toMatchObject({ off: [[{ stack: 'decoder', layer: 0, index: 0 }], []], choice: { heads: [1, 2] } })
  expect([isLive('#live'), isLive('#live?a'), isLive('#lively'), isLive('#L2H8')]).toEqual([true, true, false, false])
  expect(readAddress('#L2H8')).toEqual({ choice: {} })
})
