// Which heads made a token: which token and which number are looked at, and what the server said.
import type { MadeWire, Question } from '../wire'
import { askMade, isSame } from './ask'
import { Exchange } from './exchange.svelte'
import { isTold, type Effect } from './heads'

export class Made extends Exchange<MadeWire> {
  /** What heads are coloured by. */
  effect = $state<Effect>('direct')
  /** The piece that is asked about; null for the last one. */
  place = $state<number | null>(null)
  #question: Question | null = null

  start(question: Question): void {
    this.open = true
    this.#ask(question)
  }

  /** Ask about what is looked at now; in the same text, about the same token. */
  follow(question: Question): void {
    if (!this.open) return
    if (!this.#question || !isSame({ ...question, off: [] }, { ...this.#question, off: [] })) {
      this.place = null
      this.told = null
    }
    this.#ask(question)
  }

  choose(place: number): void {
    this.place = place
    this.#ask(this.#question!)
  }

  /** Look at the other number; losses without a head take a pass of the model each, so they are asked for. */
  show(effect: Effect): void {
    this.effect = effect
    if (this.told && !isTold(this.told, effect)) this.#ask(this.#question!)
  }

  #ask(question: Question): void {
    this.#question = question
    const asked = { ...question, place: this.place, removal: this.effect === 'removed' }
    void this.send((signal) => askMade(asked, signal))
  }
}
