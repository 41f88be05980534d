/** What was done to one file, counted by attribute and kind; never what stood there before. */

export type Done = 'removed' | 'emptied' | 'replaced' | 'newUid' | 'cleared'
type AttributeDone = { tag: string; name: string; action: Done; count: number }

export class Tally {
  /** Grows with every change, so that a sequence in which nothing changed is copied as it is. */
  changes = 0
  privateRemoved = 0
  private readonly done = new Map<string, AttributeDone>()

  note(tag: number, action: Done, name: string | null) {
    this.changes += 1
    const written = tagText(tag)
    const key = `${written} ${action}`
    const known = this.done.get(key)
    if (known) known.count += 1
    else this.done.set(key, { tag: written, name: name ?? bracketed(written), action, count: 1 })
  }

  notePrivate() {
    this.changes += 1
    this.privateRemoved += 1
  }

  attributes(): AttributeDone[] {
    return [...this.done.values()].sort((a, b) => (a.tag < b.tag ? -1 : 1))
  }

  count(action: Done): number {
    return this.attributes().reduce((sum, one) => sum + (one.action === action ? one.count : 0), 0)
  }
}

const tagText = (tag: number) => tag.toString(16).toUpperCase().padStart(8, '0')
const bracketed = (tag: string) => `(${tag.slice(0, 4)},${tag.slice(4)})`
