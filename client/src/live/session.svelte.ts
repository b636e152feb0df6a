// All that the live page shows: one model or two, what they are asked, and what of their answers is looked at.
import { FIRST, fittedIn, lookWith, nameOf, ownHeads, type Choice, type ViewKind } from '../attention/choice'
import { isOff, withHeads } from '../attention/off'
import { began } from '../attention/timing'
import type { HeadOff, Live, ModelCard } from '../wire'
import { addressOf, PLAIN, readAddress, type Told } from './address'
import { isSame, type Asked } from './ask'
import { keptOf, type Kept, type TextName } from './kept'
import { Pane } from './pane.svelte'

/** Heads that go by one name, as one model has them. */
interface Own extends Pick<Choice, 'stack' | 'layer' | 'heads'> {
  pane: Pane
}

export class Session {
  panes = $state.raw<Pane[]>([])
  asked = $state.raw<Asked>({ text: '', second: null, target: null, generate: 0 })
  pins = $state.raw<string[]>([])
  /** The texts that an address told of, without holding them. */
  lost = $state.raw<TextName[]>([])
  /** Whether the first head was found since by what the model is called; that is no step of a reader. */
  isCompleted = false
  #wish = $state.raw<Choice>(FIRST)
  /** The models that an address asked for, and the server does not offer by that name. */
  #unknown = $state.raw<string[]>([])
  #live: Live
  #tellingOf: (model: string) => HeadOff | null

  /** tellingOf: the head of a model that is shown first, if a run knows one. */
  constructor(live: Live, tellingOf: (model: string) => HeadOff | null) {
    this.#live = live
    this.#tellingOf = tellingOf
  }

  get looks() {
    return this.panes.flatMap((pane) => (pane.look ? [pane.look] : []))
  }

  get views(): ViewKind[] {
    const views: ViewKind[] = ['lines', 'matrix', 'all']
    if (this.panes.length > 1) views.push('difference')
    if (this.#live.explains) views.push('why')
    if (this.#live.explains && this.panes.some((pane) => pane.shape === 'decoder')) views.push('made')
    return views
  }

  /** Whether all models have answered what is asked, so that their answers can be set against each other. */
  get isAnswered(): boolean {
    return this.panes.every((pane) => pane.answers(this.asked))
  }

  /** What is wished for, in a view that there is. */
  get choice(): Choice {
    return this.views.includes(this.#wish.view) ? this.#wish : { ...this.#wish, view: 'lines' }
  }

  /** Whether the page was asked anything yet. */
  get isBegun(): boolean {
    return this.panes.length > 0
  }

  get address(): string {
    const models = this.panes.map((pane) => pane.model)
    const panes = this.panes.map((pane) => pane.place)
    return addressOf({ ...this.asked, models, panes, choice: this.#wish, pins: this.pins })
  }

  /** The texts that do not stand in the address. */
  get kept(): Kept {
    return keptOf(this.asked, this.#live.longest_text)
  }

  /** The models that were asked for and are not there, once it is known how those that are there call themselves. */
  get missing(): string[] {
    return this.panes.some((pane) => pane.busy) ? [] : this.#unknown.filter((model) => !this.panes.some((pane) => pane.isOf(model)))
  }

  /** Show what an address tells; what a link leaves out stays as it is, or is as it was first. kept: texts that stood beside it. */
  go(hash: string, kept: Kept = {}): void {
    const told = readAddress(hash)
    if (told.panes === undefined && this.isBegun) {
      this.#wish = { ...this.#wish, ...told.choice }
      this.#open(told.models?.[0])
    } else this.#restore(told, kept)
  }

  ask(asked: Asked): void {
    this.asked = asked
    this.lost = []
    for (const pane of this.panes) void pane.ask(asked)
  }

  choose(change: Partial<Choice>): void {
    for (const look of this.looks) began('headscope-switch', look)
    this.#wish = { ...this.choice, ...change }
  }

  change(at: number, model: string): void {
    const card = this.#cardOf(model)
    this.#unknown = []
    if (this.panes.length > 1) this.#keepStack()
    if (card) void this.panes[at]!.change(card)
  }

  /** Put another model beside the first. */
  compare(): void {
    const other = this.#live.models.find((one) => one.name !== this.panes[0]!.model)
    if (!other) return
    this.#keepStack()
    this.panes = [this.panes[0]!, new Pane(other)]
    void this.panes[1]!.ask(this.asked)
  }

  endCompare(): void {
    this.panes[1]!.stop()
    this.panes = this.panes.slice(0, 1)
  }

  /** Name the stack that is shown, so that a model with several beside it is shown by the same. */
  #keepStack(): void {
    if (this.looks.length > 0) this.#wish = { ...this.#wish, stack: fittedIn(this.choice, this.looks).stack }
  }

  /** Whether a head of the layer that is shown is off in every model that has it. */
  isDead(head: number): boolean {
    return areOff(this.#own([head]))
  }

  /** Where the heads that are named are switched, in words; empty where there is one model alone. */
  get where(): string {
    if (this.panes.length < 2) return ''
    const own = this.#own(this.#named)
    const whole = own.filter(({ heads }) => heads.length === this.#named.length)
    if (whole.length === this.panes.length) return 'in both'
    if (own.length === 1) return `in ${own[0]!.pane.model}`
    return own.map(({ pane, heads }) => `${heads.map((head) => `H${head}`).join(', ')} in ${pane.model}`).join('; ')
  }

  /** The heads that the controls name and this model has not, by name. */
  lacks(pane: Pane): string {
    if (this.panes.length < 2 || !pane.look || !['lines', 'matrix', 'difference'].includes(this.choice.view)) return ''
    const now = fittedIn(this.choice, this.looks)
    const { heads } = ownHeads(pane.look, { ...now, heads: this.#named }, this.looks)
    const missing = this.#named.filter((head) => !heads.includes(head))
    return missing.length > 0 ? nameOf(lookWith(now, this.looks), now, missing) : ''
  }

  /** Switch the heads that are named, in every model that has them and in none that has not. */
  switchNamed(): void {
    const own = this.#own(this.#named)
    const wanted = !areOff(own)
    for (const { pane, stack, layer, heads } of own) void pane.switchOff(withHeads(pane.off, stack, layer, heads, wanted))
  }

  /** The heads that the controls name. */
  get #named(): number[] {
    const { heads } = fittedIn(this.choice, this.looks)
    return this.choice.view === 'lines' ? heads : heads.slice(0, 1)
  }

  /** Some heads of the layer that the controls name, in each model that has them. */
  #own(heads: number[]): Own[] {
    if (this.looks.length === 0) return []
    const now = fittedIn(this.choice, this.looks)
    return this.panes.flatMap((pane) => {
      if (!pane.look) return []
      const own = ownHeads(pane.look, { ...now, heads }, this.looks)
      return own.heads.length > 0 ? [{ pane, layer: now.layer, ...own }] : []
    })
  }

  /** Show all that an address tells. */
  #restore(told: Told, kept: Kept): void {
    const isFresh = told.panes === undefined
    const textOf = (name: TextName) => told[name] ?? (told.long.includes(name) ? kept[name] : undefined)
    this.lost = told.long.filter((name) => textOf(name) === undefined)
    this.asked = {
      text: textOf('text') ?? this.#live.text,
      second: textOf('second') ?? null,
      target: textOf('target') ?? null,
      generate: told.generate ?? 0,
    }
    this.pins = told.pins ?? []
    const places = this.#take(told.models ?? this.panes.map((pane) => pane.model))
    const head = isFresh ? this.#tellingOf(this.panes[0]!.model) : null
    this.#wish = firstWish(head, told.choice)
    const answers = this.panes.map((pane, at) => {
      // Heads and ways of a model that is not here are none of another one's.
      const place = told.panes?.[places[at]!] ?? PLAIN
      // Another text than was meant has other parts and tokens.
      return pane.restore(this.asked, this.lost.length > 0 ? { ...place, window: 0, token: null } : place)
    })
    if (isFresh && !head) void answers[0]!.then(() => this.#openTelling(told.choice))
  }

  /** Show the most telling head of a model that only its answer calls by the name that the run has; unless one was chosen meanwhile. */
  #openTelling(chosen: Partial<Choice>): void {
    const { look } = this.panes[0]!
    const head = look && this.#tellingOf(look.model)
    if (!head || !isSame(this.#wish, firstWish(null, chosen))) return
    this.isCompleted = true
    this.#wish = firstWish(head, chosen)
  }

  /** Have a model in sight; one that the server does not have leaves those that are there. */
  #open(model: string | undefined): void {
    const card = model === undefined || this.panes.some((pane) => pane.isOf(model)) ? undefined : this.#cardOf(model)
    this.#unknown = model === undefined || card ? [] : [model]
    if (card) void this.panes[0]!.change(card)
  }

  /** Have these models, as far as the server has them; those that are there already stay. Returns their places among the names, -1 for one that was not named. */
  #take(names: string[]): number[] {
    const known = names.flatMap((name, place) => {
      const card = this.#cardOf(name)
      return card ? [{ card, place }] : []
    })
    const wanted = known.length > 0 ? known : [{ card: this.#live.models[0]!, place: -1 }]
    this.#unknown = names.filter((name) => !this.#cardOf(name))
    for (const pane of this.panes.slice(wanted.length)) pane.stop()
    this.panes = wanted.map(({ card }, at) => (this.panes[at]?.model === card.name ? this.panes[at]! : new Pane(card)))
    return wanted.map(({ place }) => place)
  }

  #cardOf(model: string): ModelCard | undefined {
    return this.#live.models.find((card) => card.name === model)
  }
}

/** What is wished for first: a head, if one is known, and whatever else an address chose. */
function firstWish(head: HeadOff | null, chosen: Partial<Choice>): Choice {
  return { ...FIRST, ...(head && { stack: head.stack, layer: head.layer, heads: [head.index] }), ...chosen }
}

function areOff(own: Own[]): boolean {
  return own.length > 0 && own.every(({ pane, stack, layer, heads }) => heads.every((index) => isOff(pane.off, stack, layer, index)))
}
