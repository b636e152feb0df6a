import { afterEach, expect, test, vi } from 'vitest'
import { ask, leftOut, questionFor, shapeOf } from '../src/live/ask'
import { changed, changeInUnit, inUnit } from '../src/output/change'
import type { LookWire } from '../src/wire'
import { smallLook } from './looks'

afterEach(() => vi.unstubAllGlobals())
const asked = { text: 'one', second: 'two', target: 'three', generate: 4 }
const rest = { off: [], window: 0 }

test('a model is asked only what it can be', () => {
  expect(questionFor('m', asked, 'encoder', rest)).toMatchObject({ second: 'two', target: null, generate: 0 })
  expect(questionFor('m', asked, null, rest)).toMatchObject({ second: 'two', target: null, generate: 0 })
  expect(questionFor('m', asked, 'decoder', rest)).toMatchObject({ second: null, target: null, generate: 4 })
  expect(questionFor('m', asked, 'encoder-decoder', rest)).toMatchObject({ second: null, target: 'three', generate: 0 })
  const written = questionFor('m', { ...asked, target: null }, 'encoder-decoder', rest)
  expect(written).toMatchObject({ second: null, target: null, generate: 4 })
})

test('a second text that is not asked is told', () => {
  expect(leftOut(asked, questionFor('m', asked, 'decoder', rest))).toContain('the second is left out')
  expect(leftOut(asked, questionFor('m', asked, 'encoder', rest))).toBe('')
  const one = { ...asked, second: null }
  expect(leftOut(one, questionFor('m', one, 'decoder', rest))).toBe('')
})

test('a look tells the shape of its model', () => {
  const withStacks = (...stacks: LookWire['parts'][0]['stack'][]) => ({
    ...smallLook(),
    parts: stacks.map((stack) => ({ ...smallLook().parts[0]!, stack })),
  })
  expect(shapeOf(withStacks('encoder'))).toBe('encoder')
  expect(shapeOf(withStacks('decoder'))).toBe('decoder')
  expect(shapeOf(withStacks('encoder', 'decoder', 'cross'))).toBe('encoder-decoder')
})

test('what the server refuses is said in its words, its silence in ours', async () => {
  const question = questionFor('m', asked, null, rest)
  const { signal } = new AbortController()
  vi.stubGlobal('fetch', async () => new Response(JSON.stringify({ message: 'the text is empty' }), { status: 400 }))
  await expect(ask(question, signal)).rejects.toThrow('the text is empty')
  vi.stubGlobal('fetch', async () => new Response('<html>', { status: 502, statusText: 'Bad Gateway' }))
  await expect(ask(question, signal)).rejects.toThrow('502 Bad Gateway')
  vi.stubGlobal('fetch', async () => {
    throw new TypeError('Failed to fetch')
  })
  await expect(ask(question, signal)).rejects.toThrow('does not answer')
})

test('outputs are sorted by how much they changed', () => {
  const row = (label: string, before: number, after: number | null) => ({ label, before, after })
  const rows = changed({ title: '', unit: 'probability', rows: [row('a', 0.5, 0.45), row('b', 0.3, 0.1), row('c', 0.2, 0.45)] })
  expect(rows.map((one) => one.label)).toEqual(['c', 'b', 'a'])
  const unchanged = changed({ title: '', unit: 'cosine', rows: [row('a', 1, null), row('b', 1, null)] })
  expect(unchanged.map((one) => [one.label, one.change])).toEqual([['a', null], ['b', null]])
})

test('numbers are written in their unit', () => {
  expect(inUnit(0.1234, 'probability')).toBe('12.3 %')
  expect(inUnit(0.000012345, 'probability')).toBe('0.0012 %')
  expect(inUnit(0, 'probability')).toBe('0.0 %')
  expect(inUnit(0.98765, 'cosine')).toBe('0.988')
  expect(changeInUnit(-0.061, 'probability')).toBe('−6.1 points')
  expect(changeInUnit(0.25, 'cosine')).toBe('+0.250')
  expect(changeInUnit(0, 'cosine')).toBe('±0.000')
})
