// The fonts of drawings, and the widths of Helvetica's letters, which every PDF reader has built in.

/** Families that stand in for each other; the browser falls back further for other scripts. */
export const FONT = "Helvetica, Arial, 'Noto Sans', 'DejaVu Sans', sans-serif"

// Thousandths of the size, from the space to the tilde.
const REGULAR = [
  278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556, 556,
  556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778,
  667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278, 556,
  556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
]
const BOLD = [
  278, 333, 474, 556, 556, 889, 722, 238, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556, 556,
  556, 556, 333, 333, 584, 584, 584, 611, 975, 722, 722, 722, 722, 667, 611, 778, 722, 278, 556, 722, 611, 833, 722, 778,
  667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 333, 278, 333, 584, 556, 333, 556, 611, 556, 611, 556, 333, 611,
  611, 278, 278, 556, 278, 889, 611, 611, 611, 611, 389, 556, 333, 611, 556, 778, 556, 556, 500, 389, 280, 389, 584,
]

interface Sign {
  code: number
  regular: number
  bold: number
}

// Signs beyond ASCII that texts of drawings use: their codes in WinAnsi, and widths.
const SIGNS: Record<string, Sign> = {
  '\u00a0': { code: 0x20, regular: 278, bold: 278 },
  '\u202f': { code: 0x20, regular: 278, bold: 278 },
  '…': { code: 0x85, regular: 1000, bold: 1000 },
  '‘': { code: 0x91, regular: 222, bold: 278 },
  '’': { code: 0x92, regular: 222, bold: 278 },
  '“': { code: 0x93, regular: 333, bold: 500 },
  '”': { code: 0x94, regular: 333, bold: 500 },
  '–': { code: 0x96, regular: 556, bold: 556 },
  '−': { code: 0x96, regular: 556, bold: 556 },
  '—': { code: 0x97, regular: 1000, bold: 1000 },
  '·': { code: 0xb7, regular: 278, bold: 278 },
  '±': { code: 0xb1, regular: 584, bold: 584 },
  '×': { code: 0xd7, regular: 584, bold: 584 },
  ß: { code: 0xdf, regular: 611, bold: 611 },
}

/** A text without what no file format may hold: control characters and halves of surrogate pairs. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\ufffe\uffff]/gu, ' ').replace(/\p{Cs}/gu, '\ufffd')
}

export interface Encoded {
  /** The codes of the letters in WinAnsi. */
  codes: number[]
  /** In parts of the font's size. */
  width: number
}

/** A text in the letters that PDF's Helvetica has; null if it needs others. */
export function encode(text: string, bold: boolean): Encoded | null {
  const codes: number[] = []
  let width = 0
  for (const letter of text) {
    const found = sign(letter, bold ? BOLD : REGULAR)
    if (found === null) return null
    codes.push(found.code)
    width += bold ? found.bold : found.regular
  }
  return { codes, width: width / 1000 }
}

function sign(letter: string, widths: number[]): Sign | null {
  if (letter in SIGNS) return SIGNS[letter]!
  // An accented letter of Latin-1 is as wide as the letter without its accent, but for i, which its accent widens.
  const code = letter.codePointAt(0)!
  const plain = code < 0x100 ? letter.normalize('NFD').charAt(0) : letter
  const width = plain === 'i' && letter !== 'i' ? 278 : widths[plain.codePointAt(0)! - 0x20]
  return width === undefined ? null : { code, regular: width, bold: width }
}
