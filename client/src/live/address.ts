// What the live page shows, as it stands behind the # of its address: whoever is sent it sees the same.
import { FIRST, type Choice, type ViewKind } from '../attention/choice'
import type { Special, Stack } from '../data/maps'
import type { HeadOff } from '../wire'
import type { Asked } from './ask'
import type { Effect } from './heads'
import { isLong, TEXTS, type TextName } from './kept'

/** What is chosen of one model: the part of a long text, heads that are off, and what is asked about its answer. */
export interface PanePlace {
  window: number
  off: HeadOff[]
  /** The ways to explain; none for the usual ones. */
  by: string[]
  /** The token whose heads are asked for; null for the last one. */
  token: number | null
  effect: Effect
}

/** All that an address tells; panes: one for each model. */
export interface Place extends Asked {
  models: string[]
  panes: PanePlace[]
  choice: Choice
  pins: string[]
}

/** What stands in an address; a link may tell a part alone. long: the texts that are too long to stand in it. */
export type Told = Partial<Omit<Place, 'choice'>> & { choice: Partial<Choice>; long: TextName[] }

const START = '#live'
/** Longer tokens are not pinned in an address. */
const LONGEST_PIN = 100
export const PLAIN: PanePlace = { window: 0, off: [], by: [], token: null, effect: 'direct' }

export function isLive(hash: string): boolean {
  return hash === START || hash.startsWith(`${START}?`)
}

/** The address of a place; what is as it is shown first is left out. */
export function addressOf(place: Place): string {
  const told = new URLSearchParams(place.models.map((model) => ['model', model]))
  for (const name of TEXTS) {
    const text = place[name]
    if (text !== null && !isLong(text)) told.set(name, text)
  }
  const long = TEXTS.filter((name) => isLong(place[name]))
  if (long.length > 0) told.set('long', long.join(' '))
  if (place.generate > 0) told.set('generate', String(place.generate))
  place.panes.forEach((pane, at) => {
    for (const [name, value] of Object.entries(wordsOf(pane))) if (value !== '') told.set(nth(name, at), value)
  })
  tellChoice(told, place.choice)
  for (const pin of place.pins) if (pin.length <= LONGEST_PIN) told.append('pin', pin)
  return `${START}?${told}`
}

/** The address of a head of a model: whatever else is shown stays. */
export function headAddress({ stack, layer, index }: HeadOff, model: string): string {
  const of: Record<string, string> = model === '' ? {} : { model }
  return `${START}?${new URLSearchParams({ ...of, stack, layer: String(layer), heads: String(index), view: 'lines' })}`
}

/** What an address tells; what cannot be read is left out. */
export function readAddress(hash: string): Told {
  const told = new URLSearchParams(isLive(hash) ? hash.slice(START.length + 1) : '')
  const found: Told = { choice: choiceIn(told), long: TEXTS.filter((name) => wordsIn(told, 'long').includes(name)) }
  if (told.has('model')) found.models = told.getAll('model').slice(0, 2)
  if (!told.has('text') && found.long.length === 0) return found
  if (told.has('text')) found.text = told.get('text')!
  return {
    ...found,
    second: told.get('second'),
    target: told.get('target'),
    generate: numberIn(told.get('generate')) ?? 0,
    panes: [0, 1].map((at) => paneIn(told, at)),
    pins: unique(told.getAll('pin')).filter((pin) => /^(query|key) \d+ /.test(pin)),
  }
}

/** Of the second model, everything has a 2 behind its name. */
function nth(name: string, at: number): string {
  return at === 0 ? name : `${name}${at + 1}`
}

function wordsOf({ window, off, by, token, effect }: PanePlace): Record<string, string> {
  return {
    part: window > 0 ? String(window + 1) : '',
    off: off.map(headName).join(' '),
    by: by.join(' '),
    token: token === null ? '' : String(token),
    effect: effect === PLAIN.effect ? '' : effect,
  }
}

function paneIn(told: URLSearchParams, at: number): PanePlace {
  return {
    window: Math.max(0, (numberIn(told.get(nth('part', at))) ?? 1) - 1),
    off: wordsIn(told, nth('off', at)).flatMap(readHead),
    by: wordsIn(told, nth('by', at)),
    // Nothing stands before the first token that could have made it.
    token: numberIn(told.get(nth('token', at))) || null,
    effect: told.get(nth('effect', at)) === 'removed' ? 'removed' : PLAIN.effect,
  }
}

const VIEWS: ViewKind[] = ['lines', 'matrix', 'all', 'difference', 'why', 'made']
const SPECIAL: Special[] = ['shown', 'hidden', 'renormalised']

function tellChoice(told: URLSearchParams, choice: Choice): void {
  for (const name of ['stack', 'layer', 'view', 'special', 'scale'] as const) {
    if (choice[name] !== FIRST[name]) told.set(name, String(choice[name]))
  }
  if (choice.heads.length > 0) told.set('heads', choice.heads.join(' '))
  if (choice.words !== FIRST.words) told.set('tokens', choice.words ? 'words' : 'pieces')
  if (choice.first !== FIRST.first) told.set('first', choice.first ? 'hidden' : 'shown')
}

function choiceIn(told: URLSearchParams): Partial<Choice> {
  const one = <T extends string>(name: string, known: readonly T[]): T | undefined => known.find((word) => word === told.get(name))
  const heads = wordsIn(told, 'heads').flatMap((head) => numberIn(head) ?? [])
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
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined))
}

function wordsIn(told: URLSearchParams, name: string): string[] {
  return unique((told.get(name) ?? '').split(' ').filter((word) => word !== ''))
}

function unique(words: string[]): string[] {
  return [...new Set(words)]
}

/** Without zeros before it, so that no number has two names. */
function numberIn(text: string | null | undefined): number | undefined {
  return text !== null && text !== undefined && /^(0|[1-9]\d{0,5})$/.test(text) ? Number(text) : undefined
}

function headName({ stack, layer, index }: HeadOff): string {
  return `${stack}:L${layer}H${index}`
}

function readHead(name: string): HeadOff[] {
  const [, stack, layer, index] = /^([a-z_]+):L(0|[1-9]\d{0,4})H(0|[1-9]\d{0,4})$/.exec(name) ?? []
  return stack === undefined ? [] : [{ stack: stack as Stack, layer: Number(layer), index: Number(index) }]
}
