import { expect, test } from 'vitest'
import { modelsWithRoles, rolesIn, tellingHead } from '../src/live/roles'
import { light } from '../src/theme.svelte'
import type { Atlas, HeadCard, Report } from '../src/wire'

const card = (role: string | null, model: string): HeadCard => ({ role, rule: null, facts: [], profile: [], model })

/** Of the surveyed model two heads, and one that only the other model of the run has. */
function report(models = ['bert', 'bert', 'gpt']): Report {
  const atlas: Atlas = {
    heads: [0, 1, 2].map((index) => ({ name: `L0H${index}`, stack: 'encoder' as const, layer: 0, index })),
    measures: [
      {
        name: 'role', label: 'role', group: 'survey: overview', about: '', along: '', kind: 'category', role: true,
        values: ['mixed', 'syntax', null], levels: ['syntax', 'mixed'].map((word) => ({ word, colour: '#117733', whole: null })),
      },
    ],
    places: [],
    cards: [card('mixed', models[0]!), card('syntax', models[1]!), card(null, models[2]!)],
  }
  return { name: 'run', verbs: [], findings: [], atlas, tables: [], figures: [], sentences: [], explanations: [], explained_by: [], verdicts: [], linked: [] }
}

test('roles are those of the model that was surveyed, and of no other of the run', () => {
  expect(modelsWithRoles(report())).toEqual(['bert'])
  const [ofBert, ofGpt] = ['bert', 'gpt'].map((model) => rolesIn(report(), model, light))
  expect([0, 1, 2].map((head) => ofBert!('encoder', 0, head)?.word ?? null)).toEqual(['mixed', 'syntax', null])
  expect([0, 1, 2].map((head) => ofGpt!('encoder', 0, head))).toEqual([null, null, null])
  expect(modelsWithRoles(report(['', '', '']))).toEqual([])
  expect([modelsWithRoles(null), rolesIn(null, 'bert', light)('encoder', 0, 0)]).toEqual([[], null])
})

test('so is the telling head', () => {
  expect(tellingHead(report(), 'bert')?.name).toBe('L0H1')
  expect([tellingHead(report(), 'gpt'), tellingHead(null, 'bert')]).toEqual([null, null])
})
