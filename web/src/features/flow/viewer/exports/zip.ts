/** Files into one ZIP, as they are: whoever needs them small has packed them already. */
import { Zip, ZipPassThrough } from 'fflate'

export type ZipMaker = {
  add: (name: string, content: Uint8Array) => void
  /** Afterwards nothing can be added. */
  end: () => Blob
}

export function makeZip(): ZipMaker {
  const parts: Uint8Array<ArrayBuffer>[] = []
  let failure: Error | null = null
  const zip = new Zip((error, part) => {
    failure ??= error
    // The library's type leaves open whose memory it is; it makes its own.
    parts.push(part as Uint8Array<ArrayBuffer>)
  })
  return {
    add(name, content) {
      const file = new ZipPassThrough(name)
      zip.add(file)
      file.push(content, true)
    },
    end() {
      zip.end()
      if (failure) throw failure
      return new Blob(parts, { type: 'application/zip' })
    },
  }
}
