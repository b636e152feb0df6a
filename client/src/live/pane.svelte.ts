// One model of the live page: what it was asked, what it answered, and which of its heads are off.
import { firstChoice, type Choice } from '../attention/choice'
import { began } from '../attention/timing'
import { liveSource, type MapSource } from '../data/source'
import type { HeadOff, LookWire, ModelCard } from '../wire'
import { ask, questionFor, shapeOf, type Asked } from './ask'

type Shape = NonNullable<ModelCard['shape']>

export class Pane {
  model = $state('')
  shape = $state<Shape | null>(null)
  look = $state.raw<LookWire | null>(null)
  source = $state.raw<MapSource | null>(null)
  off = $state.raw<HeadOff[]>([])
  busy = $state(false)
  problem = $state('')
  /** What is wished for when the pane stands alone. */
  choice = $state.raw<Choice | null>(null)
  #asked: Asked | null = null
  #window = 0
  #running: AbortController | null = null

  constructor(card: ModelCard) {
    this.#take(card)
  }

  /** Ask something new; heads that are off stay off. */
  ask(asked: Asked): Promise<void> {
    this.#asked = asked
    this.#window = 0
    return this.#run()
  }

  /** Ask the same of another model. */
  change(card: ModelCard): Promise<void> {
    this.#take(card)
    this.off = []
    this.#window = 0
    return this.#run()
  }

  /** Ask the same with these heads off. */
  switchOff(off: HeadOff[]): Promise<void> {
    this.off = off
    return this.#run()
  }

  /** Go to another part of a long text. */
  turn(window: number): Promise<void> {
    this.#window = window
    return this.#run()
  }

  /** Forget the question that is running. */
  stop(): void {
    this.#running?.abort()
  }

  #take(card: ModelCard): void {
    this.model = card.name
    this.shape = card.shape
  }

  async #run(): Promise<void> {
    if (!this.#asked) return
    this.#running?.abort()
    const running = (this.#running = new AbortController())
    this.busy = true
    this.problem = ''
    try {
      const rest = { off: this.off, window: this.#window }
      const look = await ask(questionFor(this.model, this.#asked, this.shape, rest), running.signal)
      if (running !== this.#running) return
      began('headscope-answer')
      this.#show(look)
    } catch (error) {
      if (running === this.#running && (error as Error).name !== 'AbortError') this.problem = (error as Error).message
    } finally {
      if (running === this.#running) this.busy = false
    }
  }

  #show(look: LookWire): void {
    this.shape = shapeOf(look)
    this.source = liveSource(look)
    this.look = look
    this.choice ??= firstChoice(look)
  }
}
