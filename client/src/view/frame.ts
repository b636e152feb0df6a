// A page inside the frame of a notebook.

/** Let the frame be as high as the page, now and whenever that changes; without a frame nothing happens. */
export function followHeight(page: HTMLElement): () => void {
  const observer = new ResizeObserver(() => {
    try {
      const frame = window.frameElement as HTMLElement | null
      if (frame) frame.style.height = `${Math.ceil(page.getBoundingClientRect().height) + 2}px`
    } catch {
      // A frame of another origin keeps its height, and scrolls.
    }
  })
  observer.observe(page)
  return () => observer.disconnect()
}
