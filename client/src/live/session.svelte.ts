// All that the live page shows: one model or two, what they are asked, and what of their answers is looked at.
import { FIRST, fitted, type Choice, type ViewKind } from '../attention/choice'
import { isOff, switched } from '../attention/off'
import { began } from '../attention/timing'
import type { HeadOff, Live } from '../wire'
import { addressOf, readAddress } from './address'
import type { Asked } from './ask'
import { Pane } from './pane.svelte'

export class Session {
  panes = $state.raw<Pane[]>([])
  asked = $state.raw<Asked>({ text: '', second: null, target: null, generate: 0 })
  pins = $state.raw<string[]>([])
  #wish = $state.raw<Choice>(FIRST)
  #live: Live
  #first: Choice

  /** head: what is shown first, if a run knows a telling one. */
  constructor(live: Live, head: HeadOff | null) {
    this.#live = live
    this.#first = head ? { ...FIRST, stack: head.stack, layer: head.layer, heads: [head.index] } : FIRST
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

  /** What is wished for, in a view that there is. */
  get choice(): Choice {
    return this.views.includes(this.#wish.view) ? this.#wish : { ...this.#wish, view: 'lines' }
  }

  /** Whether the page was asked anything yet. */
  get isBegun(): boolean {
    return this.panes.length > 0
  }

  get address(): string {
    const [first] = this.panes
    const place = {
      ...this.asked,
      models: this.panes.map((pane) => pane.model),
      window: first?.window ?? 0,
      off: this.panes.map((pane) => pane.off),
      choice: this.#wish,
      by: first?.why.by ?? [],
    }
    return addressOf(place, this.#first)
  }

  /** Show what an address tells; what a link leaves out stays as it is, or is as it was first. */
  go(hash: string): void {
    const told = readAddress(hash)
    const isWhole = told.text !== undefined || !this.isBegun
    this.#wish = { ...(isWhole ? this.#first : this.#wish), ...told.choice }
    if (!isWhole) return
    this.asked = { text: told.text ?? this.#live.text, second: told.second ?? null, target: told.target ?? null, generate: told.generate ?? 0 }
    this.#take(told.models ?? this.panes.map((pane) => pane.model))
    this.panes.forEach((pane, at) => {
      pane.why.by = told.by ?? []
      if (this.asked.text.trim() !== '') void pane.restore(this.asked, told.off?.[at] ?? [], told.window ?? 0)
    })
  }

  ask(asked: Asked): void {
    this.asked = asked
    for (const pane of this.panes) void pane.ask(asked)
  }

  choose(change: Partial<Choice>): void {
    for (const look of this.looks) began('headscope-switch', look)
    this.#wish = { ...this.choice, ...change }
  }

  change(at: number, model: string): void {
    const card = this.#live.models.find((one) => one.name === model)
    if (card) void this.panes[at]!.change(card)
  }

  /** Put another model beside the first. */
  compare(): void {
    const other = this.#live.models.find((one) => one.name !== this.panes[0]!.model)
    if (!other) return
    this.panes = [this.panes[0]!, new Pane(other)]
    void this.panes[1]!.ask(this.asked)
  }

  endCompare(): void {
    this.panes[1]!.stop()
    this.panes = this.panes.slice(0, 1)
  }

  /** Whether a head of the layer that is shown is off in every model that has it. */
  isDead(head: number): boolean {
    const dead = this.#chosen([head]).map(({ pane, stack, layer, heads }) => heads.every((index) => isOff(pane.off, stack, layer, index)))
    return dead.length > 0 && dead.every((is) => is)
  }

  /** Switch the heads that are shown, in every model that has them. */
  switchChosen(): void {
    const wanted = this.choice.view === 'lines' ? undefined : 1
    for (const { pane, stack, layer, heads } of this.#chosen()) void pane.switchOff(switched(pane.off, stack, layer, heads.slice(0, wanted)))
  }

  /** The heads that each model shows, or those of them that are asked for. */
  #chosen(heads?: number[]) {
    return this.panes.flatMap((pane) => {
      if (!pane.look) return []
      const now = fitted(this.choice, pane.look)
      const known = heads?.filter((head) => fitted({ ...now, heads: [head] }, pane.look!).heads.includes(head)) ?? now.heads
      return known.length > 0 ? [{ pane, stack: now.stack, layer: now.layer, heads: known }] : []
    })
  }

  /** Have these models, as far as the server has them; those that are there already stay. */
  #take(names: string[]): void {
    const cards = names.flatMap((name) => this.#live.models.find((card) => card.name === name) ?? [])
    const wanted = cards.length > 0 ? cards : this.#live.models.slice(0, 1)
    for (const pane of this.panes.slice(wanted.length)) pane.stop()
    this.panes = wanted.map((card, at) => (this.panes[at]?.model === card.name ? this.panes[at]! : new Pane(card)))
  }
}
