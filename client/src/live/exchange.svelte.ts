// Questions to the server about an answer of a model, one at a time: what was told last, and what went wrong.
import type { Question } from '../wire'

export abstract class Exchange<Told> {
  told = $state.raw<Told | null>(null)
  busy = $state(false)
  problem = $state('')
  #running: AbortController | null = null
  #about: Question | null = null

  /** Ask about what the model was asked, unless that is told already. */
  follow(question: Question): void {
    if (question === this.#about) return
    this.#about = question
    this.ask(question)
  }

  protected abstract ask(question: Question): void

  /** Forget the question that is running. */
  stop(): void {
    this.#running?.abort()
    if (this.busy) this.#about = null
  }

  /** Ask the server, in the place of whatever is running. */
  protected async send(request: (signal: AbortSignal) => Promise<Told>): Promise<void> {
    this.#running?.abort()
    const running = (this.#running = new AbortController())
    this.busy = true
    this.problem = ''
    try {
      const told = await request(running.signal)
      if (running === this.#running) this.told = told
    } catch (error) {
      if (running !== this.#running || (error as Error).name === 'AbortError') return
      this.problem = (error as Error).message
      // What was told before is no answer to this.
      this.told = null
    } finally {
      if (running === this.#running) this.busy = false
    }
  }
}
