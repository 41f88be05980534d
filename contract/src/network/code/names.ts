/** Names in the generated Python file: none that Python, PyTorch or another layer has already. */

import { notInId } from '../resolve/schema-map.ts'

/** `stage2/0/conv1` becomes `stage2__0__conv1`: an attribute, and still the name in our weight files by a plain rule. */
export function plainName(path: string): string {
  return path.replaceAll('/', '__')
}

export class PythonNames {
  private readonly taken: Set<string>

  constructor(reserved: Iterable<string>) {
    this.taken = new Set(reserved)
  }

  /** The plain name, with lines behind it as long as it is taken. */
  take(path: string): string {
    let name = plainName(path).replace(notInId, '_')
    while (this.taken.has(name)) name += '_'
    this.taken.add(name)
    return name
  }
}

/** Local names of `forward`, used again as soon as their tensor is done with, so that its memory is free. */
export class Slots {
  private readonly free: string[] = []
  private readonly isTaken: (name: string) => boolean
  private made = 0

  constructor(isTaken: (name: string) => boolean) {
    this.isTaken = isTaken
  }

  take(): string {
    const again = this.free.pop()
    if (again !== undefined) return again
    const name = this.made === 0 ? 'x' : `x${this.made}`
    this.made += 1
    return this.isTaken(name) ? this.take() : name
  }

  release(name: string): void {
    this.free.push(name)
    // The lowest first: short code speaks of x, not of x17.
    this.free.sort((a, b) => b.length - a.length || b.localeCompare(a))
  }
}

/** One line without anything that could end a comment, turn the text around or change the file's encoding. */
export function commentText(text: string): string {
  return text
    .replace(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
    .slice(0, 200)
}
