import { expect, test } from 'vitest'
import { FIRST } from '../src/attention/choice'
import { addressOf, headAddress, isLive, PLAIN, readAddress, type Place } from '../src/live/address'
import { isSameKept, keptIn, keptOf, LONGEST, named } from '../src/live/kept'

const place: Place = {
  models: ['bert', 'my/llama 2'],
  text: 'Öl & "50 %" = 1 + #1?',
  second: 'Two',
  target: null,
  generate: 3,
  choice: { stack: 'decoder', layer: 2, heads: [8, 9], view: 'difference', words: false, special: 'hidden', first: true, scale: 'log' },
  panes: [
    { window: 1, off: [{ stack: 'encoder', layer: 2, index: 8 }], by: ['rollout', 'gradient-input'], token: 4, effect: 'removed' },
    { window: 2, off: [{ stack: 'decoder', layer: 0, index: 1 }], by: ['attention'], token: 12, effect: 'direct' },
  ],
  pins: ['query 0 öl', 'key 1 50 % &+2'],
}
const plain: Place = {
  models: ['bert'], text: 'A b', second: null, target: null, generate: 0, panes: [PLAIN], choice: FIRST, pins: [],
}

test('what is written is read again', () => {
  const { choice, long, ...rest } = readAddress(addressOf(place))
  expect({ ...rest, choice: { ...FIRST, ...choice } }).toEqual(place)
  expect(long).toEqual([])
})

test('names are short, and those of the second model end in 2', () => {
  const told = new URLSearchParams(addressOf(place).slice('#live?'.length))
  expect(['part', 'part2', 'by2', 'token', 'token2', 'effect'].map((name) => told.get(name))).toEqual(['2', '3', 'attention', '4', '12', 'removed'])
  expect(told.get('off2')).toBe('decoder:L0H1')
  expect([told.getAll('pin'), told.has('effect2')]).toEqual([place.pins, false])
})

test('what is shown first need not be told', () => {
  expect(addressOf(plain)).toBe('#live?model=bert&text=A+b')
  const head = { ...FIRST, layer: 2, heads: [8] }
  expect(addressOf({ ...plain, choice: head })).toBe('#live?model=bert&text=A+b&layer=2&heads=8')
  expect(addressOf({ ...plain, pins: [`query 0 ${'x'.repeat(200)}`] })).toBe('#live?model=bert&text=A+b')
})

test('a text too long for an address is named in it, and kept beside it', () => {
  const long = { ...plain, text: 'x'.repeat(LONGEST + 1), second: 'B' }
  const told = readAddress(addressOf(long))
  expect(told).toMatchObject({ models: ['bert'], second: 'B', long: ['text'] })
  expect([told.text, addressOf(long).length < 100]).toEqual([undefined, true])
  expect(keptIn({ kept: keptOf(long, 100_000) })).toEqual({ text: long.text })
  expect(keptOf(long, LONGEST)).toEqual({})
  expect([null, undefined, 'x', { kept: { text: 1 } }].map(keptIn)).toEqual([{}, {}, {}, {}])
  expect([isSameKept({ text: 'a' }, { text: 'a' }), isSameKept({ text: 'a' }, { text: 'b' }), isSameKept({}, { target: '' })]).toEqual([true, false, false])
  expect(named(['text', 'second'])).toBe('text and second text')
})

test('a head alone leaves everything else as it is but its model', () => {
  const told = readAddress(headAddress({ stack: 'cross', layer: 1, index: 0 }, 'my/t5'))
  expect(told).toEqual({ models: ['my/t5'], choice: { stack: 'cross', layer: 1, heads: [0], view: 'lines' }, long: [] })
  expect(readAddress(headAddress({ stack: 'cross', layer: 1, index: 0 }, '')).models).toBeUndefined()
})

test('what cannot be read is left out', () => {
  const told = readAddress('#live?text=a&view=dance&layer=-1&heads=x,2&scale=&off=L2H8&generate=many&part=0&token=0&token2=a&effect=x&pin=here&long=book')
  expect(told).toMatchObject({ text: 'a', generate: 0, panes: [PLAIN, PLAIN], choice: {}, pins: [], long: [] })
  const twice = readAddress('#live?text=a&heads=1+1+2&off=decoder:L0H0+decoder:L0H0&pin=key+0+a&pin=key+0+a')
  expect(twice).toMatchObject({ panes: [{ off: [{ stack: 'decoder', layer: 0, index: 0 }] }, PLAIN], choice: { heads: [1, 2] }, pins: ['key 0 a'] })
  const zeros = readAddress('#live?text=a&layer=02&heads=1+01+0&off=decoder:L0H1+decoder:L00H1+decoder:L0H01')
  expect(zeros).toMatchObject({ panes: [{ off: [{ stack: 'decoder', layer: 0, index: 1 }] }, PLAIN], choice: { heads: [1, 0] } })
  expect(zeros.choice.layer).toBeUndefined()
  expect([isLive('#live'), isLive('#live?a'), isLive('#lively'), isLive('#L2H8')]).toEqual([true, true, false, false])
  expect(readAddress('#L2H8')).toEqual({ choice: {}, long: [] })
})
