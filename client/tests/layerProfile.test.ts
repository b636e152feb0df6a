import { expect, test } from 'vitest'
import { layerProfile } from '../src/report/layerProfile'
import type { HeadNumbers } from '../src/report/measures'
import { light } from '../src/theme.svelte'

function score(values: (number | null)[]): HeadNumbers {
  return { name: 's', label: 's', group: '', about: '', values, low: null, high: null, baseline: null, percent: false, along: '', kind: 'number' }
}

const layers = [
  { layer: 0, y: 10, height: 20, heads: [0, 1] },
  { layer: 4, y: 40, height: 20, heads: [2, 3] },
]
const bars = (values: (number | null)[]) => layerProfile(score(values), layers, 100, 10, light).filter((mark) => mark.kind === 'rect')

test('a bar is as long as the mean of its layer, heads without a number left out', () => {
  const [first, second] = bars([0.2, 0.4, null, 1])
  // Means 0.3 and 1 of at most 1: the second takes all of the 52 pixels.
  expect([first!.label, second!.label]).toEqual(['Layer 0: mean 0.300', 'Layer 4: mean 1'])
  expect([first!.x, second!.x, second!.width]).toEqual([114, 114, 52])
  expect(first!.width).toBeCloseTo(0.3 * 52)
})

test('means below zero go to the left', () => {
  const [first, second] = bars([-1, 0, 0.5, 0.5])
  expect([first!.x, first!.width, second!.x, second!.width]).toEqual([127, 13, 140, 13])
})

test('where nothing was measured there is no bar', () => {
  expect(bars([null, null, 1, 1])).toHaveLength(1)
  expect(layerProfile(score([null, null, null, null]), layers, 100, 10, light)).toEqual([])
})
