// Asking the server for a look, for what mattered in it, or for the heads that made a token.
import { problemOf } from '../data/source'
import type { ExplanationWire, LookWire, MadeQuestion, MadeWire, ModelCard, Question, WhyQuestion } from '../wire'

export function ask(question: Question, signal: AbortSignal): Promise<LookWire> {
  return post('/api/look', question, signal)
}

export function askWhy(question: WhyQuestion, signal: AbortSignal): Promise<ExplanationWire> {
  return post('/api/explanation', question, signal)
}

export function askMade(question: MadeQuestion, signal: AbortSignal): Promise<MadeWire> {
  return post('/api/made', question, signal)
}

/** The server's answer; what it refuses, and its silence, are errors with a sentence to show. */
async function post<Answer>(path: string, question: Question, signal: AbortSignal): Promise<Answer> {
  const response = await fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(question),
    signal,
  }).catch((error: Error) => {
    if (error.name === 'AbortError') throw error
    throw new Error('The server does not answer. Is `headscope serve` still running?')
  })
  if (!response.ok) throw new Error(await problemOf(response))
  return (await response.json()) as Answer
}

type Shape = NonNullable<ModelCard['shape']>

/** What kind of model gave a look. */
export function shapeOf(look: LookWire): Shape {
  const stacks = look.parts.map((part) => part.stack)
  if (stacks.includes('cross')) return 'encoder-decoder'
  return stacks.includes('decoder') ? 'decoder' : 'encoder'
}

export interface Asked {
  text: string
  second: string | null
  target: string | null
  generate: number
}

/** The question for a model of a shape: only what such a model can be asked.
 *
 * An encoder-decoder that is given its target does not write one.
 */
export function questionFor(model: string, asked: Asked, shape: Shape | null, rest: Pick<Question, 'off' | 'window'>): Question {
  const target = shape === 'encoder-decoder' ? asked.target : null
  return {
    model,
    text: asked.text,
    second: shape === 'encoder' || shape === null ? asked.second : null,
    target,
    generate: shape === 'decoder' || (shape === 'encoder-decoder' && target === null) ? asked.generate : 0,
    ...rest,
  }
}

/** Whether two questions, or other plain values, are the same. */
export function isSame<Value>(one: Value, other: Value): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

/** What a reader typed and might miss, in a sentence. */
export function leftOut(asked: Asked, question: Question): string {
  return asked.second !== null && question.second === null ? 'This model is given one text; the second is left out.' : ''
}
