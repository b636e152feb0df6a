// Colours for drawings, light and dark. The style sheet has the same tokens for everything else.

export interface Theme {
  dark: boolean
  paper: string
  ink: string
  faint: string
  line: string
  empty: string
  accent: string
}

export const light: Theme = {
  dark: false,
  paper: '#ffffff',
  ink: '#222222',
  faint: '#5f6670',
  line: '#d7dbe0',
  empty: '#eff1f3',
  accent: '#0b6bab',
}

export const dark: Theme = {
  dark: true,
  paper: '#14171b',
  ink: '#e6e8ea',
  faint: '#a2a9b3',
  line: '#353b44',
  empty: '#22262c',
  accent: '#6cb8ee',
}

export type Choice = 'auto' | 'light' | 'dark'

const system = globalThis.matchMedia?.('(prefers-color-scheme: dark)')

class Look {
  choice = $state<Choice>('auto')
  #system = $state(system?.matches ?? false)

  constructor() {
    system?.addEventListener('change', (event) => (this.#system = event.matches))
  }

  get theme(): Theme {
    const isDark = this.choice === 'auto' ? this.#system : this.choice === 'dark'
    return isDark ? dark : light
  }
}

/** What the page looks like now; `look.theme` is reactive. */
export const look = new Look()
