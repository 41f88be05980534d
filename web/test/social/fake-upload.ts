/** Uploads of images on a server of the test, in the place of `XMLHttpRequest`. */
import { type ErrorName, errors } from '@neuroloom/contract/errors'
import { vi } from 'vitest'

type Upload = {
  body: File
  headers: Map<string, string>
  /** How far it is. */
  progress: (percent: number) => void
  take: (id: string) => void
  refuse: (failure: ErrorName, params?: Record<string, number>) => void
  lose: () => void
  isAborted: boolean
}

/** What arrives, in order; each waits until the test answers it. */
export function serveUploads(): Upload[] {
  const uploads: Upload[] = []
  class Request {
    upload: { onprogress?: (event: object) => void } = {}
    responseText = ''
    onload?: () => void
    onerror?: () => void
    onabort?: () => void
    private readonly headers = new Map<string, string>()
    private sent: Upload | undefined

    open(): void {}
    setRequestHeader(name: string, value: string): void {
      this.headers.set(name, value)
    }
    abort(): void {
      if (this.sent) this.sent.isAborted = true
      this.onabort?.()
    }
    send(body: File): void {
      const answer = (value: object) => {
        this.responseText = JSON.stringify(value)
        this.onload?.()
      }
      this.sent = {
        ...{ body, headers: this.headers, isAborted: false },
        progress: (percent) => this.upload.onprogress?.({ loaded: percent, total: 100 }),
        take: (id) => answer({ code: 10200, data: { kind: 'image', id, width: 60, height: 40 } }),
        refuse: (failure, params = {}) => answer({ code: errors[failure].code, data: { params } }),
        lose: () => this.onerror?.(),
      }
      uploads.push(this.sent)
    }
  }
  vi.stubGlobal('XMLHttpRequest', Request)
  return uploads
}

export const imageFile = (name: string, bytes = 10): File =>
  new File([new Uint8Array(bytes)], name, { type: 'image/png' })
