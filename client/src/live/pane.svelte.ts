// One model of the live page: what it was asked, what it answered, and which of its heads are off.
import { began } from '../attention/timing'
import { liveSource, type MapSource } from '../data/source'
import type { HeadOff, LookWire, ModelCard, Question } from '../wire'
import { PLAIN, type PanePlace } from './address'
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
  /** What was asked when the look came. */
  #answered = $state.raw<Asked | null>(null)
  #running: AbortController | null = null

  constructor(card: ModelCard) {
    this.#take(card)
  }

  /** What is chosen of this model. */
  get place(): PanePlace {
    return { window: this.window, off: this.off, by: this.why.by, token: this.made.place, effect: this.made.effect }
  }

  /** Whether what is shown, or else what is asked, is of a model of this name; the server may call it otherwise. */
  isOf(model: string): boolean {
    return this.look && this.question ? [this.question.model, this.look.model].includes(model) : this.model === model
  }

  /** Whether what is shown answers this, by the model and without the heads that are chosen. */
  answers(asked: Asked): boolean {
    if (!this.question || !isSame(asked, this.#answered)) return false
    const { model, off, window } = this.question
    return model === this.model && window === this.window && isSame(off, this.off)
  }

  /** Ask something new; heads that are off stay off, and a token of the same text stays chosen. */
  ask(asked: Asked): Promise<void> {
    const token = isSame(asked, this.#asked) && this.made.problem === '' ? this.made.place : null
    this.#set(asked, { ...this.place, window: 0, token })
    return this.#run()
  }

  /** Ask something as it was once asked. */
  async restore(asked: Asked, place: PanePlace): Promise<void> {
    const isShown = this.look !== null && this.problem === '' && isSame(asked, this.#asked) && isSame(place, this.place)
    if (isShown) return
    this.#set(asked, place)
    if (asked.text.trim() !== '') await this.#run()
  }

  /** Ask the same of another model, which is first asked for what it usually allows. */
  change(card: ModelCard): Promise<void> {
    this.#take(card)
    this.#set(this.#asked, { ...PLAIN, effect: this.made.effect })
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
    if (this.made.place !== null) this.made.restore(null, this.made.effect)
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

  #set(asked: Asked | null, { window, off, by, token, effect }: PanePlace): void {
    this.#asked = asked
    this.window = window
    this.off = off
    this.why.by = by
    if (!isSame([token, effect], [this.made.place, this.made.effect])) this.made.restore(token, effect)
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
      this.#answered = asked
      this.question = question
      this.#show(look)
    } catch (error) {
      if (running !== this.#running || (error as Error).name === 'AbortError') return
      this.problem = (error as Error).message
      // Under the name of this model, nothing of another one.
      if (this.question?.model !== this.model) this.#clear()
    } finally {
      if (running === this.#running) this.busy = false
    }
  }

  #clear(): void {
    this.look = null
    this.source = null
    this.question = null
  }

  #show(look: LookWire): void {
    this.source = liveSource(look)
    this.look = look
  }
}
