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

  /** Go back to what was chosen before. */
  restore(place: number | null, effect: Effect): void {
    this.stop()
    this.place = place
    this.effect = effect
    this.told = null
    this.#question = null
  }

  choose(place: number): void {
    this.place = place
    this.ask(this.#question!)
  }

  /** Look at the other number; losses without a head take a pass of the model each, so they are asked for. */
  show(effect: Effect): void {
    this.effect = effect
    if (this.told && !isTold(this.told, effect)) this.ask(this.#question!)
  }

  /** In the same text, the same token is asked about. */
  protected ask(question: Question): void {
    // Before the first question, a token is chosen only where one was restored.
    if (this.#question && !isSame({ ...question, off: [] }, { ...this.#question, off: [] })) {
      this.place = null
      this.told = null
    }
    this.#question = question
    const asked = { ...question, place: this.place, removal: this.effect === 'removed' }
    void this.send((signal) => askMade(asked, signal))
  }
}
