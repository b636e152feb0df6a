import { afterEach, expect, test, vi } from 'vitest'
import { began, drawn } from '../src/attention/timing'
import { smallLook } from './looks'

const marks = () => performance.getEntriesByType('mark').map((mark) => mark.name)

afterEach(() => {
  performance.clearMarks()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

test('only a picture of the look that came ends the wait for it', () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  vi.stubGlobal('requestAnimationFrame', (then: () => void) => then())
  const [last, next] = [smallLook(), smallLook()]
  began('headscope-answer', next)
  drawn(last)
  vi.runAllTimers()
  expect(marks()).toEqual(['headscope-answer'])
  drawn(next)
  drawn(next)
  expect(marks()).toEqual(['headscope-answer'])
  vi.runAllTimers()
  expect(marks()).toEqual(['headscope-answer', 'headscope-picture'])
})
