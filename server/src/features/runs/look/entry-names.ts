/** What the engine calls the files in its archives (`names.py`): the member's own names, without folders, each once. */
export function entryNames(names: readonly string[], ending: string): string[] {
  const used = new Set<string>()
  return names.map((name) => {
    const stem = cleanStem(name)
    let unique = stem
    for (let number = 2; used.has(unique.toLowerCase()); number += 1) unique = `${stem}-${number}`
    used.add(unique.toLowerCase())
    return unique + ending
  })
}

function cleanStem(name: string): string {
  const base = name.replaceAll('\\', '/').replace(/\/+$/, '').split('/').at(-1) ?? ''
  // As Python's `Path.stem`: a dot at the beginning or the end ends no stem.
  const dot = base.lastIndexOf('.')
  const stem = dot > 0 && dot < base.length - 1 ? base.slice(0, dot) : base
  const bare = stem.replace(/^[. ]+|[. ]+$/g, '') || 'item'
  const letters = Array.from(bare, (letter) =>
    (/[\p{C}\p{Z}]/u.test(letter) && letter !== ' ') || '<>:"|?*'.includes(letter) ? '_' : letter,
  )
  return letters.slice(0, 120).join('')
}
