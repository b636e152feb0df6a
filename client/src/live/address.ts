// What the live page shows, as it stands behind the # of its address: whoever is sent it sees the same.
import { FIRST, type Choice, type ViewKind } from '../attention/choice'
import type { Special, Stack } from '../data/maps'
import type { HeadOff } from '../wire'
import type { Asked } from './ask'

/** All that an address tells; heads that are off, by model. */
export interface Place extends Asked {
  models: string[]
  window: number
  off: HeadOff[][]
  choice: Choice
  /** The ways to explain that are chosen; none for the usual ones. */
  by: string[]
}

/** What stands in an address; a link may tell a part alone. */
export type Told = Partial<Omit<Place, 'choice'>> & { choice: Partial<Choice> }

const START = '#live'
/** Longer texts are not written into addresses, which mail and chat would cut. */
export const LONGEST = 4000

export function isLive(hash: string): boolean {
  return hash === START || hash.startsWith(`${START}?`)
}

/** The address of a place; first: what is shown where an address tells nothing. */
export function addressOf(place: Place, first: Choice): string {
  const { choice } = place
  const told = new URLSearchParams(place.models.map((model) => ['model', model]))
  for (const name of ['text', 'second', 'target'] as const) {
    const text = place[name]
    if (text !== null && text.length <= LONGEST) told.set(name, text)
  }
  if (place.generate > 0) told.set('generate', String(place.generate))
  if (place.window > 0) told.set('part', String(place.window + 1))
  place.off.forEach((heads, at) => heads.length > 0 && told.set(at === 0 ? 'off' : 'off2', heads.map(headName).join(' ')))
  for (const name of ['stack', 'layer', 'view', 'special', 'scale'] as const) {
    if (choice[name] !== first[name]) told.set(name, String(choice[name]))
  }
  if (choice.heads.join() !== first.heads.join()) told.set('heads', choice.heads.join(' '))
  if (choice.words !== first.words) told.set('tokens', choice.words ? 'words' : 'pieces')
  if (choice.first !== first.first) told.set('first', choice.first ? 'hidden' : 'shown')
  if (place.by.length > 0) told.set('by', place.by.join(' '))
  return `${START}?${told}`
}

/** The address of a head: whatever else is shown stays. */
export function headAddress({ stack, layer, index }: HeadOff): string {
  return `${START}?${new URLSearchParams({ stack, layer: String(layer), heads: String(index), view: 'lines' })}`
}

/** What an address tells; what cannot be read is left out. */
export function readAddress(hash: string): Told {
  const told = new URLSearchParams(isLive(hash) ? hash.slice(START.length + 1) : '')
  const text = (name: string) => told.get(name) ?? undefined
  const found: Told = { choice: choiceIn(told) }
  if (told.has('model')) found.models = told.getAll('model').slice(0, 2)
  if (told.has('text')) {
    Object.assign(found, { text: text('text'), second: told.get('second'), target: told.get('target') })
    found.generate = numberIn(text('generate')) ?? 0
    found.window = Math.max(0, (numberIn(text('part')) ?? 1) - 1)
    found.off = ['off', 'off2'].map((name) => unique((text(name) ?? '').split(' ')).flatMap(readHead))
    found.by = (text('by') ?? '').split(' ').filter((way) => way !== '')
  }
  return found
}

const VIEWS: ViewKind[] = ['lines', 'matrix', 'all', 'difference', 'why', 'made']
const SPECIAL: Special[] = ['shown', 'hidden', 'renormalised']

function choiceIn(told: URLSearchParams): Partial<Choice> {
  const one = <T extends string>(name: string, known: readonly T[]): T | undefined => known.find((word) => word === told.get(name))
  const heads = unique(told.get('heads')?.split(' ') ?? []).flatMap((head) => numberIn(head) ?? [])
  const found: { [Name in keyof Choice]: Choice[Name] | undefined } = {
    // One that a model does not have is replaced by what it has.
    stack: (told.get('stack') as Stack | null) ?? undefined,
    layer: numberIn(told.get('layer')),
    heads: heads.length > 0 ? heads : undefined,
    view: one('view', VIEWS),
    words: told.has('tokens') ? told.get('tokens') !== 'pieces' : undefined,
    special: one('special', SPECIAL),
    first: told.has('first') ? told.get('first') === 'hidden' : undefined,
    scale: one('scale', ['linear', 'log'] as const),
  }
  return Object.fromEntries(Object.keys(FIRST).flatMap((name) => (found[name as keyof Choice] === undefined ? [] : [[name, found[name as keyof Choice]]])))
}

function unique(words: string[]): string[] {
  return [...new Set(words)]
}

function numberIn(text: string | null | undefined): number | undefined {
  return text !== null && text !== undefined && /^\d{1,6}$/.test(text) ? Number(text) : undefined
}

function headName({ stack, layer, index }: HeadOff): string {
  return `${stack}:L${layer}H${index}`
}

function readHead(name: string): HeadOff[] {
  const [, stack, layer, index] = /^([a-z_]+):L(\d{1,5})H(\d{1,5})$/.exec(name) ?? []
  return stack === undefined ? [] : [{ stack: stack as Stack, layer: Number(layer), index: Number(index) }]
}
