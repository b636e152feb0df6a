import { describe, expect, it } from 'vitest'
import { diverging, inkOn, sequential } from '../src/colour'
import { dark, light } from '../src/theme.svelte'

describe('sequential', () => {
  it('starts near the paper and ends far from it', () => {
    expect(sequential(0, light)).toBe('#f6f8fa')
    expect(sequential(1, light)).toBe('#0a3462')
    expect(sequential(0, dark)).toBe('#1b1f25')
  })
  it('keeps within its ends', () => {
    expect(sequential(7, light)).toBe(sequential(1, light))
    expect(sequential(-1, light)).toBe(sequential(0, light))
  })
  it('mixes evenly between two stops', () => {
    // Half way between (246, 248, 250) and (189, 215, 236): 217.5, 231.5, 243.
    expect(sequential(0.125, light)).toBe('#dae8f3')
  })
})

describe('diverging', () => {
  it('has one middle and two sides', () => {
    expect(diverging(0, light)).toBe(sequential(0, light))
    expect(diverging(0.5, light)).toBe(sequential(0.5, light))
    expect(diverging(-1, light)).toBe('#783200')
  })
})

describe('ink', () => {
  it('is readable on light and dark', () => {
    expect(inkOn('#f0e442')).toBe('#1b1f24')
    expect(inkOn('#0a3462')).toBe('#ffffff')
  })
})
