// What mattered for an answer: which ways to explain it are chosen, and what the server said.
import type { ExplanationWire, Question, Way } from '../wire'
import { askWhy } from './ask'
import { Exchange } from './exchange.svelte'

export class Why extends Exchange<ExplanationWire> {
  /** What the model allows. */
  offered = $state.raw<Way[]>([])
  /** The chosen ways; none for the usual ones. */
  by = $state.raw<string[]>([])
  #model = ''

  isChosen(way: string): boolean {
    return this.#chosen().includes(way)
  }

  /** Add a way or take it away; the last one stays. */
  toggle(way: string, question: Question): void {
    const chosen = this.#chosen()
    const next = chosen.includes(way) ? chosen.filter((one) => one !== way) : [...chosen, way]
    if (next.length === 0) return
    this.by = next
    this.ask(question)
  }

  #chosen(): string[] {
    return this.by.length > 0 ? this.by : (this.told?.ways.map((way) => way.name) ?? [])
  }

  protected ask(question: Question): void {
    if (question.model !== this.#model) {
      this.told = null
      this.offered = []
    }
    this.#model = question.model
    void this.send(async (signal) => {
      const told = await askWhy({ ...question, by: this.by }, signal)
      this.offered = told.offered
      return told
    })
  }
}
