// What mattered for an answer: which ways to explain it are chosen, and what the server said.
import type { ExplanationWire, Question, Way } from '../wire'
import { askWhy } from './ask'

export class Why {
  open = $state(false)
  explanation = $state.raw<ExplanationWire | null>(null)
  /** What the model allows. */
  offered = $state.raw<Way[]>([])
  busy = $state(false)
  problem = $state('')
  /** The chosen ways; none for the usual ones. */
  #by = $state.raw<string[]>([])
  #model = ''
  #running: AbortController | null = null

  start(question: Question): void {
    this.open = true
    void this.#ask(question)
  }

  /** Explain what is asked now; another model is first asked for what it usually allows. */
  follow(question: Question): void {
    if (!this.open) return
    if (question.model !== this.#model) this.#by = []
    void this.#ask(question)
  }

  /** Forget the question that is running. */
  stop(): void {
    this.#running?.abort()
  }

  isChosen(way: string): boolean {
    return this.#chosen().includes(way)
  }

  /** Add a way or take it away; the last one stays. */
  toggle(way: string, question: Question): void {
    const chosen = this.#chosen()
    const next = chosen.includes(way) ? chosen.filter((one) => one !== way) : [...chosen, way]
    if (next.length === 0) return
    this.#by = next
    void this.#ask(question)
  }

  #chosen(): string[] {
    return this.#by.length > 0 ? this.#by : (this.explanation?.ways.map((way) => way.name) ?? [])
  }

  async #ask(question: Question): Promise<void> {
    this.#running?.abort()
    const running = (this.#running = new AbortController())
    if (question.model !== this.#model) {
      this.explanation = null
      this.offered = []
    }
    this.#model = question.model
    this.busy = true
    this.problem = ''
    try {
      const told = await askWhy({ ...question, by: this.#by }, running.signal)
      if (running !== this.#running) return
      this.explanation = told
      this.offered = told.offered
    } catch (error) {
      if (running !== this.#running || (error as Error).name === 'AbortError') return
      this.problem = (error as Error).message
      // What was explained before is no explanation of this.
      this.explanation = null
    } finally {
      if (running === this.#running) this.busy = false
    }
  }
}
