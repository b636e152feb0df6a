// Marks in the browser's timeline: how long a reader waits for a picture.

const ENDS = { 'headscope-answer': 'headscope-picture', 'headscope-switch': 'headscope-painted' } as const

export type Start = keyof typeof ENDS

const waiting = new Set<Start>()

/** An answer came, or another head was chosen: the next picture ends the wait. */
export function began(start: Start): void {
  performance.mark(start)
  waiting.add(start)
}

/** A picture was drawn; it counts once the browser has shown it. */
export function drawn(): void {
  if (waiting.size === 0) return
  const ended = [...waiting]
  waiting.clear()
  requestAnimationFrame(() => setTimeout(() => ended.forEach((start) => performance.mark(ENDS[start]))))
}
