// Questions to the server about an answer of a model, one at a time: what was told last, and what went wrong.

export class Exchange<Told> {
  open = $state(false)
  told = $state.raw<Told | null>(null)
  busy = $state(false)
  problem = $state('')
  #running: AbortController | null = null

  /** Forget the question that is running. */
  stop(): void {
    this.#running?.abort()
  }

  /** Ask in the place of whatever is running. */
  protected async send(ask: (signal: AbortSignal) => Promise<Told>): Promise<void> {
    this.stop()
    const running = (this.#running = new AbortController())
    this.busy = true
    this.problem = ''
    try {
      const told = await ask(running.signal)
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
