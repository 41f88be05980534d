import type { ShownTool } from './tool-card.tsx'

/** Every word must be found in what is said of the tool in the language shown, or in English. */
export function findTools(text: string, tools: readonly ShownTool[]): ShownTool[] {
  const words = folded(text).split(/\s+/)
  return tools.filter(({ title, text: about, note = '', name, words: others }) => {
    const all = folded([title, about, note, name, others].join('\n'))
    return words.every((word) => all.includes(word))
  })
}

const folded = (text: string): string => text.normalize('NFKC').toLowerCase().trim()
