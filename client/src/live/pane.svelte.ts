// One model of the live page: what it was asked, what it answered, and which of its heads are off.
import { began } from '../attention/timing'
import { liveSource, type MapSource } from '../data/source'
import type { HeadOff, LookWire, ModelCard, Question } from '../wire'
import { ask, isSame, leftOut, questionFor, shapeOf, type Asked } from './ask'
import { Made } from './made.svelte'
import { Why } from './why.svelte'

type Shape = NonNullable<ModelCard['shape']>

export class Pane {
  model = $state('')
  shape = $state<Shape | null>(null)
  look = $state.raw<LookWire | null>(null)
  source = $state.raw<MapSource | null>(null)
  /** What the look answers. */
  question = $state.raw<Question | null>(null)
  off = $state.raw<HeadOff[]>([])
  busy = $state(false)
  problem = $state('')
  /** What the look does not take in of what was asked. */
  note = $state('')
  /** Which part of a long text. */
  window = $state(0)
  /** What is asked about its answers. */
  readonly why = new Why()
  readonly made = new Made()
  #asked: Asked | null = null
  #running: AbortController | null = null

  constructor(card: ModelCard) {
    this.#take(card)
  }

  /** Ask something new; heads that are off stay off. */
  ask(asked: Asked): Promise<void> {
    return this.restore(asked, this.off, 0)
  }

  /** Ask something with these heads off, at a part of the text. */
  restore(asked: Asked, off: HeadOff[], window: number): Promise<void> {
    this.#asked = asked
    this.off = off
    this.window = window
    return this.#run()
  }

  /** Ask the same of another model. */
  change(card: ModelCard): Promise<void> {
    this.#take(card)
    this.off = []
    this.window = 0
    return this.#run()
  }

  /** Ask the same with these heads off. */
  switchOff(off: HeadOff[]): Promise<void> {
    this.off = off
    return this.#run()
  }

  /** Go to another part of a long text. */
  turn(window: number): Promise<void> {
    this.window = window
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
      const asked = this.#asked
      const questionOf = (shape: Shape | null) => questionFor(this.model, asked, shape, { off: this.off, window: this.window })
      const question = questionOf(this.shape)
      const look = await ask(question, running.signal)
      if (running !== this.#running) return
      this.shape = shapeOf(look)
      // Only its first answer tells what a model can be asked.
      if (!isSame(question, questionOf(this.shape))) return this.#run()
      this.note = leftOut(asked, question)
      began('headscope-answer', look)
      this.question = question
      this.#show(look)
    } catch (error) {
      if (running === this.#running && (error as Error).name !== 'AbortError') this.problem = (error as Error).message
    } finally {
      if (running === this.#running) this.busy = false
    }
  }

  #show(look: LookWire): void {
    this.source = liveSource(look)
    this.look = look
  }
}
