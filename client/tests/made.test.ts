import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { isTold, measureOf, signed, strongest } from '../src/live/heads'
import { Made } from '../src/live/made.svelte'
import { spanOf } from '../src/report/measures'
import { colours } from '../src/report/palette'
import { sequential } from '../src/colour'
import { light } from '../src/theme.svelte'
import type { HeadName, MadeQuestion, MadeWire, Question } from '../src/wire'

const head = (layer: number, index: number): HeadName => ({ name: `L${layer}H${index}`, stack: 'decoder', layer, index })
const NONE = [null, null, null, null]

/** Three pieces, the last of which the model wrote; two layers of two heads. */
function madeToken(more: Partial<MadeWire> = {}): MadeWire {
  return {
    pieces: ['The', ' old', ' key'], written: 1, place: 2, logit: 1, loss: 0.5, parts: [], notes: [],
    heads: [head(0, 0), head(0, 1), head(1, 0), head(1, 1)], direct: [0.5, -2, 0, 1], removed: NONE, ...more,
  }
}

test('the heads that did most come first, whichever way they pull', () => {
  const told = strongest(madeToken(), 'direct', 8)
  expect(told.map((one) => [one.head.name, signed(one.value)])).toEqual([
    ['L0H1', '−2.00'], ['L1H1', '+1.00'], ['L0H0', '+0.50'],
  ])
  expect(strongest(madeToken(), 'direct', 1)).toHaveLength(1)
  expect(strongest(madeToken(), 'removed', 8)).toEqual([])
})

test('zero has no colour, also where all heads pull the same way', () => {
  const neutral = sequential(0, light)
  const both = colours(measureOf(madeToken(), 'direct'), light)
  const [, against, none] = both
  expect(none).toBe(neutral)
  expect(against).toBe('#783200')
  const one = measureOf(madeToken({ direct: [0, 1, 2, 4] }), 'direct')
  expect(spanOf(one)).toEqual({ low: -4, high: 4 })
  expect(colours(one, light)).toEqual([0, 0.25, 0.5, 1].map((at) => sequential(at, light)))
  expect(colours(measureOf(madeToken({ direct: [0, 0, 0, 0] }), 'direct'), light)).toEqual(Array(4).fill(neutral))
})

let asked: MadeQuestion[] = []
beforeEach(() => {
  asked = []
  vi.stubGlobal('fetch', async (_: string, { body }: { body: string }) => {
    const question = JSON.parse(body) as MadeQuestion
    asked.push(question)
    if (question.text === 'broken') return new Response(JSON.stringify({ message: 'no piece' }), { status: 400 })
    const removed = question.removal ? [1, 2, 3, 4] : NONE
    return new Response(JSON.stringify(madeToken({ place: question.place ?? 2, removed })))
  })
})
afterEach(() => vi.unstubAllGlobals())
const question: Question = { model: 'm', text: 'The old', second: null, target: null, generate: 1, off: [], window: 0 }
const answered = (made: Made) => vi.waitFor(() => expect(made.busy).toBe(false))

test('the last token is asked about once, then what is chosen', async () => {
  const made = new Made()
  made.follow(question)
  await answered(made)
  made.follow(question)
  expect(asked).toEqual([{ ...question, place: null, removal: false }])
  made.choose(1)
  await answered(made)
  expect(made.told?.place).toBe(1)
})

test('a token stays chosen while its text is the same', async () => {
  const made = new Made()
  made.follow(question)
  made.choose(1)
  made.follow({ ...question, off: [{ stack: 'decoder', layer: 0, index: 1 }] })
  await answered(made)
  expect(asked.at(-1)).toMatchObject({ place: 1, off: [{ layer: 0 }] })
  made.follow({ ...question, text: 'The new' })
  expect(made.told).toBeNull()
  await answered(made)
  expect(asked.at(-1)).toMatchObject({ place: null, text: 'The new' })
})

test('a token and a number that are restored are asked about', async () => {
  const made = new Made()
  made.restore(1, 'removed')
  made.follow(question)
  await answered(made)
  made.restore(2, 'direct')
  expect(made.told).toBeNull()
  made.follow({ ...question, text: 'Another' })
  await answered(made)
  expect(asked.map(({ place, removal }) => [place, removal])).toEqual([[1, true], [2, false]])
})

test('losses without heads are asked for when they are wanted, once', async () => {
  const made = new Made()
  made.follow(question)
  await answered(made)
  expect(isTold(made.told!, 'removed')).toBe(false)
  made.show('removed')
  await answered(made)
  expect(made.told!.removed).toEqual([1, 2, 3, 4])
  made.show('direct')
  made.show('removed')
  expect(asked.map((one) => one.removal)).toEqual([false, true])
})

test('a refusal is told and nothing else', async () => {
  const made = new Made()
  made.follow(question)
  await answered(made)
  made.follow({ ...question, text: 'broken' })
  await answered(made)
  expect([made.problem, made.told]).toEqual(['no piece', null])
})
