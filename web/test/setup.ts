import '@testing-library/jest-dom/vitest'
import { cleanup, configure } from '@testing-library/react'
import { afterEach, beforeAll, vi } from 'vitest'
import { setLanguage, startI18n } from '../src/lib/i18n.ts'
import { dismissToast, visibleToasts } from '../src/lib/toast.ts'

// Texts and antd load on first use; two busy cores need the room.
configure({ asyncUtilTimeout: 8_000 })

beforeAll(() => startI18n({ language: 'en' }))

afterEach(async () => {
  cleanup()
  vi.unstubAllGlobals()
  for (const { id } of visibleToasts()) dismissToast(id)
  await setLanguage('en')
  localStorage.clear()
  sessionStorage.clear()
})
