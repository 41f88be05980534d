import '@testing-library/jest-dom/vitest'
import { cleanup, configure } from '@testing-library/react'
import { afterAll, afterEach, beforeAll, beforeEach, vi } from 'vitest'
import { setLanguage, startI18n } from '../src/lib/i18n.ts'
import { dismissToast, visibleToasts } from '../src/lib/toast.ts'

// Texts and antd load on first use; two busy cores need the room.
configure({ asyncUtilTimeout: 30_000 })

/** Without a layout nothing scrolls into view: everything is in view at once. */
class AllInView {
  private readonly tell: IntersectionObserverCallback
  constructor(tell: IntersectionObserverCallback) {
    this.tell = tell
  }
  observe(): void {
    // This field alone is read.
    const entries = [{ isIntersecting: true }] as IntersectionObserverEntry[]
    this.tell(entries, this as unknown as IntersectionObserver)
  }
  disconnect(): void {}
}

beforeEach(() => {
  vi.stubGlobal('IntersectionObserver', AllInView)
})

beforeAll(() => startI18n({ language: 'en' }))

// What the runtime of networks leaves there in Node is no worker of a browser: a file that comes later would wait for it.
afterAll(() => void Reflect.deleteProperty(globalThis, 'Worker'))

afterEach(async () => {
  cleanup()
  vi.unstubAllGlobals()
  for (const { id } of visibleToasts()) dismissToast(id)
  await setLanguage('en')
  localStorage.clear()
  sessionStorage.clear()
})

// antd's rules would be matched with every element that is looked for by its role; no test asks what they say.
const sheet = Object.getOwnPropertyDescriptor(HTMLStyleElement.prototype, 'sheet')
Object.defineProperty(HTMLStyleElement.prototype, 'sheet', {
  configurable: true,
  get(this: HTMLStyleElement): CSSStyleSheet | null {
    return this.hasAttribute('data-css-hash') ? null : sheet?.get?.call(this)
  },
})
// The class serves all files of a worker: each begins with its own getter.
afterAll(() => sheet && Object.defineProperty(HTMLStyleElement.prototype, 'sheet', sheet))

// Nothing is fetched ahead: a test pays for what it opens.
Object.defineProperty(navigator, 'connection', { value: { saveData: true }, configurable: true })
